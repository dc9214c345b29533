// The pictures of the README: node web/tests/pictures.mjs web/dist/workbench.html docs

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "./browser.mjs";

const [file, folder] = process.argv.slice(2);
const size = { width: 1440, height: 720 };
const browser = await Browser.start();
const held = mkdtempSync(join(tmpdir(), "redexter-pictures-"));

async function both(page, name) {
  for (const theme of ["light", "dark"]) {
    await page.theme(theme === "dark");
    await page.settled();
    await page.screenshot(join(folder, theme === "dark" ? `${name}-dark.png` : `${name}.png`));
  }
  await page.close();
}

const page = await browser.open(pathToFileURL(resolve(file)).href, size);
const idle = () => page.until("document.body.dataset.ready && !Core.isBusy() && document.body.dataset.settled === 'true'", 60);
const line = async (text) => {
  await page.value(`Lines.send(${JSON.stringify(text)}).then(() => true)`);
  await idle();
};
await idle();
for (const text of [":load models/dot.arr", "gradient", "fastGradient", ":export page dot.html"]) await line(text);
writeFileSync(join(held, "dot.html"), await page.value("Core.ask({ do: 'get', name: 'dot.html' }).then(({ text }) => text)"));
await page.value(`(() => { const models = document.getElementById("models"); models.value = "models/vector_sum.arr"; models.dispatchEvent(new Event("change")); })()`);
await idle();
await line(":step normalize(getBuild <+ letSubstN(1))");
await page.value("[...document.querySelectorAll('#term .r-k')].find((piece) => piece.textContent.includes('ifold')).click()");
await page.until("document.querySelector('#choices li')");
await idle();
await both(page, "workbench");

const derivation = await browser.open(`${join(held, "dot.html")}#step=12`, size);
await derivation.until("document.documentElement.classList.contains('ready') && document.querySelector('.sheet .line')");
await both(derivation, "page");
await browser.close();
rmSync(held, { recursive: true });
