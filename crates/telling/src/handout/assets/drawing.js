"use strict";
// Terms drawn: the lines of a sheet as elements, with marks, folds that open, and subterms to be picked by mouse or keys.

const Drawing = (() => {
  const make = (name, look, text) => {
    const element = document.createElement(name);
    if (look) element.className = look;
    if (text !== undefined) element.textContent = text;
    return element;
  };

  // A button; one that is called by signs only is read by its title.
  const button = (text, title, onClick) => {
    const out = make("button", "", text);
    out.type = "button";
    out.title = title;
    if (!/\w/.test(text)) out.setAttribute("aria-label", title.replace(/ \(.*/, ""));
    out.onclick = onClick;
    return out;
  };

  // How many characters fit on a line of an element.
  function columns(element) {
    const probe = make("span", "probe", "0".repeat(64));
    element.append(probe);
    const wide = probe.getBoundingClientRect().width / 64;
    probe.remove();
    const style = getComputedStyle(element);
    const room = element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return wide > 0 ? Math.max(16, Math.floor(room / wide)) : 80;
  }

  // Draws a block into an element, in place of what is there. Options: `marks` [[address, look]…]; `opened`, a set of
  // addresses whose folds are open, kept by the caller; `context`, how many pieces are drawn off the marks; `width` in
  // characters; `onSubterm(address, event)`. Gives {marked: the first element of a mark}.
  function draw(element, block, options = {}) {
    const { opened = new Set(), onSubterm } = options;
    const again = () => draw(element, block, { ...options, opened });
    const nodes = Sheet.shown(block, { ...options, opened });
    const lines = Sheet.lines(nodes, options.width ?? columns(element));
    const owners = new Map();
    const spans = [];
    const rows = lines.map((line) => row(line, spans, owners, Boolean(onSubterm)));
    element.classList.add("term");
    element.replaceChildren(...rows);
    element.onclick = (event) => {
      const node = owners.get(event.target);
      if (node?.folded) {
        opened.add(node.address);
        again();
        const inside = [...element.querySelectorAll("button.fold")].find((fold) => fold.dataset.at.startsWith(node.address));
        (inside ?? element).focus();
      } else if (node && onSubterm && getSelection().isCollapsed) {
        onSubterm(`.${node.address}`, event);
      }
    };
    if (onSubterm) pick(element, nodes, spans, owners, onSubterm);
    return { marked: element.querySelector("mark") };
  }

  // A line: its indentation, then runs of pieces within the same marks. Where no subterm can be picked, what has no look of
  // its own needs no element.
  function row(line, spans, owners, each) {
    const out = make("div", "line");
    if (line.indent > 0) out.append(" ".repeat(line.indent));
    let [into, looks] = [out, ""];
    for (const { text, role, node } of line.pieces) {
      const now = looksOf(node);
      if (now !== looks) {
        looks = now;
        into = out;
        if (looks !== "") out.append((into = make("mark", looks)));
      }
      if (!each && (role === " " || role === "v")) {
        into.append(text);
        continue;
      }
      const span = role === "…" ? fold(text, node) : make("span", role === " " ? "" : `r-${role}`, text);
      owners.set(span, node);
      spans.push(span);
      into.append(span);
    }
    if (line.pieces.length === 0) out.append("\u200b");
    return out;
  }

  // The looks of the marks around a node.
  function looksOf(node) {
    node.within ??= [node.around ? looksOf(node.around) : "", ...node.looks].filter(Boolean).join(" ");
    return node.within;
  }

  function fold(text, node) {
    const button = make("button", "fold", text);
    button.type = "button";
    button.dataset.at = node.address;
    button.title = "Open what is folded";
    button.setAttribute("aria-label", `folded: ${text.slice(2)} subterms; open`);
    return button;
  }

  // Lets subterms be picked: under the mouse; or, once Enter was pressed in the element, by arrows along the tree.
  function pick(element, nodes, spans, owners, onSubterm) {
    const subterms = nodes.filter((node) => node.at !== 0);
    let over;
    const show = (node) => {
      for (let k = over?.from; k < over?.to; k += 1) spans[k].classList.remove("over");
      over = node;
      for (let k = over?.from; k < over?.to; k += 1) spans[k].classList.add("over");
    };
    element.onmouseover = (event) => show(owners.get(event.target));
    element.onmouseleave = () => show(undefined);
    element.onblur = () => show(undefined);
    const beside = (by) => {
      const row = subterms.filter((node) => node.around === over.around);
      return row[row.indexOf(over) + by] ?? over;
    };
    const moves = {
      ArrowUp: () => over.around ?? over,
      ArrowDown: () => subterms.find((node) => node.around === over) ?? over,
      ArrowLeft: () => beside(-1),
      ArrowRight: () => beside(1),
      Escape: () => undefined,
    };
    element.onkeydown = (event) => {
      if (event.target !== element || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === "Enter" && over) onSubterm(`.${over.address}`, event);
      else if (event.key === "Enter") show(subterms.find((node) => node.looks.length > 0) ?? subterms[0]);
      else if (over && event.key in moves) show(moves[event.key]());
      else return;
      event.preventDefault();
      event.stopPropagation();
      if (over) spans[over.from]?.scrollIntoView({ block: "nearest", inline: "nearest" });
      element.setAttribute("aria-description", over ? `at .${over.address}` : "");
    };
  }

  return { draw, columns, make, button };
})();
