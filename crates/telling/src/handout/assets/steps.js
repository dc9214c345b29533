"use strict";
// The steps of a derivation: the term after each, the work, what is said of a step, and the steps in which a text occurs.

const Steps = (() => {
  // Every so many steps the term is kept; others are built from the nearest before them.
  const KEPT = 64;

  function Steps(derivation) {
    const { steps, works, rules } = derivation;
    const blocks = Sheet.read(derivation.blocks);
    const kept = [blocks[derivation.first]];
    let latest = { step: 0, term: kept[0] };
    let makers;

    // The term after so many steps.
    function term(step) {
      const near = Math.min(Math.floor(step / KEPT), kept.length - 1);
      let at = near * KEPT;
      let found = kept[near];
      if (latest.step <= step && latest.step > at) [at, found] = [latest.step, latest.term];
      while (at < step) {
        found = Sheet.edited(found, steps[at][4], blocks);
        at += 1;
        if (at % KEPT === 0) kept[at / KEPT] = found;
      }
      latest = { step, term: found };
      return found;
    }

    // What is known of a step, counted from 1: `maker` is the number of the step that made its redex, 0 where it stands in
    // the first term, null where it is older than the steps that were looked at.
    function step(number) {
      const [rule, address, , maker] = steps[number - 1];
      return { rule: rules[rule], address, maker, change: change(number - 1, number) };
    }

    // The steps whose redexes a step made.
    function made(number) {
      if (!makers) {
        makers = new Map();
        for (const [k, [, , , maker]] of steps.entries()) {
          if (!makers.has(maker)) makers.set(maker, []);
          makers.get(maker).push(k + 1);
        }
      }
      return makers.get(number) ?? [];
    }

    const workIndex = (after) => (after === 0 ? derivation.work : steps[after - 1][2]);
    const work = (after) => works[workIndex(after)] ?? ["", "", null];
    const change = (from, to) => compared(work(from), work(to));
    const ofStage = (stage) => stage.work && compared(works[stage.work[0]], works[stage.work[1]]);

    // Gives the steps in which a text occurs: in a rule's name, in the redex or the contractum; or anywhere in the term.
    // Comes back to the caller's `rest` in between, and ends where that gives false.
    async function search(text, anywhere, rest) {
      const wanted = text.toLowerCase();
      const holds = holding(text);
      const found = [];
      let since = performance.now();
      let before = term(0);
      for (let number = anywhere ? 0 : 1; number <= steps.length; number += 1) {
        const after = term(number);
        const named = number > 0 && rules[steps[number - 1][0]].name.toLowerCase().includes(wanted);
        if (named || (anywhere ? holds(after) : changed(number, [after, before]).some(holds))) found.push(number);
        before = after;
        if (performance.now() - since > 20) {
          if (!(await rest(number))) return undefined;
          since = performance.now();
        }
      }
      return found;
    }

    const changed = (number, terms) => terms.map((whole) => Sheet.find(whole, steps[number - 1][1]).block);

    return { count: steps.length, term, step, made, work, change, ofStage, search };
  }

  // Two works: their leading terms, and which way it went, with an arrow.
  function compared(before, after) {
    const [from, to] = [before[2], after[2]];
    const same = before[0] === after[0];
    const grew = from !== null && to !== null && from !== to ? to > from : undefined;
    const arrow = same ? "=" : grew === undefined ? "→" : grew ? "↑" : "↓";
    const words = same ? "unchanged" : grew === undefined ? "changed" : grew ? "grew" : "shrank";
    return { before, after, same, arrow, words, look: arrow === "↑" ? "up" : arrow === "↓" ? "down" : "" };
  }

  // Tells whether a block's text on one line contains a text. What was asked once is remembered, since terms share blocks:
  // whether it is inside, and as much of both ends as may be the beginning or the end of it elsewhere.
  function holding(text) {
    const known = new WeakMap();
    const end = text.length - 1;
    const part = (inner) => (inner === 0 ? plain(" ") : typeof inner === "string" ? plain(inner.slice(1)) : known.get(inner));
    const plain = (words) => ({
      inside: words.includes(text),
      head: words.slice(0, end),
      tail: end > 0 ? words.slice(-end) : "",
      whole: words.length < end,
    });
    const both = (left, right) => ({
      inside: left.inside || right.inside || (left.tail + right.head).includes(text),
      head: left.whole ? (left.head + right.head).slice(0, end) : left.head,
      tail: right.whole && end > 0 ? (left.tail + right.tail).slice(-end) : right.tail,
      whole: left.whole && right.whole && left.head.length + right.head.length < end,
    });
    return (block) => {
      const stack = [block];
      while (stack.length > 0) {
        const top = stack.at(-1);
        const missing = known.has(top) ? [] : top.parts.filter((inner) => typeof inner === "object" && !known.has(inner));
        stack.push(...missing);
        if (missing.length > 0) continue;
        if (!known.has(top)) known.set(top, top.parts.map(part).reduce(both, plain("")));
        stack.pop();
      }
      return known.get(block).inside;
    };
  }

  return Object.assign(Steps, { holding });
})();
