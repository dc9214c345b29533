// The module says what the program says.
//
//     node web/test.mjs MODULE.wasm REDEXTER
//
// The transcripts of the REPL; the paper's schedule and what it writes; nesting of every kind, which a message ends.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { answers, kinds, loops } from "./depth.mjs";
import { Session } from "./session.mjs";

const root = join(import.meta.dirname, "..");
const [path, redexter] = process.argv.slice(2).map((path) => resolve(path));
const module = new WebAssembly.Module(readFileSync(path));
let [passed, failed] = [0, 0];

function check(name, found, expected) {
  if (found === expected) return passed++;
  failed++;
  const [a, b] = [found, expected].map((text) => (text ?? "nothing").split("\n"));
  const at = a.findIndex((line, k) => line !== b[k]);
  console.log(`FAILED ${name}, line ${at + 1}:\n  the module says:  ${a[at]}\n  instead of:       ${b[at]}`);
}

// A session with what ships.
function session() {
  const session = new Session(module);
  for (const folder of ["models", "strategies"]) {
    for (const name of readdirSync(join(root, folder), { recursive: true })) {
      const file = join(folder, name);
      if (/\.(arr|strat)$/.test(file)) session.put(file, readFileSync(join(root, file)));
    }
  }
  return session;
}

// What a transcript says and what it would say, in the same form.
function transcript(text) {
  const [commentary, ...exchanges] = ("\n" + text).split(/\n(?=> )/);
  const typed = session();
  // As deep as the program, so that `:set` shows the same.
  typed.core.nest(100_000, 300, 32, 12);
  const found = exchanges.map((exchange) => {
    const [, line] = /^((?:> .*)(?:\n\| .*)*)/.exec(exchange);
    const answer = typed.submit(line.replace(/^(> |\| )\uFEFF?/gm, ""));
    return `${line}\n${answer}`.trimEnd();
  });
  return [[commentary, ...found].join("\n").trimEnd(), ("\n" + text).trimEnd()];
}

for (const name of readdirSync(join(root, "tests/sessions")).sort()) {
  check(name, ...transcript(readFileSync(join(root, "tests/sessions", name), "utf8")));
}

const lines = [
  ":load strategies/paper.strat", ":load models/vector_sum.arr", "gradient", "first", "fuse ; split", ":step onehot",
  ":trace", "onehot", ":count v=[1,2,3,4]",
];
const folder = mkdtempSync(join(tmpdir(), "redexter-"));
try {
  for (const part of ["models", "strategies"]) cpSync(join(root, part), join(folder, part), { recursive: true });
  const native = execFileSync(redexter, ["repl"], { cwd: folder, input: lines.join("\n") + "\n", encoding: "utf8" });
  const page = session();
  check("the paper's schedule", lines.map((line) => page.submit(line)).join(""), native);
  for (const name of ["vector_sum_plain.fut", "vector_sum_fast.fut"]) {
    check(name, page.get(name), readFileSync(join(folder, name), "utf8"));
  }
} finally {
  rmSync(folder, { recursive: true });
}

for (const [name, kind] of Object.entries(kinds)) {
  for (const depth of [10, 240, 1_000, 20_000]) {
    const { said, gaveUp } = answers(module, kind(depth));
    check(`${name}, ${depth} deep`, gaveUp ? said.find((text) => text.includes("page's stack")) : "answers", "answers");
  }
}
for (const [name, kind] of Object.entries(loops)) {
  const { said, session } = answers(module, kind(100_000));
  check(name, said.at(-1), "error: this nests deeper than the page's stack; the session begins anew\n");
  check(`after ${name}`, session.submit("1 + 2"), "3\n");
}

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
