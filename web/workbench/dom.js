"use strict";
// Elements out of data. Text is only ever text here: nothing that was typed or read becomes markup.

const Dom = (() => {
  const get = (id) => document.getElementById(id);

  // An element; `properties` are set as such, names with a dash as attributes.
  function make(name, properties = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
      if (key.includes("-") || key === "role" || key === "for") element.setAttribute(key, value);
      else element[key] = value;
    }
    element.append(...children.filter((child) => child !== undefined && child !== null));
    return element;
  }

  // So many pieces of an answer are drawn before one asks for the rest.
  const MOST = 4000;

  // Text in pieces as the core gives it; what shows marks to those who see no looks is left out.
  function pieces(all, most = MOST) {
    const out = document.createDocumentFragment();
    for (const [look, text] of (all ?? []).slice(0, most)) {
      if (look === "mark") continue;
      const name = look.length === 1 ? `r-${look}` : `l-${look}`;
      out.append(look === "" ? text : make("span", { className: name }, text));
    }
    const rest = (all ?? []).slice(most);
    if (rest.length > 0) out.append("\n", button("… all of it", (event) => event.target.replaceWith(pieces(rest, Infinity))));
    return out;
  }

  const button = (text, onclick, more = {}) => make("button", { type: "button", onclick, ...more }, text);

  // A table: heads, and rows of cells, each a text or an element.
  function table(caption, heads, rows) {
    const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text)));
    const row = ([first, ...cells]) => make("tr", {}, make("th", { scope: "row" }, first), ...cells.map((c) => make("td", {}, c)));
    const body = make("tbody", {}, ...rows.map(row));
    const whole = make("table", {}, make("caption", {}, caption), make("thead", {}, head), body);
    return make("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": caption }, whole);
  }

  // Tabs: `list` has buttons whose `aria-controls` names a panel. Gives what shows one by its panel's name.
  function tabs(list, shown = () => {}) {
    const all = [...list.querySelectorAll("[role=tab]")];
    const show = (id, focus = false) => {
      for (const tab of all) {
        const own = tab.getAttribute("aria-controls") === id;
        tab.setAttribute("aria-selected", own);
        tab.tabIndex = own ? 0 : -1;
        get(tab.getAttribute("aria-controls")).hidden = !own;
        if (own && focus) tab.focus();
      }
      shown(id);
    };
    const by = (tab, step) => all[(all.indexOf(tab) + step + all.length) % all.length].getAttribute("aria-controls");
    for (const tab of all) {
      tab.onclick = () => show(tab.getAttribute("aria-controls"));
      tab.onkeydown = (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (step) show(by(tab, step), true);
      };
    }
    return show;
  }

  return { get, make, pieces, button, table, tabs };
})();
