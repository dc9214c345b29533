"use strict";
// The current term, drawn; a click on a subterm asks what is possible there. And its derivation, walked.

const TermView = (() => {
  const { get, make } = Dom;
  let [block, key, opened, marks, selected] = [undefined, "", new Set(), [], undefined];
  let [viewer, stale, shown] = [undefined, true, "term"];
  // The number of the derivation that the viewer shows.
  let known = 0;

  const NONE = get("no-term").textContent;
  // What is shown where the core was stopped or gave up.
  const unsaid = (error) => ({ findings: [{ headline: error.stopped ? "stopped" : error.bug ?? error.message }] });

  // Reads the current term anew.
  async function refresh() {
    const term = await Core.ask({ do: "term" }).catch(unsaid);
    const now = JSON.stringify(term.sheet);
    if (now !== key) [key, opened, selected] = [now, new Set(), undefined];
    block = term.sheet ? Sheet.read(term.sheet.blocks)[term.sheet.root] : undefined;
    marks = term.about?.focus ? [[term.about.focus, "focus"]] : [];
    get("work").textContent = term.about?.work ?? "—";
    get("type").textContent = term.about?.type ?? "";
    get("no-term").hidden = Boolean(term.sheet);
    // A term that can't be laid out is one, too.
    get("no-term").textContent = term.findings?.[0]?.headline ?? NONE;
    stale = true;
    draw();
    await walk();
  }

  function draw() {
    if (!block) return get("term").replaceChildren();
    const more = selected ? [[selected, "picked"]] : [];
    Drawing.draw(get("term"), block, { marks: [...marks, ...more], opened, onSubterm: pick });
  }

  // Marks places for a while, such as those of a rewrite that is pointed at.
  function mark(places) {
    if (!block) return;
    Drawing.draw(get("term"), block, { marks: places.map((place) => [place, "redex"]), opened, onSubterm: pick });
  }

  async function pick(address) {
    selected = address;
    draw();
    await Rewrites.ask(address);
  }

  // The derivation, once it is looked at.
  async function walk() {
    if (shown !== "derivation" || !stale) return;
    stale = false;
    const { derivation, number, step, findings } = await Core.ask({ do: "derivation", known }).catch(unsaid);
    if (number === known && viewer) return viewer.go(step);
    viewer?.destroy();
    known = 0;
    viewer = undefined;
    const place = get("walk");
    place.replaceChildren();
    if (!derivation?.steps?.length) {
      const none = "No step was taken yet: run a schedule, then walk through its steps here.";
      place.append(make("p", { className: "muted" }, findings?.[0]?.headline ?? none));
      return;
    }
    known = number;
    viewer = Viewer(place, derivation, { compact: true, onRule: (rule) => Rules.ask(rule), onSubterm: () => {} });
    viewer.go(step);
  }

  function show(panel) {
    shown = panel === "derivation" ? "derivation" : "term";
    return walk();
  }

  const clear = () => {
    selected = undefined;
    draw();
  };

  let width = 0;
  new ResizeObserver(() => {
    const now = get("term").clientWidth;
    if (now !== width) {
      width = now;
      draw();
    }
  }).observe(get("term"));

  return { refresh, draw, mark, show, clear, selected: () => selected };
})();
