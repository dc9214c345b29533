"use strict";
// The viewer of a derivation: stages, the term before and after a step, what the step is, and ways to go through the steps.

const Viewer = (() => {
  const { make } = Drawing;
  // So many pieces of a term are drawn, and so many of them off its mark, unless whole terms are asked for.
  const [SOME, AROUND] = [900, 240];
  const VIEWS = ["both", "before", "after"];

  // Options: `onSubterm(address, event, {step, after})`, `onRule(name)`, `onStep(step)`; `compact`, without landmarks of its
  // own; `keys`, where keys are listened to (the element unless given); `scale`, of the curve.
  function Viewer(element, derivation, options = {}) {
    const steps = Steps(derivation);
    const count = steps.count;
    const part = (name, look) => make(options.compact ? "section" : name, look);
    const state = { step: 0, view: "both", whole: false, opened: new Set(), columns: undefined };
    element.classList.add("viewer");
    element.classList.toggle("compact", Boolean(options.compact));

    // The stages.
    const nav = part("nav", "outline");
    nav.setAttribute("aria-label", "Stages");
    const stages = Stages(derivation.stages, steps, go);

    // The terms.
    const main = part("main", "terms");
    main.setAttribute("aria-label", "Terms");
    const panels = { before: panel("Before", "redex"), after: panel("After", "contractum") };
    const views = make("div", "views");
    const heading = make("h2", "name");
    const whole = button("Whole", "Show all of a term, or only what is around the change (f)", () => setWhole(!state.whole));
    const viewButtons = VIEWS.map((view) => button(view[0].toUpperCase() + view.slice(1), `Show ${view} (b)`, () => setView(view)));
    const group = make("div", "group");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", "Terms shown");
    group.append(...viewButtons);
    views.append(heading, group, whole);
    main.append(views, panels.before.element, panels.after.element);

    // What the step is.
    const aside = part("aside", "rule");
    aside.setAttribute("aria-label", "This step");
    aside.tabIndex = 0;
    const said = make("p", "unseen");
    said.setAttribute("aria-live", "polite");

    // The ways through the steps.
    const bar = make("section", "bar");
    bar.setAttribute("aria-label", "Steps");
    const scale = options.scale ?? Curve.extent(steps);
    const curve = Curve(steps, derivation.stages, scale, go);
    const slider = make("input");
    Object.assign(slider, { type: "range", min: 0, max: count, step: 1, value: 0 });
    slider.setAttribute("aria-label", "Step");
    slider.oninput = () => go(slider.valueAsNumber);
    const map = make("div", "map");
    if (scale.high >= scale.low) map.append(curve.element);
    map.append(slider);
    const track = make("div", "track");
    track.append(map);
    // A shorter derivation ends where its curve does.
    track.style.setProperty("--share", String(count / Math.max(scale.steps, 1)));
    const number = make("input", "number");
    Object.assign(number, { type: "text", inputMode: "numeric", value: "0" });
    number.setAttribute("aria-label", `Step, of ${count}`);
    number.onchange = () => go(/^\d+$/.test(number.value.trim()) ? Number(number.value) : state.step);
    const ways = make("div", "ways");
    const first = button("|‹", "First step (Home)", () => go(0));
    const back = button("‹", "Step back (←)", () => go(state.step - 1));
    const on = button("›", "Next step (→)", () => go(state.step + 1));
    const last = button("›|", "Last step (End)", () => go(count));
    const where = make("label", "where");
    where.append(number, make("span", "muted", ` of ${count}`));
    ways.append(first, back, where, on, last);
    bar.append(track, ways, caption(scale));
    const leave = () => aside.focus({ preventScroll: true });
    const search = Search(steps, { at: () => state.step, go, show: curve.show, leave });
    nav.append(search.element, make("h2", "", "Stages"), stages.element);
    const frame = make("div", "frame");
    frame.append(nav, main, aside, bar, said);
    element.replaceChildren(frame);

    function panel(title, look) {
      const box = make("section", `panel ${look}-panel`);
      const heading = make("h2");
      const swatch = make("span", `swatch ${look}`);
      const name = make("span", "", title);
      const of = make("span", "muted of");
      heading.append(swatch, name, of);
      const term = make("div", "sheet");
      term.tabIndex = 0;
      term.setAttribute("role", "group");
      box.append(heading, term);
      return { element: box, term, name, of, swatch, look };
    }

    function button(text, title, onClick) {
      const out = make("button", "", text);
      out.type = "button";
      out.title = title;
      if (!/\w/.test(text)) out.setAttribute("aria-label", title.replace(/ \(.*/, ""));
      out.onclick = onClick;
      return out;
    }

    function setView(view) {
      state.view = view;
      draw();
    }

    function setWhole(on) {
      state.whole = on;
      state.opened.clear();
      draw();
    }

    function show(panel, after, title) {
      const { term, name, look } = panel;
      const address = state.step > 0 ? steps.step(state.step).address : undefined;
      name.textContent = title;
      term.setAttribute("aria-label", `Term ${title.toLowerCase()}`);
      const work = steps.work(after)[1];
      const change = panel === panels.after && after > 0 ? steps.change(after - 1, after) : undefined;
      panel.of.textContent = work && `work ${change?.look ? `${change.arrow} ` : ""}${work}`;
      panel.of.className = `of ${change?.look || "muted"}`;
      panel.swatch.hidden = address === undefined;
      const marks = address === undefined ? [] : [[address, look]];
      const room = state.whole ? {} : { budget: SOME, context: marks.length > 0 ? AROUND : SOME };
      const onSubterm = options.onSubterm && ((at, event) => options.onSubterm(at, event, { step: state.step, after }));
      const block = steps.term(after);
      state.columns ??= Drawing.columns(term);
      try {
        const drawn = Drawing.draw(term, block, { marks, opened: state.opened, onSubterm, width: state.columns, ...room });
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
      VIEWS.forEach((view, k) => viewButtons[k].setAttribute("aria-pressed", String(view === state.view)));
    }

    // Goes to a step, 0 for the start.
    function go(step) {
      state.step = Math.max(0, Math.min(count, Math.round(step) || 0));
      slider.value = String(state.step);
      slider.setAttribute("aria-valuetext", `${state.step} of ${count}`);
      number.value = String(state.step);
      const focus = [first, back, on, last].includes(document.activeElement);
      first.disabled = back.disabled = state.step === 0;
      on.disabled = last.disabled = state.step === count;
      // A button that has just been disabled would lose the keys.
      if (focus && document.activeElement?.disabled !== false) slider.focus();
      said.textContent = Facts.draw(heading, aside, derivation, steps, state.step, options.onRule);
      stages.go(state.step);
      curve.go(state.step);
      search.moved();
      draw();
      options.onStep?.(state.step);
    }

    const keys = {
      ArrowLeft: () => go(state.step - 1),
      ArrowRight: () => go(state.step + 1),
      Home: () => go(0),
      End: () => go(count),
      PageUp: () => go(state.step - 10),
      PageDown: () => go(state.step + 10),
      "/": () => search.focus(),
      n: () => search.next(1),
      N: () => search.next(-1),
      Escape: () => search.clear(),
      b: () => setView(VIEWS[(VIEWS.indexOf(state.view) + 1) % VIEWS.length]),
      f: () => setWhole(!state.whole),
    };
    const listen = (event) => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.target.closest?.("input, textarea, select, dialog, [contenteditable]")) return;
      if (!Object.hasOwn(keys, event.key)) return;
      event.preventDefault();
      keys[event.key]();
    };
    const source = options.keys ?? element;
    source.addEventListener("keydown", listen);

    let width = main.clientWidth;
    const observer = new ResizeObserver(() => {
      if (Math.abs(main.clientWidth - width) < 4) return;
      width = main.clientWidth;
      state.columns = undefined;
      requestAnimationFrame(draw);
    });
    observer.observe(main);
    go(0);

    return {
      go,
      draw,
      count,
      get step() {
        return state.step;
      },
      destroy() {
        observer.disconnect();
        search.stop();
        source.removeEventListener("keydown", listen);
        element.replaceChildren();
      },
    };
  }

  // What the curve shows.
  function caption(scale) {
    const power = (height) => {
      const out = make("span", "", "10");
      out.append(make("sup", "", String(Math.round(height))));
      return out;
    };
    const out = make("p", "caption muted");
    if (scale.high < scale.low) return out;
    out.append("Work against steps, with every size 1000: ", power(scale.low), " to ", power(scale.high));
    return out;
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

  return Viewer;
})();
