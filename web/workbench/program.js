"use strict";
// The model and the schedule: what is typed, what ships, and running it.

const Program = (() => {
  const { get, make } = Dom;
  const OWN = "my.arr";
  const NEW = "-- A model of your own.\ndef dot {n} (x : array n real) (y : array n real) : real :=\n  ifold n (fun s i => s + x[i] * y[i]) 0\n";
  const FIRST = { model: "models/vector_sum.arr", definition: "gradient", schedule: "normalize(getBuild <+ letSubstN(1))" };

  // `loaded` is the text of the model as the session has it.
  let [path, loaded, definition, shipped] = [FIRST.model, undefined, "", []];
  const own = new Map();
  // What ships, as far as it was looked at.
  const texts = new Map();

  const model = Editor.create(get("model"), {
    id: "model-text", label: "Model", language: "model", name: () => path,
    changed: (text) => {
      if (text === texts.get(path)) own.delete(path);
      else own.set(path, text);
      label();
    }, keys: { "Ctrl-Enter": () => run() },
  });
  const schedule = Editor.create(get("schedule"), {
    id: "schedule-text", label: "Schedule", language: "schedule", sources: () => ["<editor>", "<input>"],
    changed: () => Workbench.keep(), keys: { "Ctrl-Enter": () => run() },
  });

  // A shipped file as the menus call it.
  const bare = (name) => name.replace(/^[a-z]*\/|\.[a-z]*$/g, "");

  async function begin() {
    ({ shipped } = await Core.ask({ do: "list" }));
    const models = shipped.filter((name) => name.endsWith(".arr") && !name.endsWith("prelude.arr"));
    const scripts = shipped.filter((name) => /^strategies\/[^/]*\.strat$/.test(name) && !name.endsWith("prelude.strat"));
    const option = (name) => make("option", { value: name }, bare(name));
    get("models").replaceChildren(...models.map(option), make("option", { value: OWN }, "my own"));
    get("scripts").replaceChildren(make("option", { value: "" }, "Load a script…"), ...scripts.map(option));
    const lessons = shipped.filter((name) => /^lessons\/\d/.test(name));
    get("lesson-count").textContent = lessons.length;
  }

  // Shows a model's text, and makes one of its definitions the current term unless the session has one already.
  async function choose(name, wanted, { quiet = false } = {}) {
    path = name;
    const known = own.get(name) ?? (await Core.ask({ do: "get", name })).text ?? (name === OWN ? NEW : "");
    if (!own.has(name)) texts.set(name, known);
    if (![...get("models").options].some((option) => option.value === name)) get("models").append(make("option", { value: name }, name));
    get("models").value = name;
    model.text = known;
    label();
    if (quiet) return known;
    loaded = undefined;
    return load(wanted);
  }

  // A shipped model that was changed here isn't the shipped one.
  function label() {
    const [chosen] = get("models").selectedOptions;
    if (chosen && shipped.includes(path)) chosen.textContent = own.has(path) ? `${bare(path)}, changed here` : bare(path);
  }

  // A lesson's program stands in the box while it is open, and the model that was chosen again when it is closed.
  async function aside(lesson) {
    const box = get("models");
    box.querySelector("option[value='']")?.remove();
    if (lesson) {
      box.prepend(make("option", { value: "" }, `lesson: ${lesson}`));
      get("definitions").replaceChildren();
    } else await definitions();
    box.value = lesson ? "" : path;
  }

  // Loads the model as it is typed; whether that went well.
  async function load(wanted = definition) {
    await Core.ask({ do: "put", name: path, text: model.text });
    const answer = await Lines.send(`:load ${path}`);
    if (Lines.failed(answer)) {
      model.show(answer?.findings ?? []);
      return false;
    }
    loaded = model.text;
    const names = await definitions();
    const found = names.includes(wanted) ? wanted : names.includes("gradient") ? "gradient" : names.at(-1);
    return found === undefined || give(found);
  }

  async function definitions() {
    const { models } = await Core.ask({ do: "names" });
    const name = path.replace(/^.*\/|\.[a-z]*$/g, "").replace(/[^\w']/g, "_");
    const names = models.find(([model]) => model === name)?.[1] ?? [];
    get("definitions").replaceChildren(...names.map((name) => make("option", { value: name }, name)));
    if (names.includes(definition)) get("definitions").value = definition;
    return names;
  }

  async function give(name) {
    definition = name;
    get("definitions").value = name;
    return !Lines.failed(await Lines.send(name));
  }

  // Runs the schedule from the first term; `step` takes the first rewrite of its last line.
  async function running({ step = false } = {}) {
    schedule.show([]);
    Lessons.say();
    if (model.text !== loaded && !(await load())) return;
    const text = schedule.text;
    const { ranges = [], lines = [] } = await Core.ask({ do: "statements", text });
    if (Workbench.state().step > 0 && Lines.failed(await Lines.send(":goto 0"))) return;
    for (const [k, [start]] of ranges.entries()) {
      const line = lines[k];
      const asStep = step && k === ranges.length - 1 && !line.startsWith(":");
      const answer = await Lines.send(asStep ? `:step ${line}` : line);
      if (!answer) return;
      if (answer.findings.length > 0) schedule.show(answer.findings, start - (asStep ? ":step ".length : 0));
      // A run that changed nothing says why.
      if (!answer.changed && /^(run|walk)$/.test(answer.kind)) Lessons.say(answer);
      if (Lines.failed(answer)) return answer.findings.length > 0 ? undefined : Lessons.say(answer);
    }
  }

  // Whether what the schedule runs ends: what it defines is defined, its strategies are asked about and don't run.
  async function ending() {
    const text = schedule.text;
    const { ranges = [] } = await Core.ask({ do: "statements", text });
    const answers = [];
    for (const [start, end] of ranges) {
      const line = text.slice(start, end).replace(/;\s*$/, "");
      if (line.startsWith(":")) continue;
      const before = /^(strategy|rule|let|const|fn|import)\b/.test(line) ? "" : ":ends ";
      const answer = await Lines.send(before + line);
      if (!answer) break;
      if (answer.findings.length > 0) schedule.show(answer.findings, start - before.length);
      if (before !== "" || Lines.failed(answer)) answers.push(answer);
      if (Lines.failed(answer)) break;
    }
    return answers;
  }

  const run = (options) => (Core.isBusy() ? undefined : Lines.during(() => running(options)));

  // Who chooses a program is done with the lesson: it is closed, and that is seen.
  get("models").onchange = () => Lines.during(async () => {
    const name = get("models").value;
    if (name === "") return undefined;
    await Lessons.leave();
    return choose(name);
  });
  get("definitions").onchange = async () => {
    await Lessons.leave();
    return give(get("definitions").value);
  };
  get("scripts").onchange = async () => {
    const name = get("scripts").value;
    get("scripts").value = "";
    if (name) await Lines.send(`:load ${name}`);
  };
  get("run").onclick = () => run();
  get("step").onclick = () => (Workbench.state().pending ? Lines.send(":step") : run({ step: true }));

  // What the page keeps of this.
  const kept = () => ({ model: path, definition, schedule: schedule.text, files: Object.fromEntries(own) });

  // Goes on from what was kept; the session is brought back behind it.
  async function restore(state, session) {
    for (const [name, text] of Object.entries(state.files)) {
      own.set(name, text);
      await Core.ask({ do: "put", name, text });
    }
    schedule.text = state.schedule ?? FIRST.schedule;
    const name = state.model ?? FIRST.model;
    if (!session) return choose(name, state.definition ?? FIRST.definition);
    loaded = await choose(name, undefined, { quiet: true });
    definition = state.definition ?? "";
  }

  // A file that was opened.
  async function open(name, text) {
    own.set(name, text);
    if (name.endsWith(".arr")) return choose(name);
    await Core.ask({ do: "put", name, text });
    return Lines.send(name.endsWith(".md") ? `:lesson ${name}` : `:load ${name}`);
  }

  // Another schedule in the box.
  const propose = (text) => (schedule.text = text);

  return { aside, begin, run, propose, ending, definitions, kept, restore, open, FIRST };
})();
