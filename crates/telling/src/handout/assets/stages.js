"use strict";
// The tree of stages, with the work before and after each: rows are made where they are opened.

const Stages = (() => {
  const { make } = Drawing;
  // So many rows are open at the start, if one level has no more; so many are shown below one stage until more are asked for.
  const OPEN = 40;
  const PAGE = 60;
  // Stages of one name within one stage are a row of their own, if there are so many.
  const ALIKE = 3;

  function Stages(stages, steps, onStep) {
    const list = make("ul", "stages");
    const tops = summed(tree(stages));
    let current;

    function rows(into, children, from) {
      for (const stage of children.slice(from, from + PAGE)) into.append(row(stage));
      const rest = children.length - from - PAGE;
      if (rest <= 0) return;
      const item = make("li", "more");
      const more = make("button", "quiet", `${rest} more`);
      more.onclick = () => {
        item.remove();
        rows(into, children, from + PAGE);
        children[from + PAGE].button.focus();
      };
      item.append(more);
      into.append(item);
    }

    function row(stage) {
      const item = make("li");
      const line = make("div", "stage");
      if (stage.children.length > 0) line.append(toggle(stage, item));
      stage.button = make("button", "quiet");
      stage.button.append(make("span", "title", stage.title), make("span", "muted count", range(stage)));
      const change = stage.alike ? undefined : steps.ofStage(stage);
      if (change) stage.button.append(work(change));
      stage.button.onclick = () => onStep(Math.min(stage.start + 1, stage.end));
      line.append(stage.button);
      item.append(line);
      stage.item = item;
      if (stage === current) mark();
      return item;
    }

    function toggle(stage, item) {
      const button = make("button", "toggle quiet");
      button.setAttribute("aria-label", `Parts of ${stage.title}`);
      button.setAttribute("aria-expanded", "false");
      let below;
      stage.open = (open) => {
        if (open && !below) rows((below = make("ul")), stage.children, 0);
        if (open) item.append(below);
        else below?.remove();
        button.setAttribute("aria-expanded", String(open));
      };
      button.onclick = () => stage.open(button.getAttribute("aria-expanded") === "false");
      return button;
    }

    function mark() {
      list.querySelector("[aria-current]")?.removeAttribute("aria-current");
      // Where its own row isn't there, that of the stage around it.
      let shown = current;
      while (shown && !shown.item?.isConnected) shown = shown.around;
      shown?.button.setAttribute("aria-current", "step");
      return shown;
    }

    rows(list, tops, 0);
    // A level is opened as long as there's room.
    for (let level = tops, room = OPEN; ; ) {
      room -= level.length;
      const below = level.flatMap((stage) => stage.children);
      if (below.length === 0 || (below.length > room && level.length > 1)) break;
      for (const stage of level) stage.open?.(true);
      level = below;
    }

    return {
      element: list,
      // Marks the innermost stage in which a step is.
      go(step) {
        current = undefined;
        for (let inside = tops; inside; inside = current?.children) {
          const holds = (stage) => stage.start < step && step <= stage.end;
          const next = inside.find((stage) => (stage.alike ? stage.children.some(holds) : holds(stage)));
          if (!next) break;
          current = next;
        }
        const shown = mark();
        const box = list.parentElement;
        if (shown && box && box.scrollHeight > box.clientHeight) shown.button.scrollIntoView({ block: "nearest" });
      },
    };
  }

  function range({ start, end, alike, children }) {
    if (alike) return `${children.reduce((sum, stage) => sum + stage.end - stage.start, 0)} steps, ${children.length} times`;
    const count = end - start;
    return count === 0 ? "0 steps" : count === 1 ? `step ${end}` : `${count} steps, ${start + 1}–${end}`;
  }

  // What became of the work, for a narrow column.
  function work(change) {
    const out = make("span", `work ${change.look}`);
    if (change.same) out.append(change.after[1]);
    else {
      const arrow = make("span", "side");
      arrow.append(make("span", "arrow", change.arrow), ` ${change.after[1]}`);
      out.append(make("span", "side", change.before[1]), " ", arrow);
    }
    return out;
  }

  // From stages in preorder to a tree.
  function tree(stages) {
    const tops = [];
    const way = [];
    for (const row of stages) {
      const stage = { ...row, children: [], around: way[row.depth - 1] };
      (stage.around?.children ?? tops).push(stage);
      way[row.depth] = stage;
    }
    return tops;
  }

  // Stages with those of one name together, where the first of them stands.
  function summed(stages, around) {
    const alike = new Map(stages.map((stage) => [stage.title, []]));
    for (const stage of stages) alike.get(stage.title).push(stage);
    const rows = [];
    for (const stage of stages) {
      stage.children = summed(stage.children, stage);
      const all = alike.get(stage.title);
      if (all.length < ALIKE) rows.push(stage);
      else if (all[0] === stage) rows.push({ title: stage.title, start: stage.start, end: stage.end, alike: true, children: all, around });
    }
    for (const row of rows) for (const stage of row.alike ? row.children : []) stage.around = row;
    return rows;
  }

  return Object.assign(Stages, { work });
})();
