"use strict";
// Terms as trees of blocks: read, edited, folded, and laid out as crates/language/src/ground/blocks.rs lays them out. No document is needed.
//
// A block is {kind, at, parts, pieces, nodes}: kind and at as in the data, parts with blocks instead of their numbers, and
// how many pieces of text and how many subterms are in it. Blocks are never changed, so that terms share them.

const Sheet = (() => {
  // Drawn at most, whatever was opened.
  const MOST = 12000;
  // A subterm of so many pieces is never folded: the fold would be no smaller.
  const SMALL = 12;

  function counted(kind, at, parts) {
    let [pieces, nodes] = [0, at === 0 ? 0 : 1];
    for (const part of parts) {
      pieces += typeof part === "object" ? part.pieces : 1;
      nodes += typeof part === "object" ? part.nodes : 0;
    }
    return { kind, at, parts, pieces, nodes };
  }

  // All blocks, by their numbers.
  function read(rows) {
    const blocks = [];
    for (const [kind, at, ...parts] of rows) {
      const inside = parts.map((part) => (typeof part === "number" && part > 0 ? blocks[part - 1] : part));
      blocks.push(counted(kind, at, inside));
    }
    return blocks;
  }

  // The tree with other blocks at some places: each edit is the way there, part by part, and the number of the block.
  function edited(root, edits, blocks) {
    for (const edit of edits) {
      const way = edit.slice(0, -1);
      const old = [root];
      for (const k of way) old.push(old.at(-1).parts[k]);
      root = blocks[edit.at(-1)];
      for (let depth = way.length - 1; depth >= 0; depth -= 1) {
        const { kind, at, parts } = old[depth];
        root = counted(kind, at, parts.with(way[depth], root));
      }
    }
    return root;
  }

  // Addresses are kept without the dot that they begin with.
  const plain = (address) => address.replace(/^\./, "");
  const joined = (address, at) => (address === "" || at === "" ? address + at : `${address}.${at}`);
  const leads = (address, to) => address === "" || to === address || to.startsWith(`${address}.`);

  // Calls `visit` for each part of a block and of those blocks in it that are no subterms.
  function own(block, visit) {
    const stack = [[block, 0]];
    while (stack.length > 0) {
      const top = stack.at(-1);
      const part = top[0].parts[top[1]];
      top[1] += 1;
      if (part === undefined) stack.pop();
      else if (typeof part === "object" && part.at === 0) stack.push([part, 0]);
      else visit(part);
    }
  }

  // The subterm at an address, or the nearest around it that has a block.
  function find(root, address) {
    const to = plain(address);
    let found = { block: root, address: "" };
    for (let next = found; next; ) {
      found = next;
      next = undefined;
      own(found.block, (part) => {
        if (typeof part !== "object" || next) return;
        const inside = joined(found.address, part.at);
        if (leads(inside, to)) next = { block: part, address: inside };
      });
      if (found.address === to) break;
    }
    return found;
  }

  // What is drawn of a tree, as nodes, each before those in it. What is nearest to a mark, or was opened, comes first;
  // subterms for which there's no room are one piece with the role `…`. `context` is the room off the marks.
  function shown(root, { marks = [], opened = new Set(), budget = 3000, context = budget } = {}) {
    const placed = marks.map(([address, look]) => [find(root, address).address, look]);
    const most = Math.min(Math.max(MOST, budget), budget + 600 * opened.size);
    const nodes = [];
    const waiting = [];
    const spent = { all: 0, outside: 0 };

    const begin = (block, address, around) => {
      const looks = placed.filter(([at]) => at === address).map(([, look]) => look);
      const onWay = placed.length === 0 ? address === "" : placed.some(([at]) => leads(address, at));
      const near = looks.length > 0 || opened.has(address) || (around?.near ?? false);
      const step = near ? 1 : 3;
      const distance = onWay || opened.has(address) ? 0 : (around?.distance ?? 0) + step;
      const node = { kind: block.kind, at: block.at, parts: [], block, address, around, looks, onWay, near, distance };
      nodes.push(node);
      (waiting[distance] ??= []).push(node);
      return node;
    };
    const fill = (node) => {
      const stack = [[node, node.block]];
      for (const [into, block] of stack) {
        for (const part of block.parts) {
          if (typeof part !== "object") into.parts.push(part);
          else if (part.at !== 0) into.parts.push(begin(part, joined(node.address, part.at), node));
          else {
            const inner = { kind: part.kind, at: 0, parts: [] };
            nodes.push(inner);
            into.parts.push(inner);
            stack.push([inner, part]);
          }
        }
      }
    };

    begin(root, "", undefined);
    for (let distance = 0; distance < waiting.length; distance += 1) {
      for (const node of waiting[distance] ?? []) {
        let cost = 0;
        own(node.block, (part) => (cost += typeof part === "object" ? 0 : 1));
        const forced = node.onWay || opened.has(node.address) || node.block.pieces <= SMALL;
        const room = spent.all + cost <= most && (node.near || spent.outside + cost <= context);
        if (room || (forced && spent.all + cost <= Math.max(MOST, budget))) {
          spent.all += cost;
          if (!node.near) spent.outside += cost;
          fill(node);
        } else {
          node.folded = true;
          node.parts.push(`…… ${amount(node.block.nodes)}`);
        }
      }
    }
    for (let k = nodes.length - 1; k >= 0; k -= 1) measure(nodes[k]);
    return nodes;
  }

  const amount = (nodes) => (nodes < 1e6 ? String(nodes) : nodes.toExponential(1));

  // Characters as Rust counts them.
  const length = (text) => (/[\ud800-\udbff]/.test(text) ? [...text].length : text.length) - 1;

  // The space that a node takes when flat, what of it stands before its first possible break, and the same of what is
  // behind each of its parts.
  function measure(node) {
    let [width, lead, ends] = [0, 0, false];
    node.after = [];
    for (let k = node.parts.length - 1; k >= 0; k -= 1) {
      const part = node.parts[k];
      if (part === 0) {
        [width, lead, ends] = [width + 1, 1, true];
      } else if (typeof part === "string") {
        width += length(part);
        lead += length(part);
      } else {
        node.after[k] = [lead, ends];
        width += part.width;
        [lead, ends] = part.ends ? [part.lead, true] : [part.lead + lead, ends];
      }
    }
    Object.assign(node, { width, lead, ends });
  }

  // The lines of nodes: [{indent, pieces: [{text, role, node}]}]. Each node learns its first piece and the one behind its
  // last, counted through all lines.
  function lines(nodes, width) {
    const out = [{ indent: 0, pieces: [] }];
    let [column, count] = [0, 0];
    const enter = (node, indent, broken, behind, subterm) => {
      node.from = count;
      const frame = { node, next: 0, indent, broken, behind, subterm: node.at === 0 ? subterm : node };
      if (node.kind >= -1) {
        const start = node.kind < 0 ? column : indent + node.kind;
        frame.indent = Math.min(start, Math.floor(width / 2));
        frame.broken = broken && node.width + behind > Math.max(width - column, 0);
      }
      return frame;
    };
    const stack = [enter(nodes[0], 0, true, 0, nodes[0])];
    const write = (text, role, node) => {
      out.at(-1).pieces.push({ text, role, node });
      column += length(role + text);
      count += 1;
    };
    while (stack.length > 0) {
      const frame = stack.at(-1);
      const { node } = frame;
      if (frame.next === node.parts.length) {
        node.to = count;
        stack.pop();
        continue;
      }
      const part = node.parts[frame.next];
      frame.next += 1;
      if (typeof part === "string") {
        write(part.slice(1), part[0], frame.subterm);
      } else if (part !== 0) {
        const [lead, ends] = node.after[frame.next - 1];
        stack.push(enter(part, frame.indent, frame.broken, lead + (ends ? 0 : frame.behind), frame.subterm));
      } else if (frame.broken) {
        out.push({ indent: frame.indent, pieces: [] });
        column = frame.indent;
      } else {
        write(" ", " ", frame.subterm);
      }
    }
    return out;
  }

  // All of a term's text in lines of a width.
  function layout(rows, root, width) {
    const whole = { budget: Infinity };
    return lines(shown(read(rows)[root], whole), width);
  }

  const text = (line) => " ".repeat(line.indent) + line.pieces.map((piece) => piece.text).join("");

  return { read, edited, find, own, shown, lines, layout, text };
})();
