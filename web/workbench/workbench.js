"use strict";
// The workbench: starts the core, keeps the page in step with the session, and what the buttons at the top do.

const Panels = (() => {
  const { get, tabs } = Dom;
  const show = tabs(get("panels"));
  const views = tabs(get("views"), (id) => TermView.show(id));
  return { show, view: views };
})();

const Workbench = (() => {
  const { get } = Dom;
  let [state, timer] = [{ step: 0, log: [] }, 0];
  // Whether what is shown came by a link, whether it was said that there is no room for it, whether the session is gone.
  let [lent, full, isLost, isNew] = [false, false, false, false];

  const status = (text) => (get("status").textContent = get("status").title = text);

  // Everything that shows the session, read anew.
  async function refresh() {
    state = await Core.ask({ do: "state" });
    get("undo").disabled = !state.undo;
    get("redo").disabled = !state.redo;
    get("continue").disabled = !state.pending;
    get("steps").textContent = state.term ? `step ${state.step}${state.pending ? ", more pending" : ""}` : "";
    Past.show(state);
    await TermView.refresh();
  }

  async function names() {
    const { rules } = await Core.ask({ do: "names" });
    if (rules) Rules.read(rules);
  }

  async function heard(line, answer) {
    Lessons.heard(line, answer);
    if (answer.kind === "possible") Rewrites.show(answer.data);
    if (/^:(at|up|down|left|right|top)\b/.test(line)) Rewrites.clear();
    if (!answer.changed && !/^:(at|up|down|left|right|top|break|unbreak|tag|find|goto|undo|redo|step|stop|lesson)\b/.test(line)) return;
    if (answer.changed && answer.kind !== "possible") Rewrites.clear();
    if (answer.kind === "model" || answer.kind === "script" || answer.kind === "text") await names();
    await refresh();
    // What was picked in a lesson is a schedule, too, to be gone on with in either way.
    if (state.picked && /^:(take|undo|redo)\b/.test(line)) Program.propose(state.picked);
    keep();
    status(`${told(line, answer)}`.slice(0, 120));
  }

  // What the status says of an answer: of a run how it ended, what it did to the work, else the first line.
  function told(line, { kind, text }) {
    const lines = (text.map(([, words]) => words).join("") || line).split("\n");
    const end = kind === "run" ? lines.findLast((words) => /^(done|failed|stopped|\d+ steps? )/.test(words)) : undefined;
    return end ? `${end}; work ${get("work").textContent}` : lines[0];
  }

  // The browser keeps the session, a while after it changed.
  function keep() {
    clearTimeout(timer);
    if (isLost) return;
    timer = setTimeout(async () => {
      if (Core.isBusy()) return keep();
      const all = await whole();
      if (!all || isLost) return;
      const wasFull = full;
      full = !Files.keep(all, lent);
      if (full && !wasFull) status("the browser keeps nothing of this size: save the session to a file");
    }, 400);
  }

  // What the browser kept stays where the session is gone.
  function gone(text, lost) {
    status(text);
    isLost ||= lost;
    if (lost) refresh().catch(() => {}).then(() => status(text));
  }

  // What is typed and the session; undefined where that can't be saved, so that what was kept before stays.
  async function whole() {
    const saved = await Core.ask({ do: "save" }).catch(() => ({}));
    return typeof saved.text === "string" ? { ...Program.kept(), ...Lessons.kept(), session: saved.text, record: saved.record } : undefined;
  }

  // Goes on from a state that a link holds or the browser kept.
  async function restore(from) {
    const session = from.session || undefined;
    await Program.restore(from, session);
    let isWhole = true;
    if (session) {
      const answer = await Core.ask({ do: "restore", text: session, record: from.record }).catch(() => undefined);
      isWhole = answer?.findings.length === 0;
      if (answer?.trouble.length > 0) Lines.note("what was kept", answer);
    }
    await Program.definitions();
    await names();
    await refresh();
    if (!isWhole) status("not all of the session could be brought back");
    else status(session ? `the session is as it was, at step ${state.step}` : "ready");
    await Lessons.restore(from.lesson);
  }

  async function first() {
    const hash = /^#state=([\w-]+)$/.exec(location.hash);
    const linked = hash ? await Files.unpacked(hash[1]) : undefined;
    const lesson = /^#lesson=([\w-]+)$/.exec(location.hash)?.[1];
    const broken = location.hash !== "" && !linked && !lesson;
    const [borrowed, kept] = [linked ?? Files.borrowed(), Files.kept()];
    // Where there is nothing of one's own, nothing can be lost.
    lent = Boolean(borrowed && kept);
    if (linked) Files.keep(linked, lent);
    get("adopt").hidden = !lent;
    if (location.hash !== "") history.replaceState(null, "", location.pathname + location.search);
    // Who comes for the first time is welcomed where the lessons are.
    isNew = !(borrowed ?? kept);
    await restore(borrowed ?? kept ?? { ...Program.FIRST, files: {} });
    if (lesson) await Lines.send(`:lesson ${lesson}`);
    if (broken) status("this link can't be read: it is cut off, or no link of the workbench");
    else if (linked) status(`this is what the link holds${lent ? "; your own work is kept, and Reset leads back to it" : ""}`);
  }

  // From now on what came by a link is one's own.
  function adopt() {
    lent = false;
    get("adopt").hidden = true;
    keep();
  }

  async function link() {
    const all = await whole();
    if (!all) return status("the session can't be saved, so there is no link to it");
    const url = `${location.href.split("#")[0]}#state=${await Files.packed(all)}`;
    await Files.copy(url);
    status(`the link is copied, ${Math.ceil(url.length / 1000)} kB`);
  }

  async function save() {
    const answer = await Lines.send(":save session.strat");
    if (!Lines.failed(answer)) Files.download("session.strat", (await Core.ask({ do: "get", name: "session.strat" })).text);
  }

  function busy(is) {
    get("stop").hidden = !is;
    get("run").disabled = get("step").disabled = is;
    if (!is) get("progress").textContent = "";
    document.body.classList.toggle("busy", is);
  }

  const KEYS = [
    ["Ctrl-Enter", "runs the schedule, in the model and in the schedule"],
    ["Ctrl-Space", "completes the word before the cursor, as Tab does right after it was typed"],
    ["Esc", "closes the list of words; then Tab leaves the editor"],
    ["↑ ↓", "earlier lines, in the console"],
    ["/ n N ← →", "in a derivation: search, the next and the last found, a step back and on"],
  ];

  // The keys of this window, before what the core says of its commands.
  async function help() {
    Panels.show("console");
    const answer = await Core.ask({ do: "submit", line: ":help", width: Lines.columns() }).catch(() => ({ text: [] }));
    const keys = KEYS.flatMap(([key, does]) => [["", "  "], ["strong", key.padEnd(11)], ["", ` ${does}\n`]]);
    Lines.note(":help", { ...answer, text: [["strong", "keys of this window"], ["", "\n"], ...keys, ["", "\n"], ...answer.text] });
  }

  function buttons() {
    const line = (id, text) => (get(id).onclick = () => Lines.send(text));
    line("undo", ":undo");
    line("redo", ":redo");
    line("continue", ":continue");
    get("stop").onclick = () => Core.stop();
    get("link").onclick = link;
    get("adopt").onclick = adopt;
    get("save").onclick = save;
    get("theme").onclick = Browser.otherTheme;
    get("help").onclick = () => Lines.during(help);
    get("reset").onclick = () => {
      get("lost").textContent = lent ? "What the link held, and what was done with it, is forgotten; your own work comes back."
        : "The models, the schedule and the session that the browser keeps are forgotten. Save and Copy link keep the session elsewhere.";
      get("sure").showModal();
    };
    get("spare").onclick = () => get("sure").close();
    get("forget").onclick = () => {
      Files.forget(lent);
      clearTimeout(timer);
      location.reload();
    };
    get("open").onclick = async () => {
      for (const [name, text] of await Files.open(".arr,.strat,.md")) await Program.open(name, text);
    };
    Lines.prompt(get("line-form"), get("line"), get("line-list"));
    // Another link is another session.
    addEventListener("hashchange", () => location.reload());
  }

  async function start() {
    Browser.theme();
    if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") {
      return status("this browser has no WebAssembly, which the workbench is made of: any browser of 2023 or later has it");
    }
    Core.on("progress", ({ passed, steps, size, round }) => {
      const goes = round && ` · goes round: ${round}`;
      get("progress").textContent = `${passed.toFixed(1)} s · ${steps} steps · a term of ${size} nodes${goes}`;
    });
    Core.on("busy", busy);
    Core.on("gone", gone);
    try {
      await Core.start("module");
    } catch (error) {
      return status(`the core can't begin: ${error.message}`);
    }
    buttons();
    Lines.onAnswer(heard);
    await Program.begin();
    await first();
    Lessons.list();
    Panels.show(isNew || Lessons.kept().lesson ? "lessons" : "console");
    Panels.view("term-view");
    document.body.dataset.settled = "true";
    setTimeout(() => Core.warm(WARMING), 1000);
    document.body.dataset.ready = String(Math.round(performance.now()));
  }

  // What a long derivation uses.
  const WARMING = [":load models/mixture.arr", "gradient", ":load strategies/gradient.strat", "fastGradient"];

  return { start, state: () => state, keep };
})();

// Where the core can't begin, that is said already.
Workbench.start().catch((error) => {
  if (!error.bug) throw error;
});
