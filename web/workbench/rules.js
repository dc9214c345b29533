"use strict";
// The rules with their laws. A click on one asks why it doesn't apply: at the subterm that is picked, else anywhere. And whether
// the schedule's rules end or go round.

const Rules = (() => {
  const { get, make, button } = Dom;
  let rules = [];

  function read(all) {
    rules = all;
    list();
  }

  function list() {
    const wanted = get("rule-filter").value.trim().toLowerCase();
    const found = rules.filter(([name, law]) => `${name} ${law}`.toLowerCase().includes(wanted));
    const row = ([name, law]) => make("li", {},
      button(name, () => ask(name), { className: "quiet l-rule", title: `Why doesn't ${name} apply?` }),
      make("code", { className: "muted" }, law));
    get("rule-list").replaceChildren(...found.map(row));
    get("rule-count").textContent = `${found.length} of ${rules.length}`;
  }

  async function ask(rule) {
    Panels.show("rules");
    const bare = rule.split("(")[0];
    const at = TermView.selected();
    answered(rule, await Lines.send(at ? `:why-not ${rule} ${at}` : `:why-not ${rule}`), bare);
  }

  function answered(rule, answer, bare) {
    if (!answer) return;
    const about = async () => answered(rule, await Lines.send(`:rule ${bare}`), bare);
    get("rule-answer").replaceChildren(
      make("div", { className: "actions" },
        make("strong", { className: "l-rule" }, rule),
        button("Why not?", () => ask(rule)),
        button("All about it", about),
        button("Stop before it", () => Lines.send(`:break ${bare}`))),
      make("pre", { className: "said" }, Dom.pieces(answer.text), Dom.pieces(answer.trouble)));
    get("rule-answer").scrollIntoView({ block: "nearest" });
  }

  // The schedule's repetitions, each with its way round and what would end it, or with the proof.
  async function ends() {
    if (Core.isBusy()) return;
    const answers = await Lines.during(Program.ending);
    const said = ({ text, trouble }) => make("pre", { className: "said" }, Dom.pieces(text), Dom.pieces(trouble));
    const none = make("p", { className: "muted" }, "The schedule runs no strategy.");
    get("rule-answer").replaceChildren(...(answers.length > 0 ? answers.map(said) : [none]));
    get("rule-answer").scrollIntoView({ block: "nearest" });
  }

  get("ends").onclick = ends;
  get("rule-filter").oninput = list;
  return { read, ask };
})();
