/// Status at a glance: one sentence that is green or red, the counts, and every red case with its reason.

function tile(name, large, small, bad) {
  return el("div", { class: "tile" }, el("dt", {}, name), el("dd", {},
    el("div", { class: "large" + (bad ? " bad" : "") }, large), el("div", { class: "small" }, small)));
}

/// "2 failed, 1 crashed"
function listed(numbers, names) {
  return names.filter((n) => numbers[n]).map((n) => exact(numbers[n]) + " " + n.replace("_", " ")).join(", ");
}

function regressionsTile() {
  const c = DATA.comparison, regressions = DATA.summary.regressions;
  if (!c) return tile("Regressions", "not compared", "there is no baseline");
  if (!c.compared) return tile("Regressions", "not compared", "nothing is comparable with " + c.baseline, true);
  return tile("Regressions", regressions ? exact(regressions) : "none", "against " + c.baseline, regressions > 0);
}

function showStatus() {
  const cases = DATA.cases, s = DATA.summary, red = cases.filter((c) => c.status !== "ok");
  const environment = Object.fromEntries(DATA.environment);
  const wall = cases.reduce((sum, c) => sum + (c.values.wall_s || 0), 0);
  document.getElementById("top").append(
    el("p", { class: "kind" }, "Shardbench report"),
    el("h1", {}, DATA.run.suite + (DATA.run.injected ? " [INJECTED " + DATA.run.injected + "]" : "")),
    el("p", { class: "facts" }, [DATA.run.started, "commit " + environment.commit, environment.cpu, plural(Number(environment.cores), "core"), "LibTorch " + (environment.LibTorch || "none")].join(" · ")),
    el("div", { class: "verdict " + (s.green ? "good" : "bad"), id: "verdict" }, el("span", { "aria-hidden": true }, s.green ? "\u2713" : "\u2717"),
      el("p", {}, s.headline)),
    ...(DATA.run.busy ? [el("p", { class: "notice", id: "busy" }, DATA.run.busy + ". Its times tell less.")] : []),
    el("dl", { class: "tiles" },
      tile("Cases", exact(s.cases.ok || 0) + " of " + exact(cases.length) + " ok", listed(s.cases, ["failed", "crashed", "timeout", "skipped"]) || "none failed, crashed or timed out", red.length > 0),
      tile("Invariants", exact(s.invariants.passed || 0) + " hold", listed(s.invariants, ["failed", "not_run"]) || "all checked", s.invariants.failed > 0),
      regressionsTile(),
      tile("Time", seconds(wall), "of all cases together")),
    ...(red.length ? [el("ul", { class: "red-list", "aria-label": "Cases that are not right" }, red.map((c) => el("li", {},
      el("span", { class: "bad status" }, "\u2717 " + c.status + " "), el("code", {}, c.id), el("div", {}, c.detail))))] : []));
}
