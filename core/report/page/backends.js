/// One backend against another: collectives by size, and whole steps.

/// "mpi, tcp on lo": what carries the bytes, without the details in brackets where it is told apart without them.
const CARRIERS = new Map();
function carrier(c) { return c.identity.backend + (c.identity.transport ? ", " + c.identity.transport : ""); }
for (const long of new Set(DATA.cases.map(carrier))) {
  const short = long.replace(/ \(.*\)$/, "");
  CARRIERS.set(long, [...CARRIERS.values()].includes(short) ? long : short);
}
function variant(c) { return CARRIERS.get(carrier(c)); }

/// Rows {base, c, r} of the cases that ran on the first backend and on another.
function pairs(cases) {
  const same = new Map();
  for (const c of cases) same.set(c.work, (same.get(c.work) || []).concat([c]));
  return [...same.values()].filter((some) => new Set(some.map(variant)).size > 1)
    .flatMap(([base, ...others]) => others.map((c) => ({ base, c, r: timeRatio(c, base) }))).filter((row) => row.r);
}

/// Bytes of one call.
function size(c) { return Number(c.settings.array_bytes || 0); }

function bySize(cases) {
  const sizes = [...new Set(cases.map(size))].sort((a, b) => a - b);
  const variants = [...new Set(cases.map(variant))];
  const at = (v, s) => cases.find((c) => variant(c) === v && size(c) === s);
  const rows = sizes.flatMap((s) => variants.map((v) => ({ s, c: at(v, s), base: at(variants[0], s) })).filter((row) => row.c));
  return {
    height: 380,
    summary: "Lines of time over size, both logarithmic; the table beside it has every number.",
    chart: {
      type: "line",
      data: {
        labels: sizes,
        datasets: variants.map((v, index) => {
          const points = sizes.map((s) => at(v, s));
          return {
            label: v, colour: SERIES[index % SERIES.length], pointStyle: POINTS[index % POINTS.length], borderDash: DASHES[index % DASHES.length],
            data: points.map((c) => (c ? c.values.step_median_s : null)), borderWidth: 2, pointRadius: 4, spanGaps: true,
            whiskers: points.map((c) => { const m = c ? launchMedians(c) : []; return m.length > 1 ? [Math.min(...m), Math.max(...m)] : null; }),
          };
        }),
      },
      options: {
        scales: {
          x: { title: { display: true, text: "bytes of one call" }, ticks: { callback: (_, index) => binary(sizes[index]) } },
          y: { type: "logarithmic", suggestedMax: Math.max(...cases.flatMap(launchMedians)), title: { display: true, text: "time of one call" }, ticks: { callback: (v) => (/^[125]/.test(Number(v).toExponential()) ? seconds(v) : "") } },
        },
        plugins: { legend: { position: "top", align: "start", labels: { usePointStyle: true, boxWidth: 8, boxHeight: 8 } }, tooltip: { callbacks: { title: (items) => exact(sizes[items[0].dataIndex]) + " bytes", label: (item) => item.dataset.label + ": " + seconds(item.raw) } } },
      },
    },
    table: {
      caption: "Time, bandwidth and ratio by size and backend",
      rows,
      columns: [
        { title: "bytes", number: true, value: (row) => exact(row.s) },
        { title: "backend", value: (row) => variant(row.c) },
        { title: "time", number: true, value: (row) => seconds(row.c.values.step_median_s) },
        { title: "busbw", number: true, value: (row) => quantity("busbw_Bps", row.c.values.busbw_Bps) },
        { title: "ratio", number: true, value: (row) => (row.base && row.base !== row.c ? ratio((timeRatio(row.c, row.base) || {}).ratio) : "") },
        { title: "says", value: (row) => (row.base && row.base !== row.c ? ratioWords(timeRatio(row.c, row.base)) : "") },
        { title: "spread", number: true, value: (row) => (row.base && row.base !== row.c ? spreadText(timeRatio(row.c, row.base)) : "") },
      ],
    },
  };
}

function showBackends() {
  const alone = DATA.cases.filter((c) => c.identity.program === "collective" && launchMedians(c).length);
  const steps = pairs(DATA.cases.filter((c) => c.identity.program !== "collective"));
  if (!alone.length && !steps.length) return;
  const node = section("backends", "Backends", "The same work on several backends. Ratios are to the first of them, below 1 is faster; the spread is the range over any two launches.");
  if (alone.length)
    figure(node, {
      id: "chart-collectives", title: "One collective alone", pick: "Operation",
      groups: grouped(alone, ["operation", "world", "dtype", "study"]).sort((a, b) => b[1].length - a[1].length).map(([label, cases]) => ({ label: cases[0].identity.operation + ", " + ranks(cases[0].identity.world) + (varying(alone, ["dtype"]).length ? ", " + cases[0].identity.dtype : ""), view: () => bySize(cases) })),
    });
  if (steps.length) {
    figure(node, {
      id: "chart-backend-steps", title: "Whole steps", pick: "Backend",
      groups: [...new Set(steps.map((row) => variant(row.c)))].map((v) => {
        const some = steps.filter((row) => variant(row.c) === v);
        const more = telling(some.map((row) => row.c), ["model", "unit", "horizon", "optimizer", "dtype", "options"]);
        const rows = some.map((row) => ({ ...row, label: caseLabel(row.c, more) }));
        return { label: v, view: () => ratioBars(rows, "step time of " + v + " as a ratio to " + variant(rows[0].base)) };
      }),
    });
  }
}
