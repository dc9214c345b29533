"use strict";
// Two derivations of one term side by side: what they have in common is gone through together, and the rest step by step as
// far as each goes.

const Sides = (() => {
  const { make, button } = Drawing;

  // Fills an element, which becomes a grid of two columns. Options: `keys`, where the keys of the first are listened to;
  // `onSteps(steps)`.
  function Sides(element, { sides, parts, meet }, { keys, onSteps = () => {} } = {}) {
    const all = sides.map((side) => Steps(side));
    const scale = Curve.extent(...all);
    const viewers = [];
    let [together, busy] = [true, false];

    const link = button("Together", "Go through both at once", () => {
      together = !together;
      link.setAttribute("aria-pressed", String(together));
    });
    link.setAttribute("aria-pressed", "true");
    const same = sides.every((side) => side.steps.length === parts);
    const part = button("Where they part", "Go to the first step that isn't the same", () => go([parts + 1, parts + 1]));
    part.disabled = same;
    const parting = make("div", "parting");
    parting.append(make("p", "", same ? "They are the same." : `${common(parts)}${meet ? ` ${meet}` : ""}`), part, link);

    const boxes = sides.map((side) => {
      const box = make("div");
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", side.schedule);
      return box;
    });
    element.classList.add("sides");
    element.replaceChildren(parting, ...sides.map((side) => make("h2", "mono", side.schedule)), ...boxes);

    const went = (k) => (step) => {
      if (together && !busy && viewers.length === 2) {
        busy = true;
        viewers[1 - k].go(step);
        busy = false;
      }
      if (!busy) onSteps(viewers.map((viewer) => viewer.step));
    };
    sides.forEach((side, k) => {
      viewers.push(Viewer(boxes[k], side, { compact: true, keys: k === 0 ? keys : undefined, scale, onStep: went(k) }));
    });

    // Each to a step of its own.
    function go(steps) {
      busy = true;
      viewers.forEach((viewer, k) => viewer.go(steps[k] ?? steps[0]));
      busy = false;
      onSteps(viewers.map((viewer) => viewer.step));
    }

    return {
      go,
      counts: viewers.map((viewer) => viewer.count),
      destroy() {
        viewers.forEach((viewer) => viewer.destroy());
        element.replaceChildren();
      },
    };
  }

  function common(parts) {
    if (parts === 0) return "They part at the first step.";
    return `The first ${parts === 1 ? "step is" : `${parts} steps are`} the same.`;
  }

  return Sides;
})();
