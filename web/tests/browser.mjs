// A small driver of headless Chromium, over its debugging pipe: pages, scripts in them, keys, the mouse, screenshots.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

// The browser that there is: $CHROMIUM, or one on the path.
export function chromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = (process.env.PATH ?? "").split(delimiter);
  const names = ["chromium", "chromium-browser", "google-chrome"];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}

// Ends the process well where there is no browser: a test without one is skipped, and says so.
export function needed() {
  const found = chromium();
  if (found) return found;
  console.log("SKIPPED: no chromium, chromium-browser or google-chrome on the path, and no $CHROMIUM");
  process.exit(0);
}

export class Browser {
  static async start() {
    const browser = new Browser();
    const folder = mkdtempSync(join(tmpdir(), "redexter-browser-"));
    const flags = ["--headless=new", "--remote-debugging-pipe", `--user-data-dir=${folder}`, "--no-first-run", "--disable-gpu"];
    flags.push("--disable-dev-shm-usage", "--hide-scrollbars", "--force-color-profile=srgb");
    // Chromium's own sandbox needs another user than root; what is opened here is what was just built.
    if (process.getuid?.() === 0) flags.push("--no-sandbox");
    const child = spawn(needed(), flags, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    Object.assign(browser, { child, folder, waiting: new Map(), listeners: [], next: 0 });
    child.on("exit", () => browser.failed(new Error("the browser ended")));
    child.on("error", (error) => browser.failed(error));
    child.stdio[3].on("error", () => {});
    let rest = [];
    child.stdio[4].on("data", (chunk) => {
      let from = 0;
      for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, from)) {
        rest.push(chunk.subarray(from, end));
        browser.receive(JSON.parse(Buffer.concat(rest).toString()));
        rest = [];
        from = end + 1;
      }
      rest.push(chunk.subarray(from));
    });
    return browser;
  }

  failed(error) {
    this.error = error;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }

  receive(message) {
    if (message.id === undefined) {
      for (const listener of this.listeners) listener(message);
      return;
    }
    const { resolve: done, reject, method } = this.waiting.get(message.id) ?? {};
    this.waiting.delete(message.id);
    if (message.error) reject?.(new Error(`${method}: ${message.error.message}`));
    else done?.(message.result);
  }

  send(method, params = {}, sessionId = undefined) {
    if (this.error) return Promise.reject(this.error);
    this.next += 1;
    const id = this.next;
    return new Promise((done, reject) => {
      this.waiting.set(id, { resolve: done, reject, method });
      this.child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  // A page of its own. `address`: a file's path, or a URL. Options: width, height, dark.
  async open(address, { width = 1280, height = 800, dark = false, storage } = {}) {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, sessionId, targetId);
    for (const domain of ["Page", "Runtime", "Log"]) await page.send(`${domain}.enable`);
    await page.size(width, height);
    await page.theme(dark);
    if (storage) await page.send("Page.addScriptToEvaluateOnNewDocument", { source: storage });
    await page.go(address);
    return page;
  }

  async close() {
    this.child.removeAllListeners("exit");
    const ended = new Promise((done) => this.child.once("exit", done));
    this.send("Browser.close").catch(() => {});
    const late = setTimeout(() => this.child.kill("SIGKILL"), 5000);
    await ended;
    clearTimeout(late);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const KEYS = {
  ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Home: 36, End: 35, PageUp: 33, PageDown: 34, Enter: 13, Escape: 27, Tab: 9,
  Backspace: 8, " ": 32,
};

export class Page {
  constructor(browser, sessionId, targetId) {
    Object.assign(this, { browser, sessionId, targetId, errors: [], loads: [] });
    browser.listeners.push((message) => message.sessionId === sessionId && this.heard(message));
  }

  heard({ method, params }) {
    if (method === "Page.loadEventFired") this.loads.splice(0).forEach((done) => done());
    if (method === "Runtime.exceptionThrown") {
      const { exceptionDetails: details } = params;
      this.errors.push(details.exception?.description ?? details.text);
    }
    if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type)) {
      this.errors.push(params.args.map((part) => part.description ?? part.value).join(" "));
    }
    if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level)) this.errors.push(params.entry.text);
  }

  send(method, params) {
    return this.browser.send(method, params, this.sessionId);
  }

  async go(address) {
    const url = /^[a-z]+:/.test(address) ? address : pathToFileURL(resolve(address.replace(/#.*/, ""))).href + (/#.*/.exec(address)?.[0] ?? "");
    const loaded = new Promise((done) => this.loads.push(done));
    const { loaderId } = await this.send("Page.navigate", { url });
    // Another place in the same document is no load.
    if (loaderId) await loaded;
  }

  async reload() {
    const loaded = new Promise((done) => this.loads.push(done));
    await this.send("Page.reload");
    await loaded;
  }

  size(width, height, mobile = false) {
    return this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile });
  }

  theme(dark) {
    const features = [
      { name: "prefers-color-scheme", value: dark ? "dark" : "light" },
      { name: "prefers-reduced-motion", value: "reduce" },
    ];
    return this.send("Emulation.setEmulatedMedia", { media: "", features });
  }

  print(on) {
    return this.send("Emulation.setEmulatedMedia", { media: on ? "print" : "" });
  }

  // The value of an expression, or of a promise.
  async value(expression) {
    const { result, exceptionDetails: wrong } = await this.send("Runtime.evaluate", {
      expression, awaitPromise: true, returnByValue: true, userGesture: true,
    });
    if (wrong) throw new Error(wrong.exception?.description ?? wrong.text);
    return result.value;
  }

  // Waits until an expression holds.
  async until(expression, seconds = 20) {
    const end = Date.now() + 1000 * seconds;
    while (!(await this.value(`Boolean(${expression})`))) {
      if (Date.now() > end) throw new Error(`waited in vain for ${expression}; ${this.errors.join("; ")}`);
      await new Promise((done) => setTimeout(done, 25));
    }
  }

  // Two frames: what was asked for is drawn.
  settled() {
    return this.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))");
  }

  // A key: a name such as ArrowLeft, or a character; with modifiers 1 Alt, 2 Control, 4 Meta, 8 Shift.
  async press(key, modifiers = 0) {
    const text = key.length === 1 ? key : key === "Enter" ? "\r" : undefined;
    const code = KEYS[key] ?? key.toUpperCase().charCodeAt(0);
    const event = { key, modifiers, windowsVirtualKeyCode: code, nativeVirtualKeyCode: code, code: key.length > 1 ? key : undefined };
    await this.send("Input.dispatchKeyEvent", { ...event, type: text && modifiers % 8 === 0 ? "keyDown" : "rawKeyDown", text });
    await this.send("Input.dispatchKeyEvent", { ...event, type: "keyUp" });
  }

  type(text) {
    return this.send("Input.insertText", { text });
  }

  // Clicks into the middle of the first element that a selector names; `across` of its width, if given.
  async click(selector, across = 0.5) {
    const at = await this.value(`(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      element?.scrollIntoView({ block: "nearest" });
      const box = element?.getBoundingClientRect();
      return box && { x: box.left + box.width * ${across}, y: box.top + box.height / 2 };
    })()`);
    if (!at) throw new Error(`there is no ${selector}`);
    const event = { ...at, button: "left", buttons: 1, clickCount: 1 };
    await this.send("Input.dispatchMouseEvent", { ...event, type: "mousePressed" });
    await this.send("Input.dispatchMouseEvent", { ...event, type: "mouseReleased", buttons: 0 });
  }

  async screenshot(file) {
    const { data } = await this.send("Page.captureScreenshot", { format: "png" });
    writeFileSync(file, Buffer.from(data, "base64"));
  }

  async close() {
    await this.browser.send("Target.closeTarget", { targetId: this.targetId });
  }
}
