"use strict";
// The viewer of a derivation: stages, the term before and after a step, what the step is, and ways to go through the steps.

const Viewer = (() => {
  const { make } = Drawing;

  // Options: `onSubterm(address, event, {step, after})`, `onRule(name)`, `onStep(step)`; `compact`, without landmarks of its
  // own; `keys`, where keys are listened to (the element unless given); `scale`, of the curve.
  function Viewer(element, derivation, options = {}) {
    const steps = Steps(derivation);
    const count = steps.count;
    let now = 0;
    element.classList.add("viewer");
    element.classList.toggle("compact", Boolean(options.compact));

    const part = (name, look, label) => {
      const out = make(options.compact ? "section" : name, look);
      out.setAttribute("aria-label", label);
      return out;
    };
    const nav = part("nav", "outline", "Stages");
    const main = part("main", "terms", "Terms");
    const aside = part("aside", "rule", "This step");
    aside.tabIndex = 0;
    const bar = part("section", "bar", "Steps");
    const said = make("p", "unseen");
    said.setAttribute("aria-live", "polite");

    const stages = Stages(derivation.stages, steps, go);
    const terms = Terms(main, steps, options.onSubterm);
    const ways = Ways(bar, steps, derivation.stages, options.scale ?? Curve.extent(steps), go);
    const leave = () => aside.focus({ preventScroll: true });
    const search = Search(steps, { at: () => now, go, show: ways.show, leave });
    nav.append(search.element, make("h2", "", "Stages"), stages.element);
    const frame = make("div", "frame");
    frame.append(nav, main, aside, bar, said);
    element.replaceChildren(frame);

    // What is said of a step is made anew for the one that a link in it leads to.
    function follow(step) {
      go(step);
      leave();
    }

    // Goes to a step, 0 for the start.
    function go(step) {
      now = Math.max(0, Math.min(count, Math.round(step) || 0));
      ways.go(now);
      said.textContent = Facts.draw(terms.heading, aside, derivation, steps, now, { go: follow, onRule: options.onRule });
      stages.go(now);
      search.moved();
      terms.go(now);
      options.onStep?.(now);
    }

    const keys = {
      ArrowLeft: () => go(now - 1),
      ArrowRight: () => go(now + 1),
      Home: () => go(0),
      End: () => go(count),
      PageUp: () => go(now - 10),
      PageDown: () => go(now + 10),
      "/": () => search.focus(),
      n: () => search.next(1),
      N: () => search.next(-1),
      Escape: () => search.clear(),
      b: terms.nextView,
      f: terms.toggleWhole,
    };
    const deaf = listen(options.keys ?? element, keys);
    const unwatched = watch(main, terms.resize);
    go(0);

    return {
      go,
      count,
      get step() {
        return now;
      },
      destroy() {
        unwatched();
        search.stop();
        deaf();
        element.replaceChildren();
      },
    };
  }

  // Does what keys say that are pressed in an element and mean nothing else there, as they do where that gives false; gives
  // what ends that.
  function listen(source, keys) {
    const heard = (event) => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.target.closest?.("input, textarea, select, [contenteditable]")) return;
      const dialog = event.target.closest?.("dialog");
      if (dialog && !dialog.contains(source)) return;
      if (Object.hasOwn(keys, event.key) && keys[event.key]() !== false) event.preventDefault();
    };
    source.addEventListener("keydown", heard);
    return () => source.removeEventListener("keydown", heard);
  }

  // Tells when an element has another width; gives what ends that.
  function watch(element, resized) {
    let width = element.clientWidth;
    const observer = new ResizeObserver(() => {
      if (Math.abs(element.clientWidth - width) < 4) return;
      width = element.clientWidth;
      requestAnimationFrame(resized);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }

  return Viewer;
})();
