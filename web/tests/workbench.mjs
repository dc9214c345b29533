// The workbench in Chromium, from a file:
//
//     node web/tests/workbench.mjs web/dist/workbench.html [FOLDER FOR SCREENSHOTS]
//
// A model is typed in, a schedule is run, stepped and undone; rules are asked about; a lesson is solved; a long run is
// stopped; the page is loaded again, and a link is opened elsewhere. Figures are reported, not asserted.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { axe, serious } from "./axe.mjs";
import { Browser } from "./browser.mjs";

const [file, folder] = process.argv.slice(2);
const address = pathToFileURL(resolve(file)).href;
const browser = await Browser.start();
const page = await browser.open(address, { width: 1440, height: 900 });

const $ = (id) => `document.getElementById(${JSON.stringify(id)})`;
const text = (id, of = page) => of.value(`${$(id)}.innerText`);
const idle = (of = page) => of.until("document.body.dataset.ready && !Core.isBusy() && document.body.dataset.settled === 'true'", 60);

async function click(id) {
  await page.value(`${$(id)}.click()`);
  await idle();
}

async function write(id, words) {
  await page.value(`(() => { const area = ${$(id)}; area.focus(); area.select(); })()`);
  if (words === "") await page.press("Backspace");
  else await page.type(words);
}

async function line(words) {
  await page.value("Panels.show('console')");
  await write("line", words);
  await page.press("Enter");
  await page.until(`[...document.querySelectorAll('.asked')].at(-1)?.innerText === ${JSON.stringify(words)}`);
  await idle();
  return (await page.value("document.querySelector('#record > :last-child .said')?.innerText ?? ''")).trim();
}

// Until `undo()`, the page has its requests of a kind answered by `how`, a function of `ask` and the request.
const answered = (kind, how) => page.value(`(() => {
  const ask = Core.ask;
  window.undo = () => (Core.ask = ask, undefined);
  Core.ask = (request) => (request.do === ${JSON.stringify(kind)} ? (${how})(ask, request) : ask(request));
})()`);

// For a page of its own: the worker's text with something else in it.
const patched = (from, to) => `{
  const Plain = Blob;
  const change = (part) => (typeof part === "string" ? part.replace(${JSON.stringify(from)}, () => ${JSON.stringify(to)}) : part);
  window.Blob = class extends Plain { constructor(parts, options) { super(parts.map(change), options); } };
}`;

