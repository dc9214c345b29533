"use strict";
// What could follow, below the line that is typed: asked for by Tab or Ctrl-Space, taken by Tab or Enter.

const Completion = (() => {
  const { make } = Dom;
  const SHOWN = 12;

  // For a text area or an input; `changed` is called when something was taken.
  function create(area, list, changed) {
    let [open, at, start, all] = [false, 0, 0, []];
    // Whether something was just typed that Tab completes; else it moves on.
    let fresh = false;
    area.setAttribute("role", "combobox");
    area.setAttribute("aria-autocomplete", "list");
    area.setAttribute("aria-expanded", "false");
    area.setAttribute("aria-controls", list.id);

    const lineBefore = () => area.value.slice(0, area.selectionStart).split("\n").at(-1);

    // Only who pressed a key for it has the one candidate put in.
    async function ask(byKey) {
      const text = lineBefore();
      const answer = await Core.ask({ do: "complete", text }).catch(() => undefined);
      // Something was typed meanwhile, which another answer is for.
      if (text !== lineBefore()) return;
      if (!answer?.candidates) return leave();
      all = answer.candidates.slice(0, SHOWN).filter((word) => word !== text.slice(answer.start));
      start = area.selectionStart - (text.length - answer.start);
      at = 0;
      if (all.length === 0) return leave();
      if (byKey && all.length === 1) return take(0);
      open = true;
      draw();
    }

    function draw() {
      const option = (word, k) => make("li", {
        role: "option", id: `${list.id}-${k}`, "aria-selected": String(k === at),
        onmousedown: (event) => {
          event.preventDefault();
          take(k);
        },
      }, word);
      list.replaceChildren(...all.map(option));
      list.hidden = false;
      area.setAttribute("aria-expanded", "true");
      area.setAttribute("aria-activedescendant", `${list.id}-${at}`);
    }

    // Tab moves on, until something is typed again.
    function leave() {
      fresh = false;
      close();
    }

    function close() {
      open = false;
      list.hidden = true;
      area.setAttribute("aria-expanded", "false");
      area.removeAttribute("aria-activedescendant");
    }

    function take(k) {
      area.setRangeText(all[k], start, area.selectionStart, "end");
      close();
      changed();
    }

    // Whether a key was for the list.
    function key(event) {
      if (/^(Escape|Arrow|Home|End|Page)/.test(event.key)) fresh = false;
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.ctrlKey && event.key === " ") return ask(true), true;
      if (open && plain) {
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
          at = (at + (event.key === "ArrowDown" ? 1 : all.length - 1)) % all.length;
          return draw(), true;
        }
        if ((event.key === "Tab" && !event.shiftKey) || event.key === "Enter") return take(at), true;
        if (event.key === "Escape") return close(), true;
      }
      if (event.key === "Tab" && plain && !event.shiftKey && fresh && /[\w:.@"/']$/.test(lineBefore())) return ask(true), true;
      return false;
    }

    function follow() {
      fresh = true;
      if (open) ask(false);
    }

    return { key, leave, follow };
  }

  return { create };
})();
