/// Activations in flight against the horizon, a line per schedule and world.

const IN_FLIGHT = [
  ["in_flight", "microbatches in flight", exact],
  ["saved_peak", "tensors saved at once", exact],
  ["saved_peak_bytes", "bytes saved at once", bytes],
  ["peak_bytes", "peak bytes of a step", bytes],
];

function againstHorizon(cases, [name, title, show]) {
  const horizons = [...new Set(cases.map((c) => Number(c.identity.horizon)))].sort((a, b) => a - b);
  const more = telling(cases, ["horizon", "backend", "options", "transport", "study", "batch"]).filter((name) => name !== "horizon");
  const lines = new Map();
  for (const c of cases) {
    const label = caseLabel(c, more);
    lines.set(label, (lines.get(label) || new Map()).set(Number(c.identity.horizon), c.values[name]));
  }
  const rows = [...lines].map(([label, points]) => ({ label, points }));
  return {
    height: 340,
    summary: "Lines of " + title + " over the number of microbatches; the table beside it has every number.",
    chart: {
      type: "line",
      data: {
        labels: horizons,
        datasets: rows.map((row, index) => ({
          label: row.label, colour: SERIES[index % SERIES.length], pointStyle: POINTS[index % POINTS.length], borderDash: DASHES[index % DASHES.length],
          data: horizons.map((h) => row.points.get(h) ?? null), borderWidth: 2, pointRadius: 4, spanGaps: true,
        })),
      },
      options: {
        scales: { x: { title: { display: true, text: "microbatches per step" } }, y: { beginAtZero: true, title: { display: true, text: title }, ticks: { callback: show, precision: 0 } } },
        plugins: { legend: { position: "top", align: "start", labels: { usePointStyle: true, boxWidth: 8, boxHeight: 8 } } },
      },
    },
    table: {
      caption: title + " by schedule and horizon",
      rows,
      columns: [{ title: "schedule", value: (r) => r.label }, ...horizons.map((h) => ({ title: String(h), number: true, value: (r) => exact(r.points.get(h)) }))],
    },
  };
}

function showPipelines() {
  const cases = DATA.cases.filter((c) => c.identity.program === "pipeline" && !missing(c.values.in_flight));
  if (!cases.length) return;
  const node = section("pipelines", "Pipelines", "What waits for its backward, on the rank where most does: it grows with the horizon or it does not.");
  const groups = grouped(cases, ["model", "optimizer", "dtype"]);
  figure(node, {
    id: "chart-in-flight", title: "In flight against the horizon", pick: "Show",
    groups: groups.flatMap(([label, some]) => IN_FLIGHT.filter(([name]) => some.some((c) => !missing(c.values[name])))
      .map((what) => ({ label: what[1] + (groups.length > 1 ? ": " + label : ""), view: () => againstHorizon(some, what) }))),
  });
}
