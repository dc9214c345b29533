"use strict";
// What is said of a step beside its terms, and in a line to be read aloud.

const Facts = (() => {
  const { make } = Drawing;

  // So many of the steps that a step made possible are named.
  const NAMED = 4;

  // Fills an element, and a heading with the rule's name; gives the line. `go` leads to a step.
  function draw(heading, element, derivation, steps, step, { go, onRule }) {
    element.replaceChildren();
    heading.replaceChildren();
    const row = (title, ...inside) => {
      const box = make("div", "fact");
      box.append(make("h3", "", title), ...inside);
      element.append(box);
    };
    const stage = innermost(derivation.stages, step);
    if (step === 0) {
      heading.append("Start");
      const work = steps.work(0)[0];
      if (work && steps.count === 0) row("Work", make("p", "mono", work));
      if (steps.count > 0) row("From start to end", difference(steps.change(0, steps.count)));
      if (derivation.stopped && steps.count === 0) row("Stopped", make("p", "", derivation.stopped));
      return `Start. ${steps.count} steps. Work ${work}`;
    }
    const { rule, address, maker, change } = steps.step(step);
    if (onRule) {
      const button = make("button", "mono", rule.name);
      button.title = "Ask about this rule";
      button.onclick = () => onRule(rule.name);
      heading.append(button);
    } else {
      heading.append(make("span", "mono", rule.name));
    }
    if (rule.summary) element.append(make("p", "summary", rule.summary));
    if (rule.law) row("Law", law(rule.law));
    if (rule.conditions.length > 0) {
      const list = make("ul", "conditions");
      for (const condition of rule.conditions) list.append(make("li", "", condition));
      row("Where", list);
    }
    row("Work", difference(change));
    row("Why", ...why(steps, step, maker, go));
    if (rule.exactness) row("Exactness", make("p", "", rule.exactness));
    if (stage) row("Stage", make("p", "mono", stage.title));
    row("Place", place(address));
    if (derivation.stopped && step === steps.count) row("Stopped", make("p", "", derivation.stopped));
    const works = change.same ? "" : ` from ${change.before[1]} to ${change.after[1]}`;
    return `Step ${step} of ${steps.count}: ${rule.name}. Work ${change.words}${works}. At ${address}.`;
  }

  // What made the redex of a step, and what that step made possible.
  function why(steps, step, maker, go) {
    const link = (number) => {
      const button = make("button", "link", `step ${number}`);
      button.title = steps.step(number).rule.name;
      button.onclick = () => go(number);
      return button;
    };
    const origin = make("p", "why");
    if (maker === 0) origin.append("Its redex stands in the first term.");
    else if (maker === null) origin.append("Its redex is older than the steps that were looked at.");
    else origin.append("Its redex was made by ", link(maker), ", ", make("span", "mono", steps.step(maker).rule.name), ".");
    const made = steps.made(step);
    if (made.length === 0) return [origin];
    const next = make("p", "why", "It makes possible ");
    made.slice(0, NAMED).forEach((number, k) => next.append(...(k > 0 ? [", ", link(number)] : [link(number)])));
    next.append(made.length > NAMED ? ` and ${made.length - NAMED} more.` : ".");
    return [origin, next];
  }

  // Both sides, each on its line, where it has two.
  function law(text) {
    const [left, ...right] = text.split(" --> ");
    const out = make("div", "law mono");
    out.append(make("div", "from", left));
    for (const side of right) {
      const line = make("div", "to");
      line.append(make("span", "arrow", "→ "), side);
      out.append(line);
    }
    return out;
  }

  // An address may be long: lines break behind its dots.
  function place(address) {
    const out = make("p", "mono place");
    const parts = address.split(/(?<=\.)(?=.)/);
    parts.forEach((part, k) => out.append(...(k > 0 ? [make("wbr"), part] : [part])));
    return out;
  }

  // A sum; what isn't in the other one stands out, unless that is most of it.
  function made(name, look, sum, other) {
    const out = make(name, look);
    const known = new Set(other.split(" + "));
    const terms = sum.split(" + ");
    const few = 2 * terms.filter((term) => !known.has(term)).length <= terms.length;
    terms.forEach((term, k) => {
      if (k > 0) out.append(" + ");
      out.append(few && !known.has(term) ? make("b", "", term) : term);
    });
    return out;
  }

  // A change of work: in full.
  function difference(of) {
    const out = make("div", "change mono");
    out.append(of.same ? of.after[0] : made("div", "", of.before[0], of.after[0]));
    if (of.same) return out;
    const line = make("div", of.look);
    const arrow = make("span", "arrow", `${of.arrow} `);
    arrow.setAttribute("aria-label", `${of.words} to `);
    arrow.setAttribute("role", "img");
    line.append(arrow, made("span", "", of.after[0], of.before[0]));
    out.append(line);
    return out;
  }

  function innermost(stages, step) {
    let found;
    for (const stage of stages) {
      if (stage.start < step && step <= stage.end && (!found || stage.depth >= found.depth)) found = stage;
    }
    return found;
  }

  return { draw };
})();
