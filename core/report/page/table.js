/// Tables: a caption for those who cannot see, headers with scope, numbers to the right, and sorting.

/// Orders two values of a column: numbers by value, texts as people sort them ("world=2" before "world=16"), and what is
/// missing last in either direction.
function order(a, b, direction) {
  const none = (v) => missing(v) || v === "";
  if (none(a) || none(b)) return none(a) - none(b);
  if (typeof a === "number" && typeof b === "number") return direction * (a - b);
  return direction * String(a).localeCompare(String(b), "en", { numeric: true });
}

/// columns: [{title, value(row), show(row) = text or node, number}], the first being the row's header.
/// options: caption, sortable, detail(row) = node to open below it.
function table(columns, rows, options) {
  const body = el("tbody");
  let shown = rows.slice();
  const cell = (column, row, index) => {
    const content = column.show ? column.show(row) : column.value(row);
    return el(index === 0 && !options.plain ? "th" : "td",
      { class: (column.number ? "number" : "wrap") + (column.class ? " " + column.class : ""), scope: index === 0 && !options.plain ? "row" : null },
      missing(content) ? "" : content);
  };
  const fill = () => body.replaceChildren(...shown.map((row) => el("tr", {}, columns.map((c, i) => cell(c, row, i)))));
  const heads = columns.map((column) => el("th", { scope: "col", class: column.number ? "number" : null },
    options.sortable ? el("button", { type: "button", on: { click: () => sort(column) } }, column.title) : column.title));
  function sort(column) {
    const head = heads[columns.indexOf(column)];
    const direction = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    heads.forEach((h) => h.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
    rows = rows.slice().sort((a, b) => order(column.value(a), column.value(b), direction));
    const kept = new Set(shown);
    shown = rows.filter((row) => kept.has(row));
    fill();
  }
  fill();
  const node = el("table", { class: options.class },
    el("caption", { class: "hidden" }, options.caption), el("thead", {}, el("tr", {}, heads)), body);
  return {
    /// The table in a region that scrolls by keyboard too.
    node: el("div", { class: "scroll" + (options.whole ? " whole" : ""), tabindex: 0, role: "region", "aria-label": options.caption }, node),
    /// Shows only the rows that `keep` takes, in the present order; gives their number.
    filter(keep) { shown = rows.filter(keep); fill(); return shown.length; },
  };
}
