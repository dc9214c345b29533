// What nests, as deep as it is asked for. As a program: how deep each kind nests before the engine's stack is full. What
// `src/lib.rs` allows keeps to half of the least.
//
//     node [--liftoff-only | --no-liftoff] web/depth.mjs MODULE.wasm [KIND…]
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Session } from "./session.mjs";

const model = (head, open, inside, close) => (d) => ({
  file: `def main ${head} := ${open.repeat(d)}${inside}${close.repeat(d)}\n`,
  lines: [
    ":load deep.arr", "main", ":type", ":cost", ":eval x=1", "normalize(beta <+ letSubst)", ":undo",
    "bottomUp(try(addZero))", ":trace", "print(main.size)", ":export futhark deep.fut", ":save deep.strat",
  ],
});
const real = (open, inside, close) => model("(x : real)", open, inside, close);
const script = (text) => (d) => ({ file: "def main (x : real) := x\n", lines: [":load deep.arr", "main", text(d)] });

// Kinds of nesting: a model and lines, for a depth.
export const kinds = {
  parentheses: real("(", "x", ")"),
  sums: real("x + ", "x", ""),
  products: real("x * (1 - ", "x", ")"),
  functions: real("exp (", "x", ")"),
  lets: real("let x := x + 1; ", "x", ""),
  "lets in lets": real("let x := ", "x", "; x"),
  lambdas: real("(fun x => ", "x", ") x"),
  branches: real("if x < 1 then ", "x", " else 2"),
  chains: real("if x < 1 then 2 else ", "x", ""),
  pairs: real("(1, ", "x", ")"),
  literals: real("[", "x", "][0]"),
  builds: real("build 2 (fun i => ", "x", ")"),
  folds: real("ifold 2 (fun a i => a) (", "x", ")"),
  ascriptions: real("(", "x", " : real)"),
  derivative: (d) => ({
    file: `def f (x : real) := ${"let x := x * (1 + x); ".repeat(d)}x\ndef main (x : real) := snd ((D f) (x, 1))\n`,
    lines: [":load deep.arr", "main", ":cost", ":eval x=1", "normalize(beta <+ letSubst <+ sndLet <+ sndPair <+ fstPair)"],
  }),
  types: (d) => ({ file: `def main (x : ${"(real * ".repeat(d)}real${")".repeat(d)}) := x\n`, lines: [":load deep.arr", "main", ":type"] }),
  choices: script((d) => "beta" + " <+ beta".repeat(d)),
  brackets: script((d) => "(".repeat(d) + "1" + ")".repeat(d)),
  arrays: script((d) => "[".repeat(d) + "1" + "]".repeat(d)),
  combinators: script((d) => "try(".repeat(d) + "beta" + ")".repeat(d)),
  blocks: script((d) => "if true { ".repeat(d) + "1" + " }".repeat(d)),
  calls: script((d) => `fn down(k) { if k == 0 { 0 } else { 1 + down(k - 1) } } print(down(${d}));`),
  "calls within 30 calls": script((d) => `fn down(k) { if k == 0 { 0 } else { ${"abs(".repeat(d)} down(k - 1) ${")".repeat(d)} } } print(down(29));`),
  "arrays within 16 calls": script((d) => `fn down(k) { if k == 0 { 0 } else { ${"[".repeat(d)} down(k - 1) ${"]".repeat(d)} } } print(down(15));`),
  "blocks within 16 calls": script((d) => `fn down(k) { if k == 0 { 0 } else { ${"if true { ".repeat(d)} down(k - 1) ${" } else { 0 }".repeat(d)} } } print(down(15));`),
  "strategies within 16 calls": script((d) => `fn down(k) { if k == 0 { beta } else { ${"try(".repeat(d)} down(k - 1) ${")".repeat(d)} } } print(down(15));`),
  "calls in rules": script((d) => `fn down(t, k) { if k == 0 { t } else { down(t, k - 1) } } rule r = |t| down(t, ${d}); topDown(r)`),
};

// What no limit bounds: values that a script makes in a loop.
export const loops = {
  "strategies in a loop": script((d) => `let s = beta; for i in 0..${d} { s = topDown(s) <+ id; } print(s);`),
  "arrays in a loop": script((d) => `let a = []; for i in 0..${d} { a = [a]; } print(a.len());`),
};

// What a session of its own answers to a kind of nesting; whether it gave up; how deep it may nest.
export function answers(module, { file, lines }, ...nesting) {
  const session = new Session(module);
  if (nesting.length > 0) session.core.nest(...nesting);
  session.put("deep.arr", file);
  const said = lines.map((line) => session.submit(line));
  return { said, gaveUp: session.begun > 1, session };
}

function measure(module, kind) {
  const passes = (depth) => !answers(module, kind(depth), 100_000, 2_000, 2_000, 100).gaveUp;
  let [good, bad] = [0, 16];
  while (bad < 20_000 && passes(bad)) [good, bad] = [bad, bad * 2];
  while (bad - good > Math.max(1, good / 20)) {
    const middle = Math.floor((good + bad) / 2);
    if (passes(middle)) good = middle;
    else bad = middle;
  }
  return good;
}

if (process.argv[1] === import.meta.filename) {
  const module = new WebAssembly.Module(readFileSync(resolve(process.argv[2])));
  const wanted = process.argv.slice(3);
  for (const [name, kind] of Object.entries({ ...kinds, ...loops })) {
    if (wanted.length === 0 || wanted.includes(name)) console.log(`${name.padEnd(28)}${String(measure(module, kind)).padStart(6)}`);
  }
}
