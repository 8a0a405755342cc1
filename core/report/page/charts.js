/// Charts by Chart.js: theme, whiskers, and the figure that holds a chart and the table of its numbers side by side.

function colour(name) { return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim(); }
const SERIES = ["s0", "s1", "s2", "s3", "s4", "s5", "s6"];
const POINTS = ["circle", "rectRot", "triangle", "rect", "star", "crossRot", "cross"];
const DASHES = [[], [6, 3], [2, 2], [8, 3, 2, 3]];

/// A line through each point from dataset.whiskers[i][0] to [1]: the spread between launches.
const whiskers = {
  id: "whiskers",
  afterDatasetsDraw(chart) {
    const context = chart.ctx;
    const across = chart.options.indexAxis === "y";
    const scale = across ? chart.scales.x : chart.scales.y;
    chart.data.datasets.forEach((dataset, number) => {
      if (!dataset.whiskers || !chart.isDatasetVisible(number)) return;
      context.save();
      context.strokeStyle = colour("ink");
      context.lineWidth = 1.25;
      chart.getDatasetMeta(number).data.forEach((element, index) => {
        const range = dataset.whiskers[index];
        if (!range) return;
        const [a, b] = range.map((v) => scale.getPixelForValue(v));
        const at = across ? element.y : element.x;
        context.beginPath();
        if (across) { context.moveTo(a, at); context.lineTo(b, at); for (const x of [a, b]) { context.moveTo(x, at - 4); context.lineTo(x, at + 4); } }
        else { context.moveTo(at, a); context.lineTo(at, b); for (const y of [a, b]) { context.moveTo(at - 4, y); context.lineTo(at + 4, y); } }
        context.stroke();
      });
      context.restore();
    });
  },
};

/// A dashed vertical line at each value of chart.options.marks: where a ratio is 1, where a history changes.
const marks = {
  id: "marks",
  beforeDatasetsDraw(chart) {
    const context = chart.ctx, area = chart.chartArea;
    context.save();
    context.strokeStyle = colour("ink");
    context.setLineDash([4, 3]);
    for (const value of chart.options.marks || []) {
      const x = chart.scales.x.getPixelForValue(value);
      context.beginPath(); context.moveTo(x, area.top); context.lineTo(x, area.bottom); context.stroke();
    }
    context.restore();
  },
};

/// Gives a configuration the colours of the scheme in force. Datasets name theirs as dataset.colour = "c-weights".
function coloured(config) {
  for (const scale of Object.values(config.options.scales)) {
    scale.grid = { ...scale.grid, color: colour("line"), borderColor: colour("line") };
    scale.ticks = { ...scale.ticks, color: colour("soft") };
    if (scale.title) scale.title.color = colour("soft");
  }
  config.options.plugins.legend.labels.color = colour("ink");
  for (const dataset of config.data.datasets) {
    dataset.backgroundColor = colour(dataset.colour);
    dataset.borderColor = config.type === "bar" ? colour("ground") : colour(dataset.colour);
  }
  return config;
}

/// The figures of the page, each a function that draws its chart anew: after a change of the scheme and for the printer.
const figures = [];
function redraw() { figures.forEach((draw) => draw()); }
for (const media of ["(prefers-color-scheme: dark)", "print"]) matchMedia(media).addEventListener("change", redraw);
addEventListener("beforeprint", redraw);
addEventListener("afterprint", redraw);

/// figure({id, title, text, pick, groups}): `groups` are [{label, view()}], of which one is shown; a view is
/// {chart: Chart.js configuration, height in px, summary for screen readers, table: {columns, rows, caption}}.
function figure(parent, spec) {
  const plot = el("div", { class: "plot" }), side = el("div");
  let chart = null, view = null;
  const draw = () => {
    if (chart) chart.destroy();
    const canvas = el("canvas", { role: "img", "aria-label": spec.title + ". " + view.summary, id: spec.id });
    plot.replaceChildren(canvas);
    plot.style.height = view.height + "px";
    const { options, ...rest } = view.chart;
    const legend = { position: "top", align: "start", labels: { boxWidth: 12, boxHeight: 12 } };
    chart = new Chart(canvas, coloured({
      ...rest, plugins: [whiskers, marks],
      options: { responsive: true, maintainAspectRatio: false, animation: false, ...options, plugins: { legend, ...options.plugins } },
    }));
  };
  const show = (index) => {
    view = spec.groups[index].view();
    const numbers = table(view.table.columns, view.table.rows, { caption: view.table.caption }).node;
    numbers.style.setProperty("--tallest", Math.max(view.height, 260) + "px");
    side.replaceChildren(numbers);
    draw();
  };
  const pick = choice(spec.pick, spec.groups.map((group) => group.label), (index) => show(Number(index)));
  parent.append(el("figure", {},
    el("figcaption", {}, el("h3", {}, spec.title), spec.text && el("p", {}, spec.text)),
    pick && el("div", { class: "controls" }, pick),
    el("div", { class: "pair" }, plot, side)));
  show(0);
  figures.push(draw);
}
