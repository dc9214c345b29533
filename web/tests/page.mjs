// Pages of derivations in a browser: node page.mjs PAGE.html…; what is found wrong is said, and the exit code is 1.

import { readFileSync } from "node:fs";
import { axe, serious } from "./axe.mjs";
import { Browser, needed } from "./browser.mjs";

needed();
let wrong = 0;

function check(holds, what) {
  if (holds) return;
  wrong += 1;
  console.log(`  WRONG: ${what}`);
}

const ready = "document.documentElement.classList.contains('ready') && document.querySelector('.sheet .line')";
const step = (page, k = 0) => page.value(`Number(document.querySelectorAll(".viewer .number")[${k}].value)`);
const marks = (page) => page.value(`["redex", "contractum"].map((look) => document.querySelectorAll(".sheet mark." + look).length)`);

async function keys(page, count) {
  for (const [key, expected] of [["ArrowRight", 1], ["ArrowRight", 2], ["ArrowLeft", 1], ["End", count], ["ArrowRight", count], ["Home", 0],
    ["PageDown", Math.min(10, count)], ["PageUp", 0], ["ArrowLeft", 0]]) {
    await page.press(key);
    check((await step(page)) === expected, `${key} leads to ${await step(page)} rather than ${expected}`);
  }
  await page.press("ArrowRight");
  const [redex, contractum] = await marks(page);
  check(redex > 0 && contractum > 0, `step 1 has ${redex} and ${contractum} marks`);
  const said = await page.value(`document.querySelector("[aria-live]").textContent`);
  check(/^Step 1 of \d+: \S+\. Work .* At \./.test(said), `step 1 is announced as “${said}”`);
  await page.press("b");
  check((await marks(page))[1] === 0, "b shows the term before alone");
  await page.press("b");
  check((await marks(page))[0] === 0, "b shows the term after alone");
  await page.press("b");
  await page.press("?");
  check(await page.value(`document.getElementById("help").open`), "? opens the list of keys");
  await page.press("Escape");
  check(!(await page.value(`document.getElementById("help").open`)), "Escape closes it");
}

async function slider(page, count) {
  await page.value(`document.querySelector("input[type=range]").focus()`);
  await page.press("End");
  check((await step(page)) === count, "the slider's End is the last step");
  await page.press("ArrowLeft");
  check((await step(page)) === count - 1, "the slider goes back by a step");
  await page.click(".viewer .map svg", 0.5);
  const half = await step(page);
  check(Math.abs(half - count / 2) <= Math.max(1, count / 100), `a click into the middle of the curve leads to ${half} of ${count}`);
  await page.value(`document.activeElement.blur()`);
}

async function search(page) {
  await page.press("Home");
  const rule = await page.value(`(document.querySelector(".bar .ways button:nth-of-type(3)").click(), document.querySelector(".name").textContent)`);
  await page.press("Home");
  await page.press("/");
  await page.type(rule);
  await page.until(`/step|of/.test(document.querySelector(".told").textContent)`);
  await page.press("Enter");
  check((await step(page)) === 1, `the search for ${rule} finds step ${await step(page)}`);
  check((await page.value(`document.querySelector(".name").textContent`)).includes(rule), "what it found has the rule's name");
  const words = () => page.value(`document.querySelector(".search input").value`);
  const told = await page.value(`document.querySelector(".told").textContent`);
  await page.press("n");
  const [, of] = /^1 of (\d+)$/.exec(told);
  check((await page.value(`document.querySelector(".told").textContent`)) === `${Math.min(2, of)} of ${of}`, "after Enter n goes on");
  await page.press("/");
  await page.press("Escape");
  check((await words()) === rule, "Escape keeps what is searched for");
  await page.press("N");
  check((await step(page)) === 1, "after Escape N goes on");
  await page.press("Escape");
  check((await words()) === "" && (await page.value(`document.querySelector(".told").textContent`)) === "", "Escape again clears");
  await page.value(`(() => { const field = document.querySelector(".search input"); field.value = "no such text"; field.oninput(); })()`);
  await page.until(`document.querySelector(".told").textContent === "not found"`);
  await page.value(`(() => { const field = document.querySelector(".search input"); field.value = ""; field.oninput(); field.blur(); })()`);
}

