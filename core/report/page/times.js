/// Time per step as a ratio to the first strategy or schedule of the suite, at the same world.

/// Bars of ratios with whiskers; rows are {label, base, c, r: timeRatio}.
function ratioBars(rows, what) {
  return {
    height: 80 + 26 * rows.length,
    summary: "Bars of " + what + "; the table beside it has every number.",
    chart: {
      type: "bar",
      data: {
        labels: rows.map((row) => row.label),
        datasets: [{ label: what, colour: "s0", data: rows.map((row) => row.r.ratio), whiskers: rows.map((row) => row.r.spread), barPercentage: 0.75, categoryPercentage: 0.9 }],
      },
      options: {
        indexAxis: "y", marks: [1],
        scales: { x: { beginAtZero: true, suggestedMax: Math.max(1, ...rows.map((row) => (row.r.spread || [0, 0])[1])), ticks: { callback: (v) => String(Number(v.toPrecision(3))) } }, y: { grid: { display: false }, ticks: { autoSkip: false } } },
      },
    },
    table: {
      caption: what,
      rows,
      columns: [
        { title: "case", value: (row) => row.label },
        { title: "step", number: true, value: (row) => seconds(row.c.values.step_median_s) },
        { title: "ratio", number: true, value: (row) => ratio(row.r.ratio) },
        { title: "says", value: (row) => ratioWords(row.r) },
        { title: "spread", number: true, value: (row) => spreadText(row.r) },
      ],
    },
  };
}

function showTimes() {
  const timed = DATA.cases.filter((c) => c.identity.program !== "collective" && launchMedians(c).length);
  const groups = grouped(timed, [...SETTING, "horizon"]).map(([label, cases]) => {
    const more = telling(cases, ["backend", "options", "transport"]), bases = new Map(), rows = [];
    for (const c of byWorld(cases)) {
      const key = JSON.stringify([c.identity.world, c.identity.backend, c.identity.transport]);
      if (!bases.has(key)) bases.set(key, c);
      else rows.push({ label: caseLabel(c, more), c, r: timeRatio(c, bases.get(key)) });
    }
    const first = cases[0].identity.strategy || cases[0].identity.schedule;
    return { label, rows, view: () => ratioBars(rows, "step time as a ratio to " + first) };
  }).filter((group) => group.rows.length);
  if (!groups.length) return;
  const node = section("times", "Times", "Median step of the slowest rank. Below 1 is faster. The line through a bar is the range over any two launches; where it crosses 1, or less than 15 % differ, there is no difference.");
  figure(node, { id: "chart-times", title: "Step time against the first of the suite", pick: "Model and setting", groups });
}
