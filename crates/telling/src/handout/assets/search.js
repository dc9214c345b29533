"use strict";
// The search among steps: a field, where to look, how many were found, and the next one.

const Search = (() => {
  const { make } = Drawing;

  // `ways`: {at(), the step where the reader is; go(step); show(steps found); leave(), to where keys are listened to}.
  function Search(steps, ways) {
    const box = make("form", "search");
    box.setAttribute("role", "search");
    const field = make("input");
    field.type = "search";
    field.placeholder = "Search (/)";
    field.setAttribute("aria-label", "Search for a rule, or a text in terms");
    const scope = make("select");
    scope.setAttribute("aria-label", "Where to search");
    for (const [value, text] of [["changes", "in changes"], ["terms", "in whole terms"]]) {
      const choice = make("option", "", text);
      choice.value = value;
      scope.append(choice);
    }
    const before = make("button", "", "↑");
    before.setAttribute("aria-label", "Step found before this");
    before.title = "Step found before this (N)";
    const behind = make("button", "", "↓");
    behind.setAttribute("aria-label", "Next step found");
    behind.title = "Next step found (n)";
    before.type = behind.type = "button";
    const told = make("span", "told muted");
    told.setAttribute("role", "status");
    box.append(field, scope, before, behind, told);

    let found = [];
    let run = 0;
    let searching = false;
    // Where to go once the search has ended.
    let awaited = 0;
    before.onclick = () => next(-1);
    behind.onclick = () => next(1);
    field.oninput = scope.onchange = begin;
    box.onsubmit = (event) => {
      event.preventDefault();
      asked(1);
    };
    field.onkeydown = (event) => {
      const isBack = event.key === "Enter" && event.shiftKey;
      if (event.key !== "Escape" && !isBack) return;
      // Else the browser clears the field at Escape.
      event.preventDefault();
      asked(isBack ? -1 : 0);
    };

    async function begin() {
      run += 1;
      const mine = run;
      const text = field.value;
      found = [];
      awaited = 0;
      searching = text !== "";
      if (!searching) {
        told.textContent = "";
        ways.show([]);
        moved();
        mark();
        return;
      }
      told.textContent = "…";
      moved();
      const rest = (step) => {
        if (mine === run) told.textContent = `… ${Math.floor((100 * step) / steps.count)} %`;
        return new Promise((resolve) => setTimeout(() => resolve(mine === run), 0));
      };
      const all = await steps.search(text, scope.value === "terms", rest);
      if (mine !== run || !all) return;
      found = all;
      searching = false;
      ways.show(found);
      moved();
      mark();
      if (awaited !== 0) next(awaited);
    }

    // Goes in a direction, or nowhere; and out of the field, so that n and N are keys and no text.
    function asked(by) {
      if (searching) awaited = by;
      else if (by !== 0) next(by);
      ways.leave();
    }

    // Whether there was anything.
    function clear() {
      const had = field.value !== "";
      field.value = "";
      begin();
      return had;
    }

    // The next step found in a direction, around the ends.
    function next(by) {
      if (found.length === 0) return;
      const at = ways.at();
      const beyond = by > 0 ? found.find((step) => step > at) : found.findLast((step) => step < at);
      ways.go(beyond ?? found.at(by > 0 ? 0 : -1));
    }

    function moved() {
      const off = found.length === 0;
      before.disabled = behind.disabled = off;
      if (field.value === "" || searching) return;
      const at = found.indexOf(ways.at());
      told.textContent = off ? "not found" : at < 0 ? `${found.length} steps` : `${at + 1} of ${found.length}`;
      mark();
    }

    // Marks what was found in the terms that are drawn.
    function mark() {
      if (!globalThis.CSS?.highlights) return;
      requestAnimationFrame(() => {
        const ranges = [];
        const terms = box.closest(".viewer")?.querySelectorAll(".sheet .line") ?? [];
        for (const line of field.value === "" ? [] : terms) ranges.push(...occurrences(line, field.value));
        CSS.highlights.set("found", new Highlight(...ranges));
      });
    }

    before.disabled = behind.disabled = true;
    return {
      element: box,
      next,
      moved,
      focus: () => field.select(),
      clear,
      stop: () => (run += 1),
    };
  }

  // Where a text stands in a line, at most 20 times.
  function occurrences(line, text) {
    const out = [];
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    const nodes = [];
    let length = 0;
    while (walker.nextNode()) {
      nodes.push([walker.currentNode, length]);
      length += walker.currentNode.data.length;
    }
    const whole = line.textContent;
    for (let at = whole.indexOf(text); at >= 0 && out.length < 20; at = whole.indexOf(text, at + text.length)) {
      const range = new Range();
      const [from] = nodes.filter(([, start]) => start <= at).slice(-1);
      const [to] = nodes.filter(([, start]) => start < at + text.length).slice(-1);
      range.setStart(from[0], at - from[1]);
      range.setEnd(to[0], at + text.length - to[1]);
      out.push(range);
    }
    return out;
  }

  return Search;
})();
