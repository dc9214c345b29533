"use strict";
// Lines to the core, as at its prompt, and the record of what it answered. All that the page does to the session is a line.

const Lines = (() => {
  const { get, make, pieces } = Dom;
  // So many answers are kept in the record.
  const KEPT = 200;
  const listeners = [];
  const typed = [];
  let at = 0;
  let open = 0;
  let width = 60;

  // Does what takes several requests. The page is settled once nothing of the kind goes on.
  async function during(action) {
    open += 1;
    document.body.dataset.settled = "false";
    try {
      return await action();
    } finally {
      open -= 1;
      document.body.dataset.settled = String(open === 0);
    }
  }

  // Sends a line; gives the answer, or undefined where the core was stopped or gave up.
  const send = (line) => during(() => sent(line));

  async function sent(line) {
    const entry = begin(line);
    let answer;
    try {
      answer = await Core.ask({ do: "submit", line, width: columns() });
    } catch (error) {
      ended(error);
      tell(entry, { text: [], trouble: [["warning", error.bug ? `${error.bug}\n` : `stopped; the session is ${error.lost ? "gone" : "as it was before"}\n`]] });
      return undefined;
    }
    tell(entry, answer);
    // Where the core ends while the page reads what there is now, the line was answered all the same.
    for (const listener of listeners) await listener(line, answer).catch(ended);
    return answer;
  }

  function ended(error) {
    if (!error.stopped && !error.bug) throw error;
  }

  // Sends lines one behind the other until one fails; gives the last answer.
  const all = (lines) => during(async () => {
    let answer;
    for (const line of lines) {
      answer = await send(line);
      if (failed(answer)) break;
    }
    return answer;
  });

  const failed = (answer) => !answer || answer.kind === "trouble";

  // How wide answers are: as the panel was when it was seen last.
  function columns() {
    if (get("record").clientWidth > 0) width = Math.max(40, Math.min(100, Drawing.columns(get("record"))));
    return width;
  }

  function begin(line) {
    const entry = make("div", {}, make("pre", { className: "asked" }, line));
    const record = get("record");
    record.append(entry);
    while (record.children.length > KEPT) record.firstChild.remove();
    record.scrollTop = record.scrollHeight;
    return entry;
  }

  function tell(entry, answer) {
    const said = make("pre", { className: "said" });
    said.append(pieces(answer.printed), pieces(answer.text), pieces(answer.trouble));
    if (said.textContent !== "") entry.append(said);
    const record = get("record");
    // How a run ended stands below its steps; all else is read from its beginning.
    record.scrollTop = answer.kind === "run" ? record.scrollHeight : entry.offsetTop - record.offsetTop;
  }

  // The line at the bottom of the record.
  function prompt(form, input, list) {
    const completion = Completion.create(input, list, () => {});
    const empty = input.placeholder;
    let pending = "";
    let last = Promise.resolve();

    // A line goes on what is pending, unless it is blank or a command: these end that.
    async function take(line) {
      if (line.startsWith(":") && pending !== "") {
        const before = pending;
        pending = "";
        await send(before);
      }
      if (line.trim() === "" && pending === "") return;
      const text = pending === "" ? line : `${pending}\n${line}`;
      const goesOn = line.trim() !== "" && !(await whole(text));
      pending = goesOn ? text : "";
      input.placeholder = goesOn ? "…" : empty;
      if (!goesOn) await send(text);
    }

    // Whether a line goes on what is pending is known once the lines before it were taken.
    form.onsubmit = (event) => {
      event.preventDefault();
      const line = input.value;
      if (line.trim() !== "") typed.push(line);
      at = typed.length;
      input.value = "";
      const before = last.catch(() => {});
      last = during(() => before.then(() => take(line)));
    };
    input.oninput = () => completion.follow();
    input.onblur = () => completion.leave();
    input.onkeydown = (event) => {
      if (completion.key(event)) return event.preventDefault();
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!step || typed.length === 0) return;
      event.preventDefault();
      at = Math.min(Math.max(at + step, 0), typed.length);
      input.value = typed[at] ?? "";
    };
  }

  // Where the core can't tell, it is asked for the answer, and says why.
  const whole = (text) => Core.ask({ do: "whole", text }).then((answer) => answer.whole ?? true, () => true);

  // Puts something into the record that no line asked for.
  const note = (title, answer) => tell(begin(title), answer);

  return { send, all, during, failed, columns, prompt, note, onAnswer: (listener) => listeners.push(listener) };
})();