const tests = {
  async "is ready, and says so"() {
    await idle();
    report("time until ready", `${await page.value("document.body.dataset.ready")} ms`);
    assert.equal(await text("status"), "ready");
    assert.match(await text("term"), /ifold n/);
    assert.match(await text("lessons"), /^Redexter shows what the order of optimisations does[^]*0\.\s+Reading terms/, "who is new is welcomed");
  },

  async "a model is typed in, and what is wrong with it is said in place"() {
    await page.value(`(() => { const models = ${$("models")}; models.value = "my.arr"; models.dispatchEvent(new Event("change")); })()`);
    await page.until("document.getElementById('model-text').value.includes('dot')");
    await idle();
    await write("model-text", "def twice {n} (x : array n reall) : array n real :=\n  build n (fun i => (build n (fun j => x[j] + x[j]))[i])\n");
    await page.until("document.querySelector('#model .finding')?.innerText.includes('reall')");
    assert.match(await text("model"), /line 1 unknown type `reall`/);
    await write("model-text", "def twice {n} (x : array n real) : array n real :=\n  build n (fun i => (build n (fun j => x[j] + x[j]))[i])\n");
    await page.until("!document.querySelector('#model .finding')");
    await page.until("document.querySelector('#model .layer .r-k')");
    assert.equal(await page.value("document.querySelector('#model .layer').textContent.trimEnd()"), (await page.value(`${$("model-text")}.value`)).trimEnd());
  },

  async "a schedule is completed, run, and undone"() {
    await write("schedule-text", "normalize(getBu");
    await page.press("Tab");
    await page.until(`${$("schedule-text")}.value === "normalize(getBuild"`);
    await page.type(" <+ beta <+ letSubst)");
    await page.press("Enter", 2);
    await page.until(`${$("steps")}.innerText === "step 3"`);
    await idle();
    assert.match(await text("status"), /^done after 3 steps; work \d/);
    assert.ok(await page.value(`${$("record")}.scrollTop + ${$("record")}.clientHeight >= ${$("record")}.scrollHeight - 2`));
    assert.match(await text("term"), /x\[i\] \+ x\[i\]/);
    await click("undo");
    assert.match(await text("term"), /\(fun j =>|build n \(fun j/);
    await click("redo");
    assert.equal(await text("steps"), "step 3");
  },

  async "what is typed while candidates come stays as it is typed"() {
    await write("schedule-text", "ge");
    await page.press("Tab");
    await page.until("!document.getElementById('schedule-text-list').hidden");
    await answered("complete", "(ask, request) => new Promise((done) => setTimeout(done, 60)).then(() => ask(request))");
    for (const letters of ["t", "B", "ui"]) await page.type(letters);
    await new Promise((done) => setTimeout(done, 400));
    await page.value("undo()");
    assert.equal(await page.value(`${$("schedule-text")}.value`), "getBui");
    await page.press("Tab");
    await page.until(`${$("schedule-text")}.value === "getBuild"`);
    await write("schedule-text", "normalize(getBuild <+ beta <+ letSubst)");
  },

  async "Escape, then Tab leaves an editor"() {
    await write("schedule-text", "ge");
    await page.press("Tab");
    await page.until("!document.getElementById('schedule-text-list').hidden");
    await page.press("Escape");
    await page.press("Tab");
    assert.notEqual(await page.value("document.activeElement.id"), "schedule-text");
    assert.equal(await page.value(`${$("schedule-text")}.value`), "ge");
    await write("schedule-text", "normalize(getBuild <+ beta <+ letSubst)");
  },

  async "Help says the window's keys, and Reset asks first"() {
    await click("help");
    assert.match(await page.value("document.querySelector('#record > :last-child .said').innerText"), /^keys of this window\n +Ctrl-Enter .*:load/s);
    await click("reset");
    assert.ok(await page.value(`${$("sure")}.open`));
    await page.press("Escape");
    assert.ok(!(await page.value(`${$("sure")}.open`)));
  },

  async "it is stepped through, and its derivation walked"() {
    await click("step");
    assert.match(await text("steps"), /step 1, more pending/);
    await click("continue");
    assert.equal(await text("steps"), "step 3");
    await page.value("Panels.view('derivation')");
    await page.until("document.querySelector('#walk mark.contractum, #walk mark.redex')");
    await page.value("Panels.view('term-view')");
  },

  async "what is wrong with a schedule is said in place"() {
    await write("schedule-text", "normalize(getBuild)\nnormalize(bett)");
    await click("run");
    await page.until("document.querySelector('#schedule .finding')");
    assert.match(await text("schedule"), /line 2/);
    await page.value('Core.ask({ do: "put", name: "wrong.strat", text: "// so\\nstrategy s = betta;" })');
    await write("schedule-text", "normalize(getBuild)\n:load wrong.strat");
    await click("run");
    await page.until("document.querySelector('#schedule .finding')?.innerText.includes('wrong.strat, line 2: ')");
    assert.equal(await page.value("document.querySelectorAll('#schedule .place').length"), 0);
    await write("schedule-text", "normalize(getBuild <+ beta <+ letSubst)");
  },

  async "a subterm is picked, a rewrite taken, a breakpoint set"() {
    await line(":goto 0");
    await page.value("document.querySelector('#term .r-k:nth-of-type(1)').click()");
    await page.until("document.querySelector('#choices li')");
    await idle();
    assert.match(await text("choices"), /getBuild/);
    await page.value("document.querySelector('#choices li button').click()");
    await idle();
    assert.match(await text("steps"), /step 1/);
    await line(":break letSubst");
    await page.value("Panels.show('history')");
    assert.match(await text("breakpoints"), /letSubst/);
    assert.match(await text("log"), /here/);
    await click("run");
    assert.match(await text("steps"), /step 2, more pending/);
    await page.value("document.querySelector('#breakpoints button').click()");
    await idle();
    await click("continue");
    assert.equal(await text("steps"), "step 3");
    assert.ok((await page.value("document.querySelectorAll('#log .branch').length")) > 0, "a branch");
  },

  async "what is listed is what is taken"() {
    await line(":goto 0");
    await line(":possible");
    const all = await page.value("document.querySelectorAll('#choices li').length");
    await line(":possible .body");
    assert.match(await text("choices"), /at \.body and below/);
    assert.ok((await page.value("document.querySelectorAll('#choices li').length")) <= all);
    const rule = await page.value("(() => { const row = document.querySelector('#choices li'); row.querySelector('button').click(); return row.querySelector('.l-rule').textContent.split(',')[0]; })()");
    await idle();
    assert.ok((await page.value("[...document.querySelectorAll('#record .said')].at(-1).textContent")).includes(rule), rule);
    await line(":goto 0");
    await line(":possible");
    await line(":at .body");
    assert.equal(await page.value("document.querySelectorAll('#choices li').length"), 0);
    await line(":top");
  },

  async "lines that come at once are taken in their order"() {
    await page.value(`(() => {
      for (const words of ["(1 +", "2)", "3 +", ":help take", "4"]) {
        ${$("line")}.value = words;
        ${$("line-form")}.requestSubmit();
      }
    })()`);
    await idle();
    const asked = await page.value("[...document.querySelectorAll('.asked')].slice(-4).map((entry) => entry.textContent)");
    assert.deepEqual(asked, ["(1 +\n2)", "3 +", ":help take", "4"]);
    await answered("whole", "() => Promise.reject(Object.assign(new Error('ended'), { stopped: true }))");
    assert.equal(await line("5 + 6"), "11");
    await page.value("undo()");
  },

  async "a line was answered, even where what is then asked isn't"() {
    await answered("state", "() => Promise.reject(Object.assign(new Error('ended'), { bug: 'harm' }))");
    await line("let more = 1;");
    await page.value("undo()");
    assert.doesNotMatch(await text("record"), /harm/);
    await answered("term", "async () => ({ findings: [{ headline: 'too large to be laid out' }] })");
    await page.value("TermView.refresh()");
    assert.equal(await text("no-term"), "too large to be laid out");
    await page.value("undo()");
    await page.value("TermView.refresh()");
    assert.ok(await page.value(`${$("no-term")}.hidden`));
  },

  async "a rule is asked why it doesn't apply"() {
    await page.value("Panels.show('rules')");
    await write("rule-filter", "getBuild");
    await page.value("document.querySelector('#rule-list button').click()");
    await page.until("document.querySelector('#rule-answer .said')");
    await idle();
    assert.match(await text("rule-answer"), /getBuild/);
    await write("rule-filter", "");
  },

  async "it is said whether the schedule ends, and nothing runs"() {
    const [kept, before] = await page.value("[Program.kept().schedule, Workbench.state().step]");
    await write("schedule-text", "strategy round = normalize(distribute <+ factor);\nround\nnormalize(mulOne);");
    await page.value("Panels.show('rules')");
    await click("ends");
    await page.until("document.querySelectorAll('#rule-answer .said').length === 2");
    await idle();
    assert.match(await text("rule-answer"), /round: loops[^]*distribute at[^]*what would end it[^]*normalize\(mulOne\): ends/);
    assert.equal(await page.value("Workbench.state().step"), before);
    await write("schedule-text", kept);
  },

  async "orders and interactions come as tables"() {
    await page.value("Panels.show('comparing')");
    await write("strategies", "topDown(getBuild) | normalize(beta) | normalize(letSubst)");
    await line(":goto 0");
    await page.value("Panels.show('comparing')");
    await click("orders");
    await page.until("document.querySelectorAll('#compared tbody tr').length >= 3");
    await click("interact");
    await page.until("document.querySelectorAll('#compared thead th').length === 4");
  },

  async "two strategies are walked side by side"() {
    await page.value("Panels.show('comparing')");
    await write("strategies", "topDown(getBuild) | topDown(getBuild) ; normalize(beta)");
    await click("compare");
    await page.until("[...document.querySelectorAll('#compared button')].some((b) => b.textContent === 'Step by step')");
    await page.value("[...document.querySelectorAll('#compared button')].find((b) => b.textContent === 'Step by step').click()");
    await page.until("document.querySelectorAll('#two .viewer .sheet .line').length > 1");
    const steps = () => page.value("[...document.querySelectorAll('#two .number')].map((field) => Number(field.value))");
    await page.value("[...document.querySelectorAll('#two .parting button')].find((b) => b.textContent === 'Where they part').click()");
    assert.deepEqual(await steps(), [1, 2]);
    await page.press("Home");
    assert.deepEqual(await steps(), [0, 0]);
    await page.press("Escape");
    await page.until("!document.getElementById('beside').open && document.querySelector('#two .viewer') === null");
  },

  async "a term is evaluated and counted on random input, and exported"() {
    await page.value("Panels.show('evaluating')");
    await page.value(`${$("random")}.click()`);
    await page.until(`${$("inputs")}.value.startsWith("x=[")`);
    await click("evaluate");
    assert.match(await text("value"), /^\[[-\d., e]+\]/);
    await click("count");
    assert.match(await text("value"), /flops/);
    await click("futhark");
    await page.until("document.getElementById('copy-futhark')");
    await page.value("navigator.clipboard.writeText = async (text) => { window.copied = text; }");
    await page.value("document.getElementById('copy-futhark').click()");
    await page.until("window.copied?.startsWith('-- Exported by redexter.')");
  },

  async "a lesson is solved"() {
    await page.value("Panels.show('lessons')");
    await page.until("document.querySelectorAll('#lesson-list li').length >= 12");
    await page.value("document.querySelectorAll('#lesson-list button')[1].click()");
    await page.until("document.querySelector('#lesson h3')");
    await idle();
    assert.equal(await page.value(`${$("schedule-text")}.value`), "", "what was written for another program is gone");
    assert.match(await page.value("[...document.querySelectorAll('#lesson code')].find((code) => code.textContent === 'topDown(s)').title"), /^topDown\(s\): /);
    assert.match(await text("lesson"), /The goal/);
    const chosen = "document.getElementById('models').selectedOptions[0].textContent";
    assert.equal(await page.value(chosen), "lesson: fusion", "what the box names is what runs");
    const parts = "['#lesson > p code', '#lesson li code', '#lesson p em', '#lesson pre .r-k', '#lesson .laws dt'].filter((part) => !document.querySelector(part))";
    assert.deepEqual(await page.value(parts), []);
    assert.doesNotMatch(await page.value("[...document.querySelectorAll('#lesson > p')].map((p) => p.textContent).join()"), /[`*]/);
    await page.value("document.querySelector('#lesson-actions button').click()");
    await page.until("document.querySelector('#hint-1 p')");
    await idle();
    await write("schedule-text", "getBuild");
    await page.value(`${$("run")}.click()`);
    await page.until("document.querySelector('#lesson-said .short')");
    await idle();
    assert.match(await text("lesson-said"), /^It fails.*The whole term is a function/s);
    await write("schedule-text", "normalize(getBuild <+ beta <+ letSubst)");
    await page.value(`${$("run")}.click()`);
    await page.until("document.querySelector('#lesson-list .down')");
    await idle();
    assert.match(await text("lesson-actions"), /Next lesson/);
    assert.match(await text("lesson-said"), /^Reached in 3 steps/);
    await write("schedule-text", "topDown(getBuild) ;\ntopDown(beta) // then\ntopDown(letSubst)");
    await click("run");
    assert.match(await text("lesson-said"), /^Reached in 3 steps[^]*With 3 attempts/, "several lines are one attempt");
    await write("schedule-text", "normalize(getBuid)");
    await click("run");
    assert.doesNotMatch(await text("lesson-said"), /Reached/, "a verdict isn't that of another answer");
    // Who chooses another program is done with the lesson.
    await page.value(`(() => { const models = ${$("models")}; models.value = "my.arr"; models.dispatchEvent(new Event("change")); })()`);
    await idle();
    assert.equal(await page.value("Lessons.kept().lesson"), undefined);
    await line(":goto 0");
    await page.value("Panels.show('rules')");
    await write("schedule-text", "getBuild");
    await click("run");
    await new Promise((done) => setTimeout(done, 500));
    assert.match(await text("schedule"), /getBuild/);
    assert.match(await text("write"), /getBuild does not match/, "a run that failed says so, whatever panel is open");
    await write("schedule-text", "normalize(getBuild <+ beta <+ letSubst)");
  },

  async "a lesson is solved by clicks alone, which make a schedule"() {
    await line(":lesson fusion");
    for (let k = 0; k < 6 && !/Reached/.test(await text("lesson-said")); k += 1) {
      await page.value("document.querySelector('#term .r-k').click()");
      await page.until("document.querySelector('#choices li button')");
      await idle();
      await page.value("document.querySelector('#choices li button').click()");
      await idle();
    }
    assert.match(await text("lesson-said"), /^Reached in 3 steps/);
    const schedule = await page.value(`${$("schedule-text")}.value`);
    assert.match(schedule, /getBuild[^]*beta[^]*letSubst/);
    await click("run");
    assert.match(await text("lesson-said"), /^Reached in 3 steps/, "the schedule says the same");
    await line(":lesson stop");
    await page.until("document.getElementById('models').value !== ''");
  },

  async "the verdict stands beside the schedule, by keys alone, in each size and theme"() {
    for (const [width, height] of [[1440, 900], [390, 844]]) {
      await page.size(width, height);
      for (const dark of [false, true]) {
        await page.theme(dark);
        await line(":lesson fusion");
        await write("schedule-text", "topDown(getBuild)");
        await page.press("Enter", 2);
        await page.until("document.querySelector('#lesson-said .short')");
        await idle();
        const [from, to, seen] = await page.value(`[${$("schedule")}.getBoundingClientRect().bottom, ${$("lesson-said")}.getBoundingClientRect().top,
          ${$("lesson-said")}.getBoundingClientRect().top < innerHeight]`);
        assert.ok(to - from < 160 && seen, `${to - from} pixels below in ${width}`);
        await line(":lesson stop");
      }
    }
    await page.theme(false);
    await page.size(1440, 900);
  },

  async "what was done is saved, and handed in where the server says"() {
    await line(":lesson fusion");
    await page.value("(Files.download = (name, text) => { window.saved = [name, text]; }, undefined)");
    await page.value("[...document.querySelectorAll('#lesson-actions button')].find((b) => b.textContent === 'Save report').click()");
    await page.until("window.saved");
    await idle();
    const [name, report] = await page.value("window.saved");
    assert.equal(name, "lessons.json");
    assert.equal(JSON.parse(report).lessons[0].lesson, "fusion");
    assert.equal(await page.value("document.querySelector('#lesson-actions form')"), null, "from a file nothing is sent");
    await line(":lesson stop");
    const got = [];
    const server = createServer((request, response) => {
      if (request.method === "POST") request.on("data", (part) => got.push(part.toString())).on("end", () => response.end("thanks"));
      else response.setHeader("content-type", "text/html").end(readFileSync(file));
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    const at = `http://127.0.0.1:${server.address().port}/`;
    const elsewhere = await browser.open(`${at}?hand-in=https://example.org/#lesson=1`);
    await idle(elsewhere);
    assert.equal(await elsewhere.value("document.querySelector('#lesson-actions form')"), null, "to no other server");
    await elsewhere.close();
    const other = await browser.open(`${at}?hand-in=/submit#lesson=3`);
    await idle(other);
    assert.match(await text("lesson", other), /^What has a name is computed once/);
    await other.value(`(() => {
      const form = document.querySelector("#lesson-actions form");
      form.target = "";
      form.elements.name.value = "Ada";
      form.requestSubmit();
    })()`);
    for (let k = 0; k < 100 && got.length === 0; k += 1) await new Promise((done) => setTimeout(done, 100));
    const sent = new URLSearchParams(got.join(""));
    assert.equal(sent.get("name"), "Ada");
    assert.equal(JSON.parse(sent.get("report")).lessons[0].lesson, "sharing");
    await other.close();
    server.close();
  },

  async "text is never markup"() {
    const before = await page.value("document.querySelectorAll('img, iframe').length");
    const tag = "<img src=x onerror=window.harmed=1>";
    await line(`print("${tag}</script><script>window.harmed=1</script>")`);
    await line(`:tag ${tag}`);
    await write("schedule-text", `normalize(${tag})`);
    await click("run");
    await page.value(`Core.ask({ do: "get", name: "lessons/01-fusion.md" }).then(({ text }) => Program.open("harm.md", text
      .replace("# An", ${JSON.stringify(`# ${tag} An`)})
      .replace("The law", ${JSON.stringify(`${tag} **${tag}** [x${tag}](javascript:window.harmed=1) The law`)}))).then(() => true)`);
    await idle();
    assert.ok((await text("lesson")).split(tag).length === 5, "a lesson's text stands there as it is");
    assert.equal(await page.value("document.querySelectorAll('#lesson a').length"), 0);
    await line(":lesson stop");
    const model = await page.value(`${$("model-text")}.value`);
    await write("model-text", `def ${tag} := ${tag}`);
    await page.until("document.querySelector('#model .finding')");
    await write("model-text", model);
    await page.until("!document.querySelector('#model .finding')");
    const session = `//: print(${JSON.stringify(tag)});\n//: ${tag}\n`;
    const state = { model: `${tag}.arr`, definition: tag, schedule: tag, session, files: { [`${tag}.arr`]: tag, [tag]: tag } };
    const other = await browser.open(await page.value(`Files.packed(${JSON.stringify(state)}).then((text) => location.href + "#state=" + text)`));
    await idle(other);
    assert.ok((await other.value(`${$("model-text")}.value`)).includes(tag));
    assert.ok((await text("record", other)).includes(tag));
    assert.equal(await other.value("window.harmed"), undefined);
    assert.equal(await other.value("document.querySelectorAll('img, iframe').length"), before);
    assert.deepEqual(other.errors, []);
    await other.close();
    assert.equal(await page.value("window.harmed"), undefined);
    assert.equal(await page.value("document.querySelectorAll('img, iframe').length"), before);
    await write("schedule-text", "normalize(getBuild <+ beta <+ letSubst)");
  },

  async "a long run is stopped at once, and the session is as it was"() {
    await line("let kept = 41;");
    await line(":set max-steps 1000000000000");
    await page.value("Panels.show('console')");
    await write("line", "loop { }");
    await page.press("Enter");
    await page.until("Core.isBusy()");
    await page.until(`${$("progress")}.innerText !== ""`);
    const took = await page.value(`(() => { const start = performance.now(); ${$("stop")}.click(); return performance.now() - start; })()`);
    await idle();
    report("time of Stop", `${took.toFixed(1)} ms`);
    assert.equal(await line("kept + 1"), "42");
  },

  async "a core that gives up begins anew, as it was"() {
    await line('let s = beta; for i in 0..100000 { s = topDown(s) <+ id; } print(s);');
    await idle();
    assert.match(await text("status"), /begins anew|stack/);
    assert.equal(await line("kept + 1"), "42");
  },

  async "a core that breaks begins anew, as it was"() {
    // The next worker's clock throws in the middle of one line.
    await page.value(`void (() => {
      const Own = Blob;
      const worse = (text) => text
        .replace("postMessage({ id, answer: ask(request) });", "self.broken = request.includes('broken'); postMessage({ id, answer: ask(request) });")
        .replace("now: () => performance.now()", "now: () => { if (self.broken) throw new Error('the clock broke'); return performance.now(); }");
      window.Blob = class extends Own {
        constructor(parts, options) {
          super(parts.map((part) => (typeof part === "string" ? worse(part) : part)), options);
        }
      };
      window.mend = () => (window.Blob = Own);
    })()`);
    await write("line", "loop { }");
    await page.press("Enter");
    await page.until("Core.isBusy()");
    await page.value(`void (${$("stop")}.click(), mend())`);
    await idle();
    assert.equal(await line("kept + 1"), "42");
    assert.match(await line("let broken = 1;"), /this is a bug in redexter: the clock broke/);
    assert.match(await text("status"), /the core ended: .*the clock broke; it begins anew/);
    assert.equal(await line("kept + 1"), "42");
    assert.match(await line("broken"), /broken/);
  },

  async "what was done before a request is kept where that one is stopped"() {
    const stopped = await page.value(`(async () => {
      await Core.ask({ do: "submit", line: "let two = 2;" });
      const asked = Core.ask({ do: "derivation" }).then(() => "answered", (error) => error.stopped);
      Core.stop();
      return asked;
    })()`);
    assert.equal(stopped, true);
    assert.equal(await line("two + 1"), "3");
  },

  async "a session too large to be copied goes on from its text"() {
    const other = await browser.open(address, { storage: patched("400 << 20", "0") });
    await idle(other);
    const said = await other.value(`(async () => {
      await Core.ask({ do: "put", name: "own.arr", text: "def one : real := 1" });
      await Core.ask({ do: "submit", line: "let kept = 41;" });
      const asked = Core.ask({ do: "submit", line: "loop { }" }).catch((error) => error);
      Core.stop();
      const { stopped, lost } = await asked;
      const { text } = await Core.ask({ do: "submit", line: "kept + 1" });
      return [stopped, lost, text[0][1].trim(), (await Core.ask({ do: "get", name: "own.arr" })).text];
    })()`);
    assert.deepEqual(said, [true, false, "42", "def one : real := 1"]);
    // Too large even for that: what the browser keeps isn't replaced by this page. Others may write theirs meanwhile.
    const third = await browser.open(address, { storage: `${patched("400 << 20", "0")}${patched("text ?? null", "null")}` });
    await idle(third);
    await third.value(`(async () => {
      await Core.ask({ do: "submit", line: "let kept = 41;" });
      const asked = Core.ask({ do: "submit", line: "loop { }" }).catch((error) => error);
      Core.stop();
      await asked;
      window.written = 0;
      const set = Storage.prototype.setItem;
      Storage.prototype.setItem = function (...args) { window.written += 1; return set.apply(this, args); };
      Workbench.keep();
    })()`);
    await third.until(`${$("status")}.innerText.includes("the session is gone")`);
    await new Promise((done) => setTimeout(done, 700));
    assert.equal(await third.value("window.written"), 0);
    for (const one of [other, third]) {
      assert.deepEqual(one.errors, []);
      await one.close();
    }
  },

  async "a core that can't begin is said to be so, and not begun for ever"() {
    const counted = "const Made = Worker; window.made = 0; window.Worker = class extends Made { constructor(url) { super(url); window.made += 1; } };";
    const other = await browser.open(address, { storage: `${patched("core = new", 'throw new Error("refused"); core = new')}${counted}` });
    await other.until(`${$("status")}.innerText.includes("can't begin")`);
    await new Promise((done) => setTimeout(done, 200));
    assert.equal(await other.value("window.made"), 3);
    assert.deepEqual(other.errors, []);
    await other.close();
  },

  async "a term that can't be laid out is said to be so"() {
    await page.value(`(async () => {
      const { ask } = Core;
      Core.ask = (request) => (request.do === "term" ? Promise.resolve({ findings: [{ headline: "stopped after 9 seconds" }] }) : ask(request));
      await TermView.refresh();
      Core.ask = ask;
    })()`);
    assert.equal(await text("no-term"), "stopped after 9 seconds");
    await page.value("TermView.refresh()");
    assert.ok(await page.value(`${$("no-term")}.hidden`));
  },

  async "the page is loaded again with its state"() {
    await page.value("Program.open('mine.strat', 'strategy mine = normalize(getBuild);')");
    await idle();
    await click("run");
    const [term, steps] = [await text("term"), await text("steps")];
    await page.until("localStorage.getItem('redexter-workbench')?.includes('letSubst')");
    await line(":tag end");
    await line(":lesson 1");
    await line(":goto @end");
    await new Promise((done) => setTimeout(done, 700));
    await page.reload();
    await idle();
    assert.deepEqual([await text("term"), await text("steps")], [term, steps]);
    assert.match(await text("status"), /^the session is as it was, at step 3/);
    await page.value("Panels.show('lessons')");
    assert.match(await text("lesson"), /^An array that is only read/);
    assert.doesNotMatch(await line(":lesson hint"), /error/);
    assert.match(await page.value(`${$("model-text")}.value`), /def twice/);
    assert.doesNotMatch(await line(":load mine.strat"), /error/);
  },

  async "what was kept stays where the session can't be, and that is said"() {
    const kept = () => page.value("localStorage.getItem('redexter-workbench')");
    const later = () => new Promise((done) => setTimeout(done, 700));
    await later();
    const before = await kept();
    await answered("save", "async () => ({ findings: [] })");
    await page.value("Workbench.keep()");
    await later();
    assert.equal(await kept(), before);
    await page.value("undo()");
    await page.value(`(() => {
      const set = Storage.prototype.setItem;
      window.undo = () => (Storage.prototype.setItem = set, undefined);
      Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
    })()`);
    await page.value("Workbench.keep()");
    await page.until(`${$("status")}.innerText.includes("keeps nothing of this size")`);
    await page.value("undo()");
  },

  async "a link opens elsewhere, and a broken one is said to be broken"() {
    await page.value("navigator.clipboard.writeText = async (text) => { window.copied = text; }");
    await click("link");
    await page.until("window.copied?.includes('#state=')");
    const link = await page.value("window.copied");
    report("a link", `${link.length} characters`);
    const empty = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused'); } });";
    const other = await browser.open(link, { width: 1440, height: 900, storage: empty });
    await idle(other);
    assert.equal(await text("term", other), await text("term"));
    assert.match(await text("status", other), /what the link holds/);
    assert.deepEqual(other.errors, []);
    await other.close();
    for (const broken of [link.slice(0, link.length - 40), `${address}#state=AAAA`, `${address}#${"x".repeat(5000)}`]) {
      const third = await browser.open(broken, { storage: empty });
      await idle(third);
      assert.match(await text("status", third), /can't be read/);
      assert.match(await text("term", third), /ifold n/);
      assert.deepEqual(third.errors, []);
      await third.close();
    }
  },

  async "a link's work stands beside one's own"() {
    const kept = (of) => of.value("localStorage.getItem('redexter-workbench')");
    const own = await kept(page);
    const link = await page.value(`Files.packed({ model: "models/vector_sum.arr", files: {} }).then((text) => location.href + "#state=" + text)`);
    const other = await browser.open(address);
    await idle(other);
    // The same document with another link is loaded anew.
    await other.value("window.first = true");
    await other.go(link);
    await other.until("window.first === undefined && document.body?.dataset.ready");
    await idle(other);
    assert.match(await text("status", other), /your own work is kept/);
    await other.value("Lines.send('let lent = 1;')");
    await new Promise((done) => setTimeout(done, 700));
    assert.equal(await kept(page), own);
    await other.reload();
    await idle(other);
    assert.equal(await other.value("Lines.send('lent + 1').then((answer) => answer.kind)"), "text");
    await other.value(`${$("adopt")}.click()`);
    await other.until("localStorage.getItem('redexter-workbench').includes('lent')");
    assert.ok(await other.value(`${$("adopt")}.hidden && !Files.borrowed()`));
    await other.value(`localStorage.setItem('redexter-workbench', ${JSON.stringify(own)})`);
    assert.deepEqual(other.errors, []);
    await other.close();
  },

  async "Stop ends what a link's session does"() {
    const session = "//: :set max-steps 1000000000000\n//: loop { }\n";
    const link = await page.value(`Files.packed({ files: {}, session: ${JSON.stringify(session)} }).then((text) => location.href + "#state=" + text)`);
    const other = await browser.open(link);
    await other.until(`${$("progress")}.innerText !== ""`);
    await other.value(`${$("stop")}.click()`);
    await idle(other);
    assert.equal(await other.value("Lines.send('1 + 1').then((answer) => answer.kind)"), "text");
    assert.deepEqual(other.errors, []);
    await other.close();
  },

  async "without WebAssembly there is a word"() {
    const bare = await browser.open(address, { storage: "delete window.WebAssembly;" });
    await bare.until(`${$("status")}.innerText.includes("no WebAssembly")`);
    assert.deepEqual(bare.errors, []);
    await bare.close();
  },

  async "nothing is wider than the window, from 360 pixels on"() {
    for (const width of [360, 800, 1024, 1200, 1600]) {
      await page.size(width, 800);
      for (const panel of ["console", "rewrites", "rules", "history", "comparing", "evaluating", "lessons"]) {
        await page.value(`Panels.show("${panel}")`);
        await page.settled();
        const wide = await page.value("document.documentElement.scrollWidth");
        assert.ok(wide <= width, `${panel} is ${wide} wide in ${width}`);
      }
    }
    await page.size(1440, 900);
  },

  async "nothing is serious to axe-core"() {
    const text = axe();
    if (!text) return report("SKIPPED", "axe-core isn't there, and can't be had");
    for (const words of [":lesson 5", ":lesson hint", "normalize(rotate ; one(factor))"]) await line(words);
    for (const dark of [false, true]) {
      await page.theme(dark);
      for (const panel of ["console", "rewrites", "rules", "history", "comparing", "evaluating", "lessons"]) {
        await page.value(`Panels.show("${panel}")`);
        assert.deepEqual(await serious(page, text), [], `${panel}, ${dark ? "dark" : "light"}`);
      }
    }
    await page.theme(false);
    await line(":lesson stop");
  },

  async "mixture's gradient"() {
    for (const words of [":load models/mixture.arr", "gradient", ":load strategies/gradient.strat"]) await line(words);
    const took = await page.value("(async () => { const start = performance.now(); await Core.ask({ do: 'submit', line: 'fastGradient' }); return performance.now() - start; })()");
    report("mixture's fastGradient", `${Math.round(took)} ms`);
    await line(":undo");
    await line(":redo");
    await page.value("Panels.view('derivation')");
    await page.until("document.querySelector('#walk mark')", 120);
    await page.value("Panels.view('term-view')");
  },
};

function report(what, value) {
  console.log(`      ${what}: ${value}`);
}

async function screenshots() {
  for (const [width, height] of [[360, 800], [900, 1000], [1440, 900]]) {
    for (const dark of [false, true]) {
      await page.size(width, height);
      await page.theme(dark);
      await page.settled();
      await page.screenshot(join(folder, `workbench-${width}-${dark ? "dark" : "light"}.png`));
    }
  }
}

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
    assert.deepEqual(page.errors.splice(0), [], "errors in the console");
    console.log(`ok    ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL  ${name}\n${error.stack}`);
    await idle().catch(() => {});
    page.errors.splice(0);
  }
}
if (folder) await screenshots();
await browser.close();
console.log(failed === 0 ? "all passed" : `${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
