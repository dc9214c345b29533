"use strict";
// The tree of stages, with the work before and after each: rows are made where they are opened.

const Stages = (() => {
  const { make } = Drawing;
  // So many rows are open at the start, if one level has no more; so many are shown below one stage until more are asked for.
  const OPEN = 40;
  const PAGE = 60;

  function Stages(stages, steps, onStep) {
    const list = make("ul", "stages");
    const tops = tree(stages);
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
      const change = steps.ofStage(stage);
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
          const next = inside.find((stage) => stage.start < step && step <= stage.end);
          if (!next) break;
          current = next;
        }
        const shown = mark();
        const box = list.parentElement;
        if (shown && box && box.scrollHeight > box.clientHeight) shown.button.scrollIntoView({ block: "nearest" });
      },
    };
  }

  function range({ start, end }) {
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

  return Object.assign(Stages, { work });
})();
