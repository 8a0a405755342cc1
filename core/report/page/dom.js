const DATA = JSON.parse(document.getElementById("data").textContent);

/// Makes an element. Texts become text nodes and attributes are set by name, so that no text of a suite or plugin is ever
/// read as HTML. A child that is null, undefined or false is left out.
function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, handler] of Object.entries(value)) node.addEventListener(event, handler);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat())
    if (child !== null && child !== undefined && child !== false) node.append(child);
  return node;
}

/// A text that may be broken after each '/': ids of cases.
function breakable(text) { return text.split(/(?<=\/)/).flatMap((part) => [part, el("wbr")]).slice(0, -1); }

/// A section of the page with its entry in the list of contents.
function section(id, title, intro) {
  const node = el("section", { id, "aria-labelledby": id + "-title" },
    el("h2", { id: id + "-title" }, title), intro && el("p", {}, intro));
  document.getElementById("main").append(node);
  document.getElementById("contents").append(el("li", {}, el("a", { href: "#" + id }, title)));
  return node;
}

/// A labelled choice; `chosen(value)` is called for each change. Nothing where there is nothing to choose.
function choice(label, options, chosen) {
  if (options.length < 2) return null;
  const select = el("select", { on: { change: () => chosen(select.value) } },
    options.map((text, index) => el("option", { value: index }, text)));
  return el("label", {}, label, select);
}