// A stage's row says its range, and leads to where it begins.
async function stages(page) {
  const rows = () => page.value(`document.querySelectorAll(".stages .stage > button:last-child").length`);
  for (let k = 0; k < (await rows()) && k < 12; k += 1) {
    const range = await page.value(`document.querySelectorAll(".stages .stage > button:last-child .count")[${k}].textContent`);
    const from = /(\d+)(?:–\d+)?$/.exec(range)?.[1];
    await page.value(`document.querySelectorAll(".stages .stage > button:last-child")[${k}].click()`);
    if (/ times$/.test(range)) continue;
    check(range === "0 steps" || (await step(page)) === Number(from), `the stage of ${range} leads to step ${await step(page)}`);
  }
}

// Beside a step stands what made its redex, as links to those steps and from them.
async function whys(page) {
  await page.press("Home");
  let linked = 0;
  for (let k = 1; k <= 12; k += 1) {
    await page.press("ArrowRight");
    const why = await page.value(`document.querySelector(".rule .why").textContent`);
    check(/^Its redex (stands in the first term|was made by step \d+, \S+)\.$/.test(why), `step ${k} is because “${why}”`);
    const maker = /by step (\d+)/.exec(why)?.[1];
    if (!maker) continue;
    linked += 1;
    await page.value(`document.querySelector(".rule .why .link").click()`);
    check((await step(page)) === Number(maker), `the link leads to ${await step(page)} rather than ${maker}`);
    const next = await page.value(`document.querySelector(".rule .why + .why").textContent`);
    check(new RegExp(`step ${k}\\b|more`).test(next), `step ${maker} says “${next}”, and nothing of step ${k}`);
    check(await page.value(`document.activeElement.matches(".rule")`), "after a link the keys are where they were");
    while ((await step(page)) < k) await page.press("ArrowRight");
  }
  check(linked > 0, "no step was made by another one");
}

// Opens a fold by the mouse and by the keyboard, where there is one.
async function folding(page, count) {
  const folds = () => page.value(`[...document.querySelectorAll(".sheet button.fold")].map((fold) => fold.dataset.at)`);
  const before = await folds();
  check(before.length > 0 || count < 1000, "the terms of a long derivation are folded");
  if (before.length === 0) return "nothing is folded";
  // What was folded may stand in its line, and the other term may have a fold there, too.
  const howMany = (all, at) => all.filter((fold) => fold === at).length;
  const opened = async (at, was) => howMany(await folds(), at) < howMany(was, at);
  await page.click(".sheet button.fold");
  check(await opened(before[0], before), "a click opens a fold");
  await page.value(`document.querySelector(".sheet button.fold").focus()`);
  check(await page.value(`document.activeElement.matches(".fold")`), "a fold takes the focus");
  const now = await folds();
  await page.press("Enter");
  check(await opened(now[0], now), "Enter opens a fold");
  await page.press("f");
  await page.settled();
  const nodes = await page.value(`document.querySelectorAll(".sheet *").length`);
  check(nodes < 12_000, `whole terms are drawn with ${nodes} elements`);
  await page.press("f");
  return `${before.length} folds; ${nodes} elements for both whole terms`;
}

async function themes(page) {
  const ground = () => page.value(`getComputedStyle(document.body).backgroundColor`);
  const light = await ground();
  await page.theme(true);
  const dark = await ground();
  check(light !== dark, "there are two themes");
  await page.value(`[...document.querySelectorAll("header button")].find((button) => button.textContent === "Theme").click()`);
  check((await ground()) === light, "the toggle changes the theme");
  await page.reload();
  await page.until(ready);
  check((await ground()) === light, "the theme is kept");
  await page.value(`localStorage.clear()`);
  await page.theme(false);
  await page.value(`delete document.documentElement.dataset.theme`);
}

