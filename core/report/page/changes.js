/// What changed against the baseline, and over the runs of a history.

/// "×1.56" of times, by the estimate that was judged, "+1" of what is counted.
function changeText(f) {
  if (missing(f.before) || missing(f.now)) return "";
  if (!missing(f.ratio)) return "\u00d7" + ratio(f.ratio);
  return (f.now > f.before ? "+" : "") + exact(f.now - f.before);
}

function showComparison() {
  const c = DATA.comparison;
  if (!c) return;
  const node = section("changes", "Changes", "Against the run of " + c.baseline + ". Bytes and counts are exact; a time differs only where threshold and launches agree.");
  node.append(el("p", {}, Object.entries(c.counts).map(([verdict, count]) => exact(count) + " " + verdict).join(", ") || "nothing was compared"));
  if (c.note) node.append(el("p", { class: "notice" }, c.note));
  if (c.noisy.length)
    node.append(el("p", { class: "notice" }, c.noisy_text + ": their launches spread too far."), table([
      { title: "case", value: (n) => n.case },
      { title: "metric", value: (n) => n.metric },
      { title: "smallest slowdown found", number: true, value: (n) => n.detectable ?? Infinity, show: (n) => missing(n.detectable) ? "none" : (100 * n.detectable).toFixed(0) + " %" },
    ], c.noisy, { caption: "Times of which \"same\" does not mean that nothing got slower", sortable: true }).node);
  if (!c.changes.length) return;
  const worst = c.changes.slice().sort((a, b) => b.regression - a.regression);
  node.append(table([
    { title: "verdict", class: "status", show: (f) => el("span", { class: f.regression ? "bad" : null }, (f.regression ? "\u2717 " : "") + f.verdict), value: (f) => f.verdict },
    { title: "case", value: (f) => f.case },
    { title: "metric", value: (f) => f.metric },
    { title: "before", number: true, value: (f) => f.before, show: (f) => quantity(f.metric, f.before) },
    { title: "now", number: true, value: (f) => f.now, show: (f) => quantity(f.metric, f.now) },
    { title: "by", number: true, value: (f) => f.ratio ?? f.now / f.before, show: changeText },
    { title: "note", value: (f) => f.note },
  ], worst, { caption: "Cases and metrics that are not the same as in the baseline", sortable: true }).node);
}

function overRuns(runs, series) {
  const unit = (DATA.columns[series.metric] || {}).unit;
  return {
    height: 340,
    summary: "A line over " + plural(runs.length, "run") + " with " + plural(series.changes.length, "change point") + "; the table beside it lists the values.",
    chart: {
      type: "line",
      data: { labels: runs.map((run) => run.started.slice(0, 10)), datasets: [{ label: series.metric, colour: "s0", data: series.values, borderWidth: 1.5, pointRadius: 2.5, spanGaps: true }] },
      options: { marks: series.changes.map((change) => change.run - 0.5), scales: { x: { ticks: { maxTicksLimit: 5, maxRotation: 0 } }, y: { ticks: { callback: (v) => quantity(series.metric, v), maxTicksLimit: 7, precision: unit === "s" ? undefined : 0 } } }, plugins: { legend: { display: false, labels: {} } } },
    },
    table: {
      caption: series.metric + " of " + series.case + " by run",
      rows: runs.map((run, index) => ({ run, value: series.values[index], change: series.changes.find((change) => change.run === index) })).filter((row) => !missing(row.value)).reverse(),
      columns: [
        { title: "run", value: (row) => row.run.started.replace("T", " ").replace("Z", "") },
        { title: "commit", show: (row) => el("code", {}, row.run.commit) },
        { title: series.metric, number: true, value: (row) => quantity(series.metric, row.value) },
        { title: "change", show: (row) => row.change && el("span", { class: "status" }, "\u25C6 changed: ", quantity(series.metric, row.change.before), " to ", quantity(series.metric, row.change.after)) },
      ],
    },
  };
}

function showHistory() {
  const h = DATA.history;
  if (!h || !h.runs.length) return;
  const changed = h.series.filter((s) => s.changes.length);
  const node = section("history", "History", plural(h.runs.length, "run") + " with this environment, the oldest of " + h.runs[0].started.slice(0, 10) + ". " +
    (changed.length ? "A dashed line marks a change that lasts." : "No lasting change was found."));
  if (changed.length)
    node.append(table([
      { title: "case", value: (s) => s.case },
      { title: "metric", value: (s) => s.metric },
      { title: "before", number: true, value: (s) => quantity(s.metric, s.change.before) },
      { title: "after", number: true, value: (s) => quantity(s.metric, s.change.after) },
      { title: "between commits", show: (s) => el("code", {}, h.runs[s.change.last_before].commit + " .. " + h.runs[s.change.run].commit) },
    ], changed.flatMap((s) => s.changes.map((change) => ({ ...s, change }))), { caption: "Lasting changes" }).node);
  if (h.series.length)
    figure(node, {
      id: "chart-history", title: "One metric over the runs", pick: "Case and metric",
      groups: changed.concat(h.series.filter((s) => !s.changes.length)).map((s) => ({ label: (s.changes.length ? "\u25C6 " : "") + s.case + ": " + s.metric, view: () => overRuns(h.runs, s) })),
    });
}
