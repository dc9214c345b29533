"use strict";
// The rewrites that are possible, here or everywhere: each with what it does to the work, to be taken.

const Rewrites = (() => {
  const { get, make, button } = Dom;
  const SHOWN = 100;
  const LOOKS = { cheaper: "down", dearer: "up", same: "muted" };

  async function ask(address) {
    Panels.show("rewrites");
    const answer = await Lines.send(address && address !== "." ? `:possible ${address}` : ":possible");
    if (answer && answer.kind !== "possible") tell(answer);
  }

  // The list that was asked for last, here or by a line: the core takes a rewrite of that by its number, if it is of the
  // current term.
  function show(found) {
    if (found.term !== null) return clear();
    const place = found.within;
    const of = found.rule ? ` of ${found.rule}` : "";
    const rows = found.choices.slice(0, SHOWN).map(row);
    const more = found.choices.length - rows.length;
    get("choices").replaceChildren(
      make("p", { className: "muted" }, `${found.choices.length}${of} at ${place === "." ? "the whole term" : place} and below`),
      make("div", { className: "actions" },
        button("Everywhere", () => ask()),
        button("Focus here", () => Lines.send(place === "." ? ":top" : `:at ${place}`)),
        button("Stop runs here", () => Lines.send(`:break ${place}`))),
      make("ol", { className: "rows" }, ...rows),
      ...(more > 0 ? [make("p", { className: "muted" }, `and ${more} more`)] : []));
  }

  function row(choice) {
    const places = [choice.path, ...choice.others];
    const point = { onmouseenter: () => TermView.mark(places), onmouseleave: () => TermView.draw() };
    const take = button("Take", () => Lines.send(`:take ${choice.number}`), {
      onfocus: point.onmouseenter, onblur: point.onmouseleave, "aria-label": `Take ${choice.rule} at ${choice.path}`,
    });
    const also = choice.also.length > 0 ? `, ${choice.also.join(", ")}` : "";
    const others = choice.others.length > 0 ? ` and ${choice.others.length} more` : "";
    return make("li", { ...point, value: choice.number },
      make("span", { className: "l-rule" }, choice.rule + also), " ",
      make("span", { className: LOOKS[choice.change] }, choice.effect), take,
      make("code", { className: "muted" }, choice.path + others));
  }

  function tell(answer) {
    get("choices").replaceChildren(make("pre", { className: "said" }, Dom.pieces(answer.text), Dom.pieces(answer.trouble)));
  }

  // The list is of another term.
  const clear = () => get("choices").replaceChildren(
    make("p", { className: "muted" }, "Pick a subterm of the term, or look everywhere."),
    button("Everywhere", () => ask()));

  return { ask, show, clear };
})();
