"use strict";
// The curve of work against steps, as a map to point at. The slider under it says the same to those who can't see it.

const Curve = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const [WIDE, HIGH] = [1000, 72];
  const make = (name, attributes) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };

  // `scale`: {steps, low, high} where several curves share one; see `extent`.
  function Curve(steps, stages, scale, onStep) {
    const range = scale.high - scale.low || 1;
    const x = (step) => (step / Math.max(scale.steps, 1)) * WIDE;
    const y = (height) => 4 + (1 - (height - scale.low) / range) * (HIGH - 8);
    const svg = make("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true", class: "curve" });
    const outer = stages.filter((stage) => stage.depth === 0);
    for (const stage of outer) {
      svg.append(make("line", { class: "border", x1: x(stage.end), x2: x(stage.end), y1: 0, y2: HIGH }));
    }
    const paths = { flat: "", up: "", down: "" };
    let before = steps.work(0)[2];
    for (let step = 1; step <= steps.count; step += 1) {
      const height = steps.work(step)[2];
      if (before !== null) paths.flat += `M${x(step - 1)} ${y(before)}H${x(step)}`;
      if (before !== null && height !== null && height !== before) {
        paths[height > before ? "up" : "down"] += `M${x(step)} ${y(before)}V${y(height)}`;
      }
      before = height;
    }
    for (const [look, d] of Object.entries(paths)) if (d) svg.append(make("path", { class: look, d }));
    const hits = make("path", { class: "hits", d: "" });
    const now = make("line", { class: "now", y1: 0, y2: HIGH });
    svg.append(hits, now);

    const point = (event) => {
      const box = svg.getBoundingClientRect();
      const at = Math.round(((event.clientX - box.left) / box.width) * scale.steps);
      onStep(Math.max(0, Math.min(steps.count, at)));
    };
    svg.addEventListener("pointerdown", (event) => {
      svg.setPointerCapture(event.pointerId);
      point(event);
    });
    svg.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) point(event);
    });

    return {
      element: svg,
      go(step) {
        now.setAttribute("x1", x(step));
        now.setAttribute("x2", x(step));
      },
      // Ticks at the steps that a search found.
      show: (found) => hits.setAttribute("d", found.map((step) => `M${x(step)} ${HIGH}v-7`).join("")),
    };
  }

  // The scale in which the curves of these steps have room.
  function extent(...all) {
    const heights = [];
    for (const steps of all) {
      for (let step = 0; step <= steps.count; step += 1) {
        const height = steps.work(step)[2];
        if (height !== null) heights.push(height);
      }
    }
    const least = (a, b) => Math.min(a, b);
    const most = (a, b) => Math.max(a, b);
    return {
      steps: all.map((steps) => steps.count).reduce(most, 1),
      low: heights.reduce(least, Infinity),
      high: heights.reduce(most, -Infinity),
    };
  }

  return Object.assign(Curve, { extent });
})();
