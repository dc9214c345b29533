// axe-core, which looks for what keeps people from using a page. From npm, and only if what came is what is expected.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const AXE = { name: "axe-core@4.10.3", file: "axe-core-4.10.3.tgz" };
AXE.integrity = "sha512-Xm7bpRXnDSX2YE2YFfBk2FnF0ep6tmG7xPh8iHee8MIcrgq762Nkce856dYtJYLkuIoYZvGfTs/PbZhideTcEg==";
const target = join(import.meta.dirname, "../../target");

// Its text; none where there's no network.
export function axe() {
  const file = join(target, AXE.file);
  try {
    mkdirSync(target, { recursive: true });
    if (!existsSync(file)) execFileSync("npm", ["pack", AXE.name, "--pack-destination", target], { stdio: "pipe", timeout: 60_000 });
  } catch {
    return undefined;
  }
  const sum = `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}`;
  if (sum !== AXE.integrity) throw new Error(`${AXE.file} isn't the one expected: ${sum}`);
  return execFileSync("tar", ["-xzOf", file, "package/axe.min.js"], { maxBuffer: 1 << 24 }).toString();
}

// What it calls serious or critical in a page as it is now.
export async function serious(page, text) {
  await page.value(`${text}; true`);
  return page.value(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations
    .filter((one) => ["serious", "critical"].includes(one.impact))
    .map((one) => one.id + ": " + one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")))`);
}
