// What sheet.js lays out, against what the program prints: node sheet.mjs, with the output of `cargo run --example sheets` on
// standard input. No browser is needed.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";

const assets = join(dirname(fileURLToPath(import.meta.url)), "../../crates/telling/src/handout/assets");
const context = createContext({ performance });
for (const name of ["sheet", "steps"]) runInContext(readFileSync(join(assets, `${name}.js`), "utf8"), context);
const { Sheet, Steps } = runInContext("({ Sheet, Steps })", context);

runInContext(readFileSync(join(assets, "browser.js"), "utf8"), context);
const [bytesOf, DIGITS] = runInContext("[Browser.bytesOf, Browser.DIGITS]", context);

let [terms, compared, wrong] = [0, 0, 0];
function check(holds, what) {
  compared += 1;
  if (holds) return;
  wrong += 1;
  if (wrong < 10) console.log(`WRONG: ${what}`);
}

// What a document holds: thirteen bits in two digits of base 91, six or fewer at the end in one, filled up with zeros.
for (let length = 0; length < 70; length++) {
  const bytes = Uint8Array.from({ length }, (_, k) => (k * 89 + length) ^ 255);
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const pair = (value) => DIGITS[Math.floor(value / 91)] + DIGITS[value % 91];
  let text = "";
  for (let at = 0; at < bits.length; at += 13) {
    const group = bits.slice(at, at + 13);
    const single = group.length <= 6;
    const value = parseInt(group.padEnd(single ? 6 : 13, "0"), 2);
    text += single ? DIGITS[value] : pair(value);
  }
  check(`${bytesOf(text)}` === `${bytes}`, `${length} bytes in base 91: ${text}`);
}

for (const { name, sheet, texts } of JSON.parse(readFileSync(0, "utf8"))) {
  terms += 1;
  const root = Sheet.read(sheet.blocks)[sheet.root];
  const text = (lines) => [...lines].map(Sheet.text).join("\n");
  for (const [width, expected] of texts) {
    const laid = text(Sheet.layout(sheet.blocks, sheet.root, width));
    const lines = [laid, expected].map((all) => all.split("\n"));
    const line = lines[0].findIndex((text, k) => text !== lines[1][k]);
    check(laid === expected, `${name} at ${width}, line ${line + 1}:\n${lines[0][line]}\nrather than\n${lines[1][line]}`);
  }
  // Every subterm is found by its address, and folds keep to their room.
  const nodes = Sheet.shown(root, { budget: Infinity });
  const subterms = [...nodes].filter((node) => node.address !== undefined);
  check(subterms.length === root.nodes, `${name} has ${subterms.length} subterms rather than ${root.nodes}`);
  check(subterms.every((node) => Sheet.find(root, `.${node.address}`).block === node.block), `${name}: an address leads elsewhere`);
  const mark = subterms.at(-1).address;
  const few = Sheet.shown(root, { marks: [[mark, "redex"]], budget: 200, context: 50 });
  check([...few].some((node) => node.address === mark && !node.folded), `${name}: what is marked is folded`);
  // A text is found wherever it stands in the flat text.
  const flat = texts.at(-1)[1];
  if (flat.includes("\n")) continue;
  for (let k = 0; k < 20; k += 1) {
    const from = Math.floor((flat.length * k) / 20);
    for (const wanted of [flat.slice(from, from + 1 + k), `${flat.slice(from, from + 5)}\u0001`]) {
      check(Steps.holding(wanted)(root) === flat.includes(wanted), `${name}: “${wanted}” is found, or not, where it isn't, or is`);
    }
  }
}
console.log(`${terms} terms, ${compared} comparisons, ${wrong} wrong`);
process.exitCode = wrong === 0 && terms > 0 ? 0 : 1;
