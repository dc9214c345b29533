"use strict";
// Strategies side by side and in every order; what rules do to each other. Tables of what the core answers, and what two
// strategies did step by step.

const Compare = (() => {
  const { get, make, pieces, table, button } = Dom;
  const SIGNS = { enables: "E", disables: "D", competes: "C", undoes: "U", commutes: "=" };
  const MEANINGS = {
    E: "enables: leaves a redex where there was none",
    D: "disables: leaves no redex where there was one",
    C: "competes: either, and no one term was found within a few steps of each",
    J: "competes: either, and a few more steps join them",
    U: "takes a step of it back",
    "=": "commutes: both orders give one term",
  };

  function orders(found) {
    const cell = (row) => row.work === undefined
      ? make("span", { className: "l-warning" }, (row.endless ?? row.stopped)?.why ?? "")
      : make("span", { className: row.best ? "down" : "" }, formula(row.best ? `${row.work} ← best` : row.work));
    const rows = found.rows.map((row) => [row.order.map((k) => typeof k === "number" ? found.strategies[k] ?? k : k).join(" ; "), String(row.steps), cell(row), formula(row.grows ?? "")]);
    return table(`Every order, from work ${formula(found.work)}`, ["order", "steps", "work", "grows as"], rows);
  }

  function interact(found) {
    const used = new Set();
    const cell = (by, to) => {
      const findings = found.pairs.flatMap((pair) => pair.findings).filter((f) => f.by === by && f.to === to);
      const signs = [...new Set(findings.map((f) => (f.joined ? "J" : SIGNS[f.relation])))];
      signs.forEach((sign) => used.add(sign));
      const words = signs.map((sign) => MEANINGS[sign]).join("; ");
      return make("span", { title: words }, signs.join("") || "·");
    };
    const rows = found.rules.map((by) => [by, ...found.rules.map((to) => cell(by, to))]);
    const legend = [...used].map((sign) => make("li", {}, make("code", {}, sign), ` ${MEANINGS[sign]}`));
    return make("div", {}, table("What the rule of a row does to the rule of a column", ["", ...found.rules], rows),
      make("ul", { className: "legend muted" }, ...legend));
  }

  // What both strategies did, in two viewers over the page.
  let sides;
  async function walk(strategies) {
    const unsaid = (error) => ({ findings: [{ headline: error.stopped ? "stopped" : error.bug ?? error.message }] });
    const found = await Core.ask({ do: "comparison", strategies }).catch(unsaid);
    if (!found.sides) return get("compared").append(make("p", { className: "l-warning" }, found.findings?.[0]?.headline ?? ""));
    get("beside").showModal();
    sides = Sides(get("two"), found, { keys: get("beside") });
  }
  get("beside").onclose = () => {
    sides?.destroy();
    sides = undefined;
  };
  get("beside-close").onclick = () => get("beside").close();

  function show(answer, strategies) {
    if (!answer) return;
    const parts = [];
    if (answer.kind === "compare") parts.push(button("Step by step", () => walk(strategies), { title: "Both derivations, where they part and meet" }));
    if (answer.kind === "orders") parts.push(orders(answer.data));
    if (answer.kind === "interact") parts.push(interact(answer.data));
    const text = make("pre", { className: "said" }, pieces(answer.text), pieces(answer.trouble));
    if (answer.kind === "compare") parts.push(text);
    else if (parts.length > 0) parts.push(make("details", {}, make("summary", {}, "As text"), text));
    else parts.push(text);
    get("compared").replaceChildren(...parts);
  }

  // Questions are about the current term: behind a run, about the one that it began with.
  const ask = async (line) => {
    if (Workbench.state().step > 0) await Lines.send(":goto 0");
    return Lines.send(line);
  };
  // Work as the core writes it elsewhere: 2*n^2 is 2n².
  const formula = (text) => text.replace(/\^(\d+)/g, (_, power) => [...power].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join(""))
    .replace(/(\d)\*(?=\D)/g, "$1").replaceAll("*", "·");

  const strategies = () => get("strategies").value.trim();
  get("compare").onclick = async () => {
    const both = strategies();
    show(await ask(`:compare ${both}`), both);
  };
  get("orders").onclick = async () => show(await ask(`:orders ${strategies()}`));
  get("interact").onclick = async () => show(await Lines.send(`:interact ${get("interact-rules").value.trim()}`.trim()));
})();