async function narrow(page) {
  for (const width of [360, 700, 1000, 1600]) {
    await page.size(width, 740);
    await page.settled();
    const over = await page.value(`document.documentElement.scrollWidth - document.documentElement.clientWidth`);
    check(over <= 0, `at ${width} pixels the document is ${over} too wide`);
  }
  await page.size(1280, 800);
}

// Links to steps, and broken ones.
async function links(browser, file, count) {
  for (const [hash, expected, word] of [["#step=2", 2, false], [`#step=${count + 1}`, 0, true], ["#step=x<b>", 0, true], ["#state=1", 0, true],
    [`#${"9".repeat(100_000)}`, 0, true], ["", 0, false]]) {
    const page = await browser.open(file + hash);
    await page.until(ready);
    check((await step(page)) === expected, `${hash.slice(0, 20)} leads to ${await step(page)}`);
    check(((await page.value(`document.querySelector(".word").textContent`)) !== "") === word, `${hash.slice(0, 20)} has a word: ${!word}`);
    if (hash === "#step=2") {
      await page.press("ArrowRight");
      await page.until(`location.hash === "#step=3"`);
      await page.value(`void (location.hash = "#step=1")`);
      await page.until(`Number(document.querySelector(".viewer .number").value) === 1`);
    }
    check(page.errors.length === 0, page.errors.join("; "));
    await page.close();
  }
}

// How long steps take, from the key to the layout, and how much is drawn.
async function times(page, count) {
  const from = Math.floor(count / 2);
  const told = await page.value(`(() => {
    const slider = document.querySelector("input[type=range]");
    const times = [];
    let most = 0;
    const go = (step) => {
      const since = performance.now();
      slider.value = String(step);
      slider.oninput();
      document.body.getBoundingClientRect();
      times.push(performance.now() - since);
      most = Math.max(most, document.querySelectorAll(".sheet *").length);
    };
    go(${count});
    go(${from});
    const far = times.splice(0);
    for (let k = 1; k <= 50; k += 1) go(Math.min(${count}, ${from} + k));
    times.sort((a, b) => a - b);
    return { far, middle: times[25], worst: times[49], most };
  })()`);
  check(told.most < 3000, `a step is drawn with ${told.most} elements`);
  const ms = (time) => `${time.toFixed(1)} ms`;
  return `50 steps: ${ms(told.middle)} in the middle, ${ms(told.worst)} at worst; to the end and back: ${told.far.map(ms).join(", ")}; at most ${told.most} elements`;
}

async function comparing(page) {
  const parts = () => page.value(`[...document.querySelectorAll(".parting button")].find((button) => button.textContent === "Where they part").click()`);
  await page.press("ArrowRight");
  check((await step(page, 0)) === 1 && (await step(page, 1)) === 1, "both go on together");
  await parts();
  const [a, b] = [await step(page, 0), await step(page, 1)];
  check(a >= 1 && b <= a, `they part at ${a} and ${b}`);
  await page.click(".parting button[aria-pressed]");
  await page.press("Home");
  check((await step(page, 0)) === 0 && (await step(page, 1)) === b, "one goes alone");
  return `they part at step ${a}`;
}

