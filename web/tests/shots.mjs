// Pictures of a page at three widths in both themes: node shots.mjs PAGE.html[#step=K] PREFIX writes PREFIX-360-light.png and
// five more.

import { Browser } from "./browser.mjs";

const [address, prefix] = process.argv.slice(2);
const browser = await Browser.start();
for (const [width, height] of [[360, 760], [900, 720], [1440, 900]]) {
  for (const theme of ["light", "dark"]) {
    const page = await browser.open(address, { width, height, dark: theme === "dark" });
    await page.until("document.querySelector('.sheet .line')");
    await page.settled();
    await page.screenshot(`${prefix}-${width}-${theme}.png`);
    await page.close();
  }
}
await browser.close();
