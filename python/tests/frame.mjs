// A document with frames of pages in it, as a notebook has them: `node frame.mjs FILE`. Each frame's viewer begins, shows what a
// step costs, and reaches nothing of what stands around it.

import { Browser, needed } from "../../web/tests/browser.mjs";

needed();
const browser = await Browser.start();
const frames = [];
browser.listeners.push(({ method, params }) => {
  if (method === "Target.attachedToTarget" && params.targetInfo.type === "iframe") frames.push(params.sessionId);
});
const page = await browser.open("about:blank", { width: 1000, height: 1400 });
await page.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
await page.go(process.argv[2]);
const count = await page.value("document.querySelectorAll('iframe').length");

async function value(frame, expression) {
  const { result } = await browser.send("Runtime.evaluate", { expression, returnByValue: true }, frame);
  return result.value;
}

// What isn't so in the end is said.
async function until(holds, seconds = 20) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
    if (await holds()) return true;
    await new Promise((done) => setTimeout(done, 50));
  }
  return false;
}

const wrong = [];
if (!(await until(() => count > 0 && frames.length === count))) wrong.push(`${frames.length} of ${count} frames are there`);
for (const frame of frames) {
  if (!(await until(() => value(frame, "document.documentElement.classList.contains('ready')")))) wrong.push("a viewer didn't begin");
  const text = await value(frame, "document.querySelector('#page')?.innerText ?? ''");
  if (!text.toLowerCase().includes("work")) wrong.push(`a viewer says ${text}`);
  const reached = await value(frame, "(() => { try { return parent.document.title; } catch (error) { return error.name; } })()");
  if (reached !== "SecurityError") wrong.push(`a page reaches the notebook: ${reached}`);
}
await browser.close();
wrong.forEach((one) => console.log(one));
process.exit(wrong.length ? 1 : 0);
