"use strict";
// The ways through the steps: the curve of the work as a map, a slider, buttons, a number.

const Ways = (() => {
  const { make, button } = Drawing;

  // Fills an element; `scale` is the curve's, `go` leads to a step.
  function Ways(element, steps, stages, scale, go) {
    const count = steps.count;
    let now = 0;
    const curve = Curve(steps, stages, scale, go);
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
    number.onchange = () => go(/^\d+$/.test(number.value.trim()) ? Number(number.value) : now);
    const first = button("|‹", "First step (Home)", () => go(0));
    const back = button("‹", "Step back (←)", () => go(now - 1));
    const on = button("›", "Next step (→)", () => go(now + 1));
    const last = button("›|", "Last step (End)", () => go(count));
    const where = make("label", "where");
    where.append(number, make("span", "muted", ` of ${count}`));
    const ways = make("div", "ways");
    ways.append(first, back, where, on, last);
    element.append(track, ways, caption(scale));

    return {
      show: curve.show,
      go(step) {
        now = step;
        slider.value = number.value = String(step);
        slider.setAttribute("aria-valuetext", `${step} of ${count}`);
        const focus = [first, back, on, last].includes(document.activeElement);
        first.disabled = back.disabled = step === 0;
        on.disabled = last.disabled = step === count;
        // A button that has just been disabled would lose the keys.
        if (focus && document.activeElement?.disabled !== false) slider.focus();
        curve.go(step);
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

  return Ways;
})();
