"use strict";
// Lessons: a list, and the one that is open with its hints and what is said of schedules.

const Lessons = (() => {
  const { get, make, pieces, button } = Dom;
  const WORDS = [["hint", "Hint"], ["check", "Check my steps"], ["more", "Say more"], ["again", "Begin again"], ["stop", "Close"]];

  async function list() {
    const answer = await Core.ask({ do: "submit", line: ":lesson list" }).catch(() => undefined);
    if (Array.isArray(answer?.data)) {
      const row = (lesson) => make("li", {},
        button(lesson.title, () => Lines.send(`:lesson ${lesson.name}`), { className: "quiet" }),
        lesson.reached ? make("span", { className: "down" }, " ✓ reached") : undefined);
      get("lesson-list").replaceChildren(...answer.data.map(row));
    }
  }

  // What a line in a lesson was answered with.
  function heard(line, answer) {
    if (answer.kind !== "lesson" || Array.isArray(answer.data)) return;
    const closed = line === ":lesson stop";
    Panels.show("lessons");
    const next = answer.data?.reached ? [button("Next lesson", () => Lines.send(":lesson next"))] : [];
    const actions = WORDS.map(([word, text]) => button(text, () => Lines.send(`:lesson ${word}`)));
    get("lesson").replaceChildren(
      make("pre", { className: "said prose", tabIndex: 0 }, pieces(answer.text), pieces(answer.trouble)),
      make("div", { className: "actions" }, ...(closed ? [] : [...next, ...actions])));
    get("lesson").scrollTop = 0;
    if (answer.data?.reached || closed) list();
  }

  return { list, heard };
})();
