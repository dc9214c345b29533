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

// What ships is built in. The program's transcripts begin where there is a folder of models, too.
function session() {
  const session = new Session(module);
  session.put("models/prelude.arr", readFileSync(join(root, "models/prelude.arr")));
  return session;
}

// What a request says to a line: the same text as the line itself, in pieces.
function asked(session, line) {
  const { printed, text, trouble } = session.ask({ do: "submit", line });
  return [printed, text, trouble].flat().map(([, piece]) => piece).join("");
}

// What a transcript says and what it would say, in the same form.
function transcript(text, say) {
  const [commentary, ...exchanges] = ("\n" + text).split(/\n(?=> )/);
  const typed = session();
  // As deep as the program, so that `:set` shows the same.
  typed.core.nest(100_000, 300, 32, 12);
  const found = exchanges.map((exchange) => {
    const [, line] = /^((?:> .*)(?:\n\| .*)*)/.exec(exchange);
    const answer = say(typed, line.replace(/^(> |\| )\uFEFF?/gm, ""));
    return `${line}\n${answer}`.trimEnd();
  });
  return [[commentary, ...found].join("\n").trimEnd(), ("\n" + text).trimEnd()];
}

for (const name of readdirSync(join(root, "tests/sessions")).sort()) {
  const text = readFileSync(join(root, "tests/sessions", name), "utf8");
  check(name, ...transcript(text, (session, line) => session.submit(line)));
  check(`${name}, asked`, ...transcript(text, asked));
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

// A session goes on in another instance, from its memory or from what it saved.
{
  const [first, second, third] = [session(), session(), session()];
  for (const line of ["let kept = 41;", ":load models/vector_sum.arr", "gradient", ":step normalize(getBuild <+ letSubstN(1))"]) first.submit(line);
  const memory = first.core.memory.buffer.slice(0);
  second.core.memory.grow(Math.max(0, memory.byteLength - second.core.memory.buffer.byteLength) / 65536);
  new Uint8Array(second.core.memory.buffer).set(new Uint8Array(memory));
  third.ask({ do: "restore", text: first.ask({ do: "save" }).text });
  for (const line of ["kept + 1", ":log", ":continue", ":show"]) {
    const said = first.submit(line);
    check(`${line} from memory`, second.submit(line), said);
    check(`${line} from what was saved`, third.submit(line), said);
  }
}
for (const request of ["", "{", "[]", "null", '{"do": "harm"}', '{"do": 3}']) {
  const asked = session();
  asked.send(request);
  check(`the request ${request}`, JSON.parse(asked.received(asked.core.ask())).findings?.length, 1);
}
check("places are in UTF-16", session().ask({ do: "check", language: "model", name: "a.arr", text: "-- 𝛼β\ndef f (x : rea) := x\n" }).findings[0]?.places[0]?.start, 18);


// A schedule is checked as it would run: a statement ends where the next one begins, whatever is behind it.
{
  const typed = session();
  for (const line of [":load models/vector_sum.arr", "gradient"]) typed.submit(line);
  const wrong = (text) => JSON.stringify(typed.ask({ do: "check", language: "schedule", name: "", text }).findings.map((found) => found.places[0]?.start));
  for (const behind of ["", " ", "\t", " // c", "// c; (", " /* c */", "\r", ";", "; // c"]) {
    check(`behind a statement: ${JSON.stringify(behind)}`, wrong(`normalize(beta)${behind}\nnormalize(getBuild)`), "[]");
    const text = `normalize(beta)${behind}\nnormalize(bett)`;
    check(`and what is wrong below: ${JSON.stringify(behind)}`, wrong(text), `[${text.indexOf("bett")}]`);
  }
  const model = "def f (x : real) : real := x + y\n";
  for (let k = 0; k < 50; k += 1) typed.ask({ do: "check", language: "model", name: "my.arr", text: model.repeat(100 + k) });
  const held = typed.core.memory.buffer.byteLength;
  let read = 0;
  for (let k = 0; k < 400; k += 1) {
    const text = model.repeat(100 + (k % 50));
    read += text.length;
    typed.ask({ do: "check", language: "model", name: "my.arr", text });
  }
  check("what was checked isn't kept", typed.core.memory.buffer.byteLength - held < read / 2 ? "so" : "kept", "so");
  check("after checks", String(typed.submit("normalize(bett)").includes("bett")), "true");
  const open = `beta\nf(\n${"beta,\n".repeat(4000)}`;
  check("a statement of many lines", JSON.stringify(typed.ask({ do: "statements", text: open }).ranges), `[[0,4],[5,${open.length}]]`);
}

// What takes long is told once, and within limits.
{
  const typed = session();
  for (const line of [":load models/mixture.arr", "gradient", "topDown(beta)"]) typed.submit(line);
  const { derivation, number } = typed.ask({ do: "derivation" });
  check("the derivation has its step", derivation?.steps.length === 1 ? "so" : "not so", "so");
  check("one that is known isn't told again", JSON.stringify(typed.ask({ do: "derivation", known: number })), JSON.stringify({ derivation: null, number, step: 1 }));
  typed.submit("topDown(beta)");
  check("another one is", typed.ask({ do: "derivation", known: number }).derivation?.steps.length === 2 ? "so" : "not so", "so");
  check("inputs are few", typed.ask({ do: "inputs", size: 1000, seed: 1 }).findings?.[0]?.headline.slice(0, 36), "stopped: more than 10000 elements of");
}

// Long work that goes round says which round it goes, while it goes on.
{
  const typed = session();
  for (const line of ["rule turn = `a + b --> b + a` unchecked", 'term("fun (a b : real) => a + b")', ":set timeout 4", ":set max-steps 1000000000000", "force(normalize(turn))"]) typed.submit(line);
  check("the round is named", String(typed.round?.startsWith("turn;")), "true");
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
