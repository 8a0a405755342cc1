/// Every case: a table to sort and filter, and below each row, when it is opened, all that is known of it.

const MARKS = { ok: "\u2713", failed: "\u2717", crashed: "\u2717", timeout: "\u2717", skipped: "\u2013" };
const VERDICTS = { passed: "\u2713 holds", failed: "\u2717 fails", not_run: "\u2013 not run" };

function inner(title, columns, rows) {
  return rows.length ? [el("h4", {}, title), table(columns, rows, { caption: title }).node] : [];
}

/// Quantities down, ranks across, what the law gives first.
function rankTable(c) {
  const names = Object.keys(DATA.columns).filter((name) => !name.startsWith("predicted_") && c.ranks.some((r) => !missing(r.values[name])));
  return inner("By rank", [
    { title: "quantity", value: (name) => name },
    { title: "law", number: true, value: (name) => quantity(name, (c.ranks[0] || { values: {} }).values["predicted_" + name]) },
    ...c.ranks.map((rank) => ({ title: "rank " + rank.rank, number: true, value: (name) => quantity(name, rank.values[name]) })),
  ], names);
}

function details(c) {
  const words = Object.entries({ ...c.identity, ...c.settings }).filter(([, v]) => v !== "" && !missing(v)).map(([name, v]) => name + " " + v).join(" · ");
  return [
    c.detail && el("p", { class: c.status === "ok" ? null : "bad" }, c.detail),
    el("p", { class: "facts" }, words),
    ...inner("Invariants", [
      { title: "invariant", value: (i) => i[0] },
      { title: "verdict", class: "status", show: (i) => el("span", { class: i[1] === "failed" ? "bad" : null }, VERDICTS[i[1]] || i[1]) },
      { title: "message", value: (i) => i[2] },
    ], c.invariants),
    ...rankTable(c),
    ...inner("Raw samples, in seconds", [
      { title: "launch", number: true, value: (l) => l.number },
      { title: "median", number: true, value: (l) => seconds(l.seconds.length ? median(l.seconds) : null) },
      { title: "timed steps", value: (l) => l.seconds.map((s) => String(Number(s.toPrecision(6)))).join("  ") },
    ], c.launches.map((list, index) => ({ number: index + 1, seconds: list }))),
  ];
}

/// The case's name, which opens a row of details below its own.
function opener(c) {
  const button = el("button", { type: "button", class: "opener", "aria-expanded": false, on: { click: () => {
    const row = button.closest("tr"), open = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", !open);
    if (open) row.nextElementSibling.remove();
    else row.after(el("tr", { class: "detail" }, el("td", { colspan: row.children.length }, el("div", { class: "inside" }, details(c)))));
  } } }, breakable(c.id));
  return button;
}

function showCases() {
  const node = section("cases", "All cases", "Memory and traffic in bytes, of the rank with the most. Open a case for its invariants, every rank and the raw samples.");
  const number = (title, name, show) => ({ title, number: true, value: (c) => (missing(c.values[name]) ? null : c.values[name]), show: (c) => (show || exact)(c.values[name]) });
  const columns = [
    { title: "status", class: "status", value: (c) => c.status, show: (c) => el("span", { class: c.status === "ok" ? "good" : "bad" }, MARKS[c.status] + " " + c.status) },
    { title: "case", value: (c) => c.id, show: opener },
    { title: "ranks", number: true, value: (c) => Number(c.identity.world) },
    number("at rest", "total_bytes"), number("peak", "peak_bytes"), number("sent", "sent_bytes"),
    number("saved at once", "saved_peak"), number("step", "step_median_s", seconds),
    { title: "invariants", number: true, value: (c) => c.values.invariants_failed ?? null, show: (c) => (c.values.invariants_failed ? el("span", { class: "bad" }, exact(c.values.invariants_failed) + " fail") : exact(c.values.invariants_passed) + " hold") },
  ].filter((column, index) => index < 3 || DATA.cases.some((c) => !missing(column.value(c))));
  const all = table(columns, DATA.cases, { caption: "All cases", sortable: true, whole: true, plain: true, class: "cases" });
  const text = el("input", { type: "search", id: "filter", autocomplete: "off" });
  const statuses = ["every status", ...new Set(DATA.cases.map((c) => c.status))];
  let status = 0;
  const shownText = el("p", { role: "status", id: "shown" });
  const apply = () => {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = all.filter((c) => (status === 0 || c.status === statuses[status]) && words.every((w) => (c.id + " " + c.detail + " " + c.identity.transport + " " + c.identity.options).toLowerCase().includes(w)));
    shownText.textContent = shown === DATA.cases.length ? plural(shown, "case") : exact(shown) + " of " + plural(DATA.cases.length, "case");
  };
  text.addEventListener("input", apply);
  node.append(el("div", { class: "controls" }, el("label", { class: "search" }, "Words that a case must have", text), choice("Status", statuses, (index) => { status = Number(index); apply(); })), shownText, all.node);
  apply();
}

function showEnvironment() {
  const node = section("environment", "Environment", "Times of two runs compare only where all of this is the same; bytes and counts do not depend on it.");
  const two = (title, rows) => node.append(el("h3", {}, title), table([{ title: "what", value: (r) => r[0] }, { title: "value", value: (r) => r[1] }], rows, { caption: title }).node);
  two("Machine and libraries", DATA.environment);
  if (DATA.load.length) two("The machine during the run", DATA.load);
  node.append(el("h3", {}, "Plugins"), table(["kind", "name", "version", "file", "SHA-1"].map((title, index) => ({ title, show: (p) => (index === 4 ? el("code", {}, p[index]) : p[index]) })), DATA.plugins, { caption: "Plugins" }).node);
}
