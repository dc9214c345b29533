"use strict";
// The page: unpacks the derivation, or the two that are compared, and puts the viewer around it in place of the static text.

const Page = (() => {
  const { make } = Drawing;
  const THEME = "redexter-theme";

  // What a browser refuses (a page from a disk may keep nothing) is done without.
  const attempt = (action) => {
    try {
      return action();
    } catch {
      return undefined;
    }
  };

  async function unpacked(text) {
    const bytes = Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }

  async function start() {
    const root = document.documentElement;
    const kept = attempt(() => localStorage.getItem(THEME));
    if (kept === "light" || kept === "dark") root.dataset.theme = kept;
    const data = await unpacked(document.getElementById("data").textContent);
    const page = make("div");
    page.id = "page";
    const word = make("p", "word");
    word.setAttribute("role", "status");
    const body = make("div", "body");
    page.append(header(data), word, body);
    document.getElementById("static").before(page);
    root.classList.add("ready");
    const ways = data.sides ? comparison(body, data) : one(body, data);
    follow(ways, word);
    document.addEventListener("keydown", (event) => {
      const typing = event.target.closest?.("input:not([type=range]), textarea, select, dialog");
      if (event.key === "?" && !typing) document.getElementById("help").showModal();
    });
  }

  function one(body, derivation) {
    let told = () => {};
    const viewer = Viewer(body, derivation, { keys: document, onStep: (step) => told(String(step)) });
    return {
      go: ([step]) => viewer.go(step),
      counts: [viewer.count],
      tell: (tell) => (told = tell),
    };
  }

  // Two viewers; what they have in common is gone through together, and the rest step by step as far as each goes.
  function comparison(body, { sides, parts, meet }) {
    let told = () => {};
    let together = true;
    let busy = false;
    const box = make("main", "sides");
    const parting = make("div", "parting");
    const all = sides.map((side) => Steps(side));
    const scale = Curve.extent(...all);
    const words = parts === 0 ? "They part at the first step." : `The first ${parts === 1 ? "step is" : `${parts} steps are`} the same.`;
    const same = sides.every((side) => side.steps.length === parts);
    const met = meet ? ` ${meet}` : "";
    const link = make("button", "", "Together");
    link.setAttribute("aria-pressed", "true");
    link.title = "Go through both at once";
    link.onclick = () => {
      together = !together;
      link.setAttribute("aria-pressed", String(together));
    };
    const part = make("button", "", "Where they part");
    part.disabled = same;
    part.onclick = () => viewers.forEach((viewer) => viewer.go(parts + 1));
    parting.append(make("p", "", same ? "They are the same." : words + met), part, link);
    const elements = sides.map((side) => {
      const heading = make("h2", "mono", side.schedule);
      const element = make("div");
      element.setAttribute("role", "group");
      element.setAttribute("aria-label", side.schedule);
      return [heading, element];
    });
    box.append(parting, ...elements.map(([heading]) => heading), ...elements.map(([, element]) => element));
    body.append(box);
    const viewers = [];
    sides.forEach((side, k) => {
      const onStep = (step) => {
        if (together && !busy && viewers.length === 2) {
          busy = true;
          viewers[1 - k].go(step);
          busy = false;
        }
        if (!busy) told(viewers.map((viewer) => viewer.step).join(","));
      };
      viewers.push(Viewer(elements[k][1], side, { compact: true, keys: k === 0 ? document : undefined, scale, onStep }));
    });
    return {
      go: (steps) => {
        const linked = together;
        together = false;
        viewers.forEach((viewer, k) => viewer.go(steps[k] ?? steps[0]));
        together = linked;
      },
      counts: viewers.map((viewer) => viewer.count),
      tell: (tell) => (told = tell),
    };
  }

  // The step in the address of the page: followed, and written when the reader has stayed with a step.
  function follow(ways, word) {
    let [waiting, written] = [undefined, undefined];
    const read = () => {
      if (location.hash === written) return;
      const given = /^#step=(\d{1,9}(?:,\d{1,9})?)$/.exec(location.hash)?.[1].split(",").map(Number);
      const most = Math.max(...ways.counts);
      const fits = given?.every((step, k) => step <= (given.length > 1 ? ways.counts[k] : most));
      ways.go(fits ? given : [0]);
      const wrong = location.hash.length > 1 && !fits;
      word.textContent = wrong ? `The link's “${attempt(() => decodeURIComponent(location.hash.slice(1, 60))) ?? ""}” names no step here; this is the start.` : "";
    };
    read();
    ways.tell((steps) => {
      clearTimeout(waiting);
      word.textContent = "";
      waiting = setTimeout(() => {
        written = `#step=${steps}`;
        attempt(() => history.replaceState(null, "", written));
      }, 200);
    });
    addEventListener("hashchange", read);
  }

  function header(data) {
    const sides = data.sides ?? [data];
    const out = make("header");
    const titles = make("div", "titles");
    const title = data.title ?? sides.map((side) => side.title).filter((text, k, all) => all.indexOf(text) === k).join(" / ");
    const schedule = make("p", "schedule mono", data.sides ? sides[0].model : sides[0].schedule);
    titles.append(make("h1", "", title), schedule);
    const actions = make("div", "actions");
    const about = dialog("about", "This derivation", told(sides));
    const help = dialog("help", "Keys", keys());
    const theme = make("button", "quiet", "Theme");
    theme.title = "Light or dark";
    theme.onclick = () => {
      const dark = matchMedia("(prefers-color-scheme: dark)").matches;
      const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
      const next = now === "dark" ? "light" : "dark";
      document.documentElement.dataset.theme = next;
      attempt(() => localStorage.setItem(THEME, next));
    };
    actions.append(opener("About", about), opener("Help", help), theme);
    out.append(titles, actions);
    document.body.append(about, help);
    return out;
  }

  function opener(text, box) {
    const button = make("button", "quiet", text);
    button.setAttribute("aria-haspopup", "dialog");
    button.onclick = () => box.showModal();
    return button;
  }

  function dialog(id, title, inside) {
    const box = make("dialog");
    box.id = id;
    box.setAttribute("aria-label", title);
    const close = make("button", "close", "Close");
    close.onclick = () => box.close();
    box.append(close, make("h2", "", title), ...inside);
    return box;
  }

  // The rest that is known of derivations, and their sources.
  function told(sides) {
    const out = [];
    for (const side of sides) {
      for (const [title, text] of [["Model", side.model], ["Schedule", side.schedule], ["Type", side.type]]) {
        if (text) out.push(make("h3", "", title), make("p", "mono", text));
      }
      if (side.stopped) out.push(make("h3", "", "Stopped"), make("p", "", side.stopped));
    }
    for (const [title, text] of [["The model’s file", sides[0].source], ["The script", sides[0].script]]) {
      if (!text) continue;
      const pre = make("pre", "", text);
      pre.tabIndex = 0;
      out.push(make("h3", "", title), pre);
    }
    return out;
  }

  function keys() {
    const list = make("dl");
    const rows = [
      ["← →", "a step back or on"],
      ["PageUp PageDown", "ten steps"],
      ["Home End", "the start, the end"],
      ["/", "search for a rule or a text; Enter goes to the first step found, n and N to the next and the last"],
      ["Esc", "out of the search, which goes on; again: no search"],
      ["b", "both terms, the one before, the one after"],
      ["f", "whole terms, or what is around the change"],
      ["?", "this list"],
    ];
    for (const [names, text] of rows) {
      const term = make("dt");
      for (const name of names.split(" ")) term.append(make("kbd", "", name), " ");
      list.append(term, make("dd", "", text));
    }
    return [list];
  }

  return { start };
})();

Page.start().catch((error) => {
  const word = document.createElement("p");
  word.setAttribute("role", "status");
  word.textContent = `The steps can't be shown by this browser (${error.message}); here is an overview.`;
  document.getElementById("static")?.prepend(word);
  document.documentElement.classList.remove("ready");
  console.error(error);
});
