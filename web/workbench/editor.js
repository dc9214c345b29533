"use strict";
// A text area with its text in looks below it, findings in place, and completion. The looks come from the core.

const Editor = (() => {
  const { make, pieces } = Dom;
  const PAUSE = 200;

  // Options: `id`, `label`, `language`, `changed(text)`, `keys` {"Ctrl-Enter": action}, `name()` of the file that the text
  // is, `sources()`, by which findings name this text.
  function create(element, { id, label, language, changed = () => {}, keys = {}, name = () => "", sources = () => [name()] }) {
    const layer = make("pre", { className: "layer", "aria-hidden": "true" });
    const area = make("textarea", {
      id, spellcheck: false, autocapitalize: "off", autocomplete: "off", "aria-label": label, "aria-describedby": `${id}-wrong`,
      title: `${label}: Ctrl-Enter runs; Tab or Ctrl-Space completes a word; Esc, then Tab leaves`,
    });
    area.setAttribute("autocorrect", "off");
    const wrong = make("div", { className: "wrong", id: `${id}-wrong`, role: "status" });
    const list = make("ul", { className: "candidates", hidden: true, role: "listbox", id: `${id}-list` });
    element.classList.add("editor");
    element.append(make("div", { className: "paper" }, layer, area, list), wrong);
    let [timer, round] = [0, 0];
    // Whether a run found something: what is found by reading alone doesn't take its place.
    let held = false;
    const completion = Completion.create(area, list, () => typed());

    const plain = () => layer.replaceChildren(area.value + "\n");
    async function look() {
      round += 1;
      const now = round;
      const text = area.value;
      const answer = await Core.ask({ do: "tokens", text, language }).catch(() => ({}));
      if (now !== round) return;
      if (answer.pieces) layer.replaceChildren(pieces(answer.pieces, Infinity), "\n");
      const looked = await Core.ask({ do: "check", text, language, name: name() }).catch(() => ({}));
      if (now === round && !held) show(looked.findings ?? []);
    }
    const found = (findings, offset) => {
      held = findings.length > 0;
      show(findings, offset);
    };

    const isHere = (place) => sources().includes(place.source);

    // Findings: lines below the text; a place of this text is underlined there.
    function show(findings, offset = 0) {
      wrong.replaceChildren(...findings.slice(0, 4).map((finding) => told(finding, offset)));
      const places = findings.flatMap((finding) => finding.places.slice(0, 1).filter(isHere));
      underline(places.map(({ start, end }) => [start + offset, Math.max(end, start + 1) + offset]));
    }

    function told(finding, offset) {
      const [place] = finding.places;
      const go = () => {
        area.focus();
        area.setSelectionRange(place.start + offset, Math.max(place.end, place.start) + offset);
      };
      const line = () => area.value.slice(0, place.start + offset).split("\n").length;
      const where = place && (isHere(place)
        ? make("button", { type: "button", className: "quiet place", onclick: go }, `line ${line()}`)
        : `${place.source}, line ${place.line}:`);
      const help = finding.help.slice(0, 1).map((text) => make("span", { className: "muted" }, ` ${text}`));
      return make("p", { className: `finding ${finding.severity}` }, where, ` ${finding.headline}`, ...help);
    }

    // The underlines stand in a layer of ranges, where the browser has them; the lines below say the same.
    function underline(ranges) {
      if (!("highlights" in CSS)) return;
      const nodes = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT);
      const all = [];
      for (let [at, node] = [0, nodes.nextNode()]; node; node = nodes.nextNode()) {
        const length = node.data.length;
        for (const [start, end] of ranges.filter(([start, end]) => start < at + length && end > at)) {
          all.push(new StaticRange({
            startContainer: node, startOffset: Math.max(0, start - at), endContainer: node, endOffset: Math.min(length, end - at),
          }));
        }
        at += length;
      }
      CSS.highlights.set(`wrong-${id}`, new Highlight(...all));
    }

    function typed() {
      held = false;
      plain();
      underline([]);
      grow();
      changed(area.value);
      clearTimeout(timer);
      timer = setTimeout(look, PAUSE);
    }
    const grow = () => {
      const lines = area.value.split("\n").length;
      area.rows = Math.min(Math.max(lines, 3), 16);
    };
    area.oninput = () => {
      typed();
      completion.follow();
    };
    area.onscroll = () => {
      layer.scrollTop = area.scrollTop;
      layer.scrollLeft = area.scrollLeft;
    };
    area.onblur = () => completion.leave();
    area.onkeydown = (event) => {
      const name = `${event.ctrlKey || event.metaKey ? "Ctrl-" : ""}${event.key}`;
      if (completion.key(event)) return event.preventDefault();
      if (keys[name]) {
        event.preventDefault();
        keys[name]();
      }
    };

    return {
      area,
      get text() { return area.value; },
      set text(text) {
        area.value = text;
        held = false;
        round += 1;
        plain();
        grow();
        show([]);
        clearTimeout(timer);
        timer = setTimeout(look, 0);
      },
      show: found,
    };
  }

  return { create };
})();