// A viewer inside another page: texts are no markup, and subterms are picked by the mouse and by keys.
async function embedded(page) {
  const rule = { name: "<b>r</b>", law: "<i>a</i> --> <u>b</u>", conditions: ["<img src=x>"], summary: "<b>s</b>", exactness: "<b>e</b>" };
  const derivation = {
    title: "<b>t</b>", model: "<b>m</b>", schedule: "<b>s</b>", type: "<b>t</b>", source: "<b>", script: "</script>", stopped: "<b>s</b>",
    blocks: [[-2, "left", "v<b>a</b>"], [-2, "right", "nb"], [0, "", 1, 0, "o+", "  ", 2], [-2, "left", "vc"]],
    first: 2, rules: [rule], works: [["n", "n", 3], ["<b>", "<b>", 4]], work: 0, steps: [[0, ".left", 1, 0, [[0, 3]]]],
    stages: [{ title: "<b>g</b>", depth: 0, start: 0, end: 1, work: [0, 1] }],
  };
  const found = await page.value(`(() => {
    const box = document.createElement("div");
    box.id = "embedded";
    document.body.append(box);
    globalThis.asked = [];
    const options = { compact: true, onSubterm: (at) => asked.push(at), onRule: (name) => asked.push(name) };
    globalThis.inner = Viewer(box, ${JSON.stringify(derivation)}, options);
    inner.go(1);
    box.querySelector(".name button").click();
    return { step: inner.step, markup: box.querySelectorAll("b, i, u, img").length, text: box.textContent,
      landmarks: box.querySelectorAll("main, nav, aside").length };
  })()`);
  check(found.markup === 0, "texts of a derivation became markup");
  check(found.step === 1 && found.landmarks === 0, "the embedded viewer goes on, and has no landmarks of its own");
  for (const part of [rule.name, rule.summary, "<i>a</i>", "<u>b</u>", "<img src=x>", "<b>g</b>", "<b>a</b>"]) {
    check(found.text.includes(part), `${part} isn't shown`);
  }
  await page.settled();
  await page.click("#embedded .contractum-panel .r-n");
  await page.value(`document.querySelector("#embedded .redex-panel .sheet").focus()`);
  for (const key of ["Enter", "ArrowRight", "Enter", "ArrowUp", "Enter", "ArrowDown", "Enter", "Escape"]) await page.press(key);
  const asked = await page.value("asked");
  check(asked.join(" ") === "<b>r</b> .right .right . .left", `what was picked: ${asked.join(" ")}`);
  await page.value(`inner.destroy(); document.getElementById("embedded").remove()`);
}

const text = axe();
if (!text) console.log("axe-core isn't there, and can't be had: accessibility isn't checked");
const browser = await Browser.start();
try {
  for (const file of process.argv.slice(2)) {
    console.log(file);
    const since = Date.now();
    const page = await browser.open(file);
    await page.until(ready);
    const size = readFileSync(file).length;
    console.log(`  ready after ${Date.now() - since} ms; ${(size / 1e6).toFixed(2)} MB`);
    check(size <= 3e6, `the page has ${size} bytes, more than 3 MB`);
    const count = await page.value(`Number(document.querySelector("input[type=range]").max)`);
    const said = [];
    if (await page.value(`Boolean(document.querySelector(".sides"))`)) {
      said.push(await comparing(page));
    } else {
      await keys(page, count);
      await slider(page, count);
      await search(page);
      await stages(page);
      await whys(page);
      await page.value(`(() => { const slider = document.querySelector("input[type=range]"); slider.value = ${Math.floor(count / 2)}; slider.oninput(); })()`);
      said.push(await folding(page, count));
      await links(browser, file, count);
      said.push(await times(page, count));
    }
    await embedded(page);
    await themes(page);
    await narrow(page);
    for (const dark of text ? [false, true] : []) {
      await page.theme(dark);
      for (const found of await serious(page, text)) check(false, `${dark ? "dark" : "light"}: ${found}`);
      await page.size(360, 740);
      for (const found of await serious(page, text)) check(false, `${dark ? "dark" : "light"}, 360: ${found}`);
      await page.size(1280, 800);
    }
    check(page.errors.length === 0, page.errors.join("; "));
    await page.close();
    for (const line of said) console.log(`  ${line}`);
  }
} finally {
  await browser.close();
}
console.log(wrong === 0 ? "all is well" : `${wrong} wrong`);
process.exitCode = wrong === 0 ? 0 : 1;
