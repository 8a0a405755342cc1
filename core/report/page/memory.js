/// Bytes per rank by role, between steps and at the worst moment of a step.

const AT_REST = ["weights", "gradients", "optimizer"];
const AT_PEAK = ["weights", "gradients", "optimizer", "activations", "communication", "temporary"];
const SETTING = ["program", "study", "model", "unit", "optimizer", "dtype", "batch"];
const MORE = ["horizon", "backend", "options", "transport"];

/// A chart of stacked bars, one per case; `column(role)` names the columns of the roles.
function stackedBytes(cases, roles, column, total, law) {
  const sorted = byWorld(cases), more = telling(cases, MORE);
  const rows = sorted.map((c) => ({ c, label: caseLabel(c, more), rank: largestRank(c, total) }));
  const held = roles.filter((role) => rows.some((r) => r.rank.values[column(role)] > 0));
  return {
    height: 90 + 26 * rows.length,
    summary: "Stacked bars, one per case; the table beside it has every number.",
    chart: {
      type: "bar",
      data: {
        labels: rows.map((r) => r.label),
        datasets: held.map((role) => ({ label: role, colour: "c-" + role, data: rows.map((r) => r.rank.values[column(role)]), borderWidth: { right: 1 }, barPercentage: 0.85, categoryPercentage: 0.9 })),
      },
      options: {
        indexAxis: "y",
        scales: { x: { stacked: true, ticks: { callback: bytes, maxTicksLimit: 7 } }, y: { stacked: true, grid: { display: false }, ticks: { autoSkip: false } } },
        plugins: { tooltip: { mode: "index", callbacks: { label: (item) => item.dataset.label + ": " + exact(item.raw) } } },
      },
    },
    table: {
      caption: "Bytes of the largest rank",
      rows,
      columns: [
        { title: "case", value: (r) => r.label },
        ...held.map((role) => ({ title: role, number: true, value: (r) => exact(r.rank.values[column(role)]) })),
        { title: "total", number: true, value: (r) => exact(r.rank.values[total]) },
        ...(rows.some((r) => !missing(r.rank.values[law])) ? [{ title: "law", number: true, value: (r) => exact(r.rank.values[law]) }] : []),
      ],
    },
  };
}

function showMemory() {
  const trained = DATA.cases.filter((c) => c.identity.program !== "collective");
  const held = trained.filter((c) => c.ranks.some((r) => r.values.total_bytes > 0));
  const peaked = trained.filter((c) => c.ranks.some((r) => r.values.peak_bytes > 0));
  if (!held.length && !peaked.length) return;
  const node = section("memory", "Memory", "Bytes of the rank that holds most, counted by the allocator, with what the law of the strategy gives beside them.");
  const groups = (cases, view) => grouped(cases, SETTING).map(([label, some]) => ({ label, view: () => view(some) }));
  if (held.length)
    figure(node, {
      id: "chart-rest", title: "Kept between steps", pick: "Model and setting",
      text: "Weights, gradients and optimizer state that a rank keeps from one step to the next.",
      groups: groups(held, (cases) => stackedBytes(cases, AT_REST, (role) => role + "_bytes", "total_bytes", "predicted_total_bytes")),
    });
  if (peaked.length)
    figure(node, {
      id: "chart-peak", title: "Peak inside a step", pick: "Model and setting",
      text: "All that is alive at the worst moment of a step, by role. This tells zero2 from zero3.",
      groups: groups(peaked, (cases) => stackedBytes(cases, AT_PEAK, (role) => "peak_" + role + "_bytes", "peak_bytes", "predicted_peak_bytes")),
    });
}
