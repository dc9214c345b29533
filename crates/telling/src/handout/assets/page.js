"use strict";
// The page: unpacks the derivation, or the two that are compared, and puts the viewer around it in place of the static text.

const Page = (() => {
  const { make } = Drawing;
  const { attempt } = Browser;

  async function start() {
    Browser.theme();
    const data = JSON.parse(Browser.decoded(await Browser.data("data")));
    const page = make("div");
    page.id = "page";
    const word = make("p", "word");
    word.setAttribute("role", "status");
    const body = make("div", "body");
    page.append(header(data), word, body);
    document.getElementById("static").before(page);
    document.documentElement.classList.add("ready");
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

  function comparison(body, data) {
    let told = () => {};
    const box = make("main");
    body.append(box);
    const { go, counts } = Sides(box, data, { keys: document, onSteps: (steps) => told(steps.join(",")) });
    return { go, counts, tell: (tell) => (told = tell) };
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
    theme.onclick = Browser.otherTheme;
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
