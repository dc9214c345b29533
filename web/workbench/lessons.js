"use strict";
// Lessons: a list, and the one that is open: its page, the hints that were given, and what is said of schedules.

const Lessons = (() => {
  const { get, make, pieces, button } = Dom;
  const WORDS = [["hint", "Hint"], ["check", "Check my steps"], ["more", "Say more"], ["again", "Begin again"], ["stop", "Close"]];
  // The name of the lesson that is open.
  let open = "";
  const LOOKS = { code: "code", strong: "strong", emphasis: "em" };

  async function list() {
    const answer = await Core.ask({ do: "submit", line: ":lesson list" }).catch(() => undefined);
    if (Array.isArray(answer?.data)) {
      const row = (lesson) => make("li", {}, `${lesson.number}. `,
        make("button", { type: "button", className: "quiet", onclick: () => Lines.send(`:lesson ${lesson.name}`) }, ...line(lesson.title)),
        lesson.reached ? make("span", { className: "down" }, " ✓ reached") : undefined);
      get("lesson-list").replaceChildren(...answer.data.map(row));
    }
  }

  // A line in pieces, and a page in blocks, as the core reads them.
  // Words that are explained say it where one points.
  const line = (all) => all.map(([look, text, title]) => (LOOKS[look] ? make(LOOKS[look], title ? { title } : {}, text) : text));

  function prose(blocks) {
    const out = [];
    for (const { kind, text, rows, depth } of blocks) {
      if (kind === "item" || kind === "numbered") {
        const name = kind === "item" ? "UL" : "OL";
        if (out.at(-1)?.tagName !== name) out.push(make(name));
        out.at(-1).append(make("li", {}, ...line(text)));
      } else if (kind === "code") out.push(make("pre", { className: "code", tabIndex: 0 }, pieces(text)));
      else if (kind === "table") out.push(table(rows));
      else if (kind === "heading") out.push(make(depth > 2 ? "h5" : "h4", {}, ...line(text)));
      else out.push(make("p", {}, ...line(text)));
    }
    return out;
  }

  function table([heads, ...rows]) {
    const row = (name, cells) => make("tr", {}, ...cells.map((cell) => make(name, {}, ...line(cell))));
    const body = make("tbody", {}, ...rows.map((cells) => row("td", cells)));
    return make("div", { className: "scroll", tabIndex: 0 }, make("table", {}, make("thead", {}, row("th", heads)), body));
  }

  function opened({ name, title, prose: blocks, work, goal, rules }, isBack = false) {
    const law = ([usage, text]) => [make("dt", {}, make("code", { className: "l-rule" }, usage)), make("dd", {}, ...line(text))];
    // What was written for another program isn't the beginning of an answer.
    if (open !== name && !isBack) Program.propose("");
    open = name;
    Program.aside(name);
    get("lesson").replaceChildren(
      make("h3", {}, ...line(title)), ...prose(blocks),
      make("h4", {}, "The goal"), make("p", { className: "muted" }, `The work is ${work} now.`),
      make("pre", { className: "code", tabIndex: 0 }, pieces(goal)),
      make("h4", {}, "The rules"), make("dl", { className: "laws" }, ...rules.flatMap(law)));
    say();
    actions(false);
    get("lessons").scrollTop = 0;
  }

  function hint({ number, of, prose: blocks }) {
    const own = `hint-${number}`;
    const note = make("section", { className: "verdict", id: own }, make("h4", {}, `Hint ${number} of ${of}`), ...prose(blocks));
    if (get(own)) get(own).replaceWith(note);
    else get("lesson").append(note);
    note.scrollIntoView({ block: "nearest" });
  }

  // What is said of a schedule: what the lesson says of it first.
  function tried({ kind, said, remark, picked, back, ran, attempts, hints }, reached) {
    const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
    const end = reached ? `With ${count(attempts, "attempt")} and ${count(hints, "hint")}.`
      : back ? "Its steps are taken back: Redo shows where they lead." : "";
    return [
      make("p", {}, ...line(said)), make("p", { className: "kind muted" }, kind), ...(remark ? prose(remark) : []),
      picked ? make("p", {}, "The steps so far, as a schedule: ", make("code", {}, picked)) : undefined,
      end ? make("p", { className: "muted" }, end) : undefined,
      ran ? make("details", {}, make("summary", {}, "What it did"), make("pre", { className: "said", tabIndex: 0 }, pieces(ran))) : undefined,
    ];
  }

  function verdict(parts, reached) {
    const box = make("section", { className: `verdict ${reached ? "reached" : "short"}` }, ...parts);
    get("lesson-said").replaceChildren(box);
    box.scrollIntoView({ block: "nearest" });
  }

  // Under the schedule: nothing, or why a line of it didn't do.
  function say(answer) {
    get("lesson-said").replaceChildren();
    if (answer) verdict([make("pre", { className: "said" }, pieces(answer.text), pieces(answer.trouble))], false);
  }

  // Where a page on a web server is told to, by `?hand-in=PATH`, what was done can be sent to it: by a form, which its user sends.
  function handIn() {
    const to = new URLSearchParams(location.search).get("hand-in");
    const action = to && /^https?:$/.test(location.protocol) ? new URL(to, location.href) : undefined;
    if (action?.origin !== location.origin) return undefined;
    const record = make("input", { type: "hidden", name: "report" });
    return make("form", { method: "post", action: action.href, target: "_blank", className: "strip", onsubmit: async (event) => {
      event.preventDefault();
      record.value = (await Lines.send(":lesson report"))?.data?.report ?? "";
      if (record.value) event.target.submit();
    } }, make("label", {}, "Name ", make("input", { name: "name", required: true, autocomplete: "name" })), record,
    make("button", {}, `Hand in at ${action.host}`));
  }

  function actions(reached) {
    const next = reached ? [button("Next lesson", () => Lines.send(":lesson next"), { className: "main" })] : [];
    get("lesson-actions").replaceChildren(...next, ...WORDS.map(([word, text]) => button(text, () => Lines.send(`:lesson ${word}`))),
      button("Save report", async () => {
        const report = (await Lines.send(":lesson report"))?.data?.report;
        if (report) Files.download("lessons.json", report);
      }), handIn() ?? "");
  }

  function closed() {
    open = "";
    Program.aside();
    for (const id of ["lesson", "lesson-said", "lesson-actions"]) get(id).replaceChildren();
  }

  // What a line in a lesson was answered with.
  function heard(_, answer) {
    const { kind, data, text, trouble } = answer;
    // A verdict is of the answer before this one.
    if (kind === "trouble") return say();
    if (kind !== "lesson" || Array.isArray(data) || data?.report) return;
    if (!data?.tried && !data?.typed) Panels.show("lessons");
    get("all-lessons").open = Boolean(data?.closed);
    if (data?.opened) opened(data.opened);
    else if (data?.hint) hint(data.hint);
    else if (data?.tried) {
      actions(data.reached);
      verdict(tried(data.tried, data.reached), data.reached);
    } else if (data?.typed) verdict([make("p", {}, ...line(data.typed))], false);
    else if (data?.more) {
      verdict([make("p", {}, ...line(data.more)), make("pre", { className: "said", tabIndex: 0 }, pieces(data.prose))], false);
    } else if (data?.closed) closed();
    else verdict([make("pre", { className: "said" }, pieces(text), pieces(trouble))], false);
    if (data?.reached || data?.closed) list();
  }

  // Closes the lesson that is open.
  const leave = () => (open === "" ? undefined : Lines.send(":lesson stop"));

  const kept = () => (open === "" ? {} : { lesson: open });

  // Goes on with the lesson that was open; where that can't be, it is said.
  async function restore(name) {
    if (!name) return;
    const answer = await Core.ask({ do: "lesson", name }).catch(() => undefined);
    if (answer?.data?.opened) return opened(answer.data.opened, true);
    verdict([make("p", {}, `The lesson “${name}” is closed: what is run isn't compared with its goal. `
      + "Choose one below; what was done is in the history.")], false);
  }

  return { list, heard, kept, restore, say, leave };
})();
