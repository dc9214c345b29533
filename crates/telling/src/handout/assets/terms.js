"use strict";
// The term before a step and the term after it, beside one another or one of them: whole, or what is around the change.

const Terms = (() => {
  const { make, button } = Drawing;
  // So many pieces of a term are drawn, and so many of them off its mark, unless whole terms are asked for.
  const [SOME, AROUND] = [900, 240];
  const VIEWS = ["both", "before", "after"];

  // Fills an element. `onSubterm(address, event, {step, after})` is told of a subterm that is picked.
  function Terms(element, steps, onSubterm) {
    const state = { step: 0, view: "both", whole: false, opened: new Set(), columns: undefined };
    const panels = { before: panel("Before", "redex"), after: panel("After", "contractum") };
    const heading = make("h2", "name");
    const whole = button("Whole", "Show all of a term, or only what is around the change (f)", toggleWhole);
    const views = VIEWS.map((view) => button(view[0].toUpperCase() + view.slice(1), `Show ${view} (b)`, () => setView(view)));
    const group = make("div", "group");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", "Terms shown");
    group.append(...views);
    const head = make("div", "views");
    head.append(heading, group, whole);
    element.append(head, panels.before.element, panels.after.element);

    function setView(view) {
      state.view = view;
      draw();
    }

    function toggleWhole() {
      state.whole = !state.whole;
      state.opened.clear();
      draw();
    }

    // Draws a term; gives what scrolls to its mark.
    function show({ term, name, of, swatch, look }, after, title) {
      const address = state.step > 0 ? steps.step(state.step).address : undefined;
      name.textContent = title;
      term.setAttribute("aria-label", `Term ${title.toLowerCase()}`);
      const work = steps.work(after)[1];
      const change = look === "contractum" && after > 0 ? steps.change(after - 1, after) : undefined;
      of.textContent = work && `work ${change?.look ? `${change.arrow} ` : ""}${work}`;
      of.title = steps.work(after)[0];
      of.className = `of ${change?.look || "muted"}`;
      swatch.hidden = address === undefined;
      const marks = address === undefined ? [] : [[address, look]];
      const room = state.whole ? {} : { budget: SOME, context: marks.length > 0 ? AROUND : SOME };
      const picked = onSubterm && ((at, event) => onSubterm(at, event, { step: state.step, after }));
      state.columns ??= Drawing.columns(term);
      try {
        const how = { marks, opened: state.opened, onSubterm: picked, width: state.columns, ...room };
        const drawn = Drawing.draw(term, steps.term(after), how);
        return () => reveal(term, drawn.marked);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        term.textContent = "This term is too large to draw.";
        return () => {};
      }
    }

    // Draws where the reader is.
    function draw() {
      const start = state.step === 0;
      const both = state.view === "both" && !start;
      panels.before.element.hidden = start || !(both || state.view === "before");
      panels.after.element.hidden = !(start || both || state.view === "after");
      const drawn = [];
      for (const { element, term } of [panels.before, panels.after]) if (element.hidden) term.replaceChildren();
      if (!panels.before.element.hidden) drawn.push(show(panels.before, state.step - 1, "Before"));
      if (!panels.after.element.hidden) drawn.push(show(panels.after, state.step, start ? "At the start" : "After"));
      // Only now each has its height.
      for (const reveals of drawn) reveals();
      whole.setAttribute("aria-pressed", String(state.whole));
      VIEWS.forEach((view, k) => views[k].setAttribute("aria-pressed", String(view === state.view)));
    }

    return {
      heading,
      toggleWhole,
      go(step) {
        state.step = step;
        draw();
      },
      nextView: () => setView(VIEWS[(VIEWS.indexOf(state.view) + 1) % VIEWS.length]),
      // Draws anew for another width.
      resize() {
        state.columns = undefined;
        draw();
      },
    };
  }

  function panel(title, look) {
    const element = make("section", `panel ${look}-panel`);
    const heading = make("h2");
    const swatch = make("span", `swatch ${look}`);
    const name = make("span", "", title);
    const of = make("span", "muted of");
    heading.append(swatch, name, of);
    const term = make("div", "sheet");
    term.tabIndex = 0;
    term.setAttribute("role", "group");
    element.append(heading, term);
    return { element, term, name, of, swatch, look };
  }

  // Scrolls a box so that an element in it is seen, if it isn't.
  function reveal(box, inside) {
    if (!inside) {
      box.scrollTo(0, 0);
      return;
    }
    const [outer, inner] = [box.getBoundingClientRect(), inside.getBoundingClientRect()];
    const above = inner.top - outer.top;
    if (above < 0 || inner.bottom + 2 * inner.height > outer.bottom) box.scrollTop += above - outer.height / 4;
    const left = inner.left - outer.left;
    if (left < 0 || left > outer.width * 0.4) box.scrollLeft += left - outer.width / 8;
  }

  return Terms;
})();
