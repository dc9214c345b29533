"use strict";
// Texts that leave the page and come in: the browser's dialogs, the clipboard, the address, what the browser keeps.

const Files = (() => {
  const { make } = Dom;
  const KEY = "redexter-workbench";
  // Longer links aren't read: no state is so large.
  const LONGEST = 4 << 20;
  const LARGEST = 16 << 20;

  function download(name, text, type = "text/plain") {
    const url = URL.createObjectURL(new Blob([text], { type }));
    make("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  // The names and texts of files that the user chooses.
  function open(accept) {
    return new Promise((resolve) => {
      const input = make("input", { type: "file", accept, multiple: true });
      input.onchange = async () => resolve(await Promise.all([...input.files].map(async (f) => [f.name, await f.text()])));
      input.oncancel = () => resolve([]);
      input.click();
    });
  }

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Where the clipboard is refused, the old way.
      const area = make("textarea", { value: text, className: "unseen" });
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  }

  // A state as text for an address, and back; what can't be read is undefined.
  async function packed(state) {
    const bytes = new Uint8Array(await Browser.through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream("gzip")));
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  }

  async function unpacked(text) {
    if (text.length > LONGEST) return undefined;
    try {
      const bytes = await Browser.unpacked(text.replaceAll("-", "+").replaceAll("_", "/"), LARGEST);
      return known(JSON.parse(Browser.decoded(bytes)));
    } catch {
      return undefined;
    }
  }

  // Half of a pair of surrogates is no character, so that the core takes no text with it.
  const wellFormed = (text) => text.replace(/[\ud800-\udfff]/gu, "\ufffd");

  // What of a state is as it should be; the rest is left out.
  function known(state) {
    if (state === null || typeof state !== "object" || Array.isArray(state)) return undefined;
    const out = { files: {} };
    for (const key of ["model", "definition", "schedule", "lesson", "record", "session"]) {
      if (typeof state[key] === "string") out[key] = wellFormed(state[key]);
    }
    const files = typeof state.files === "object" && state.files !== null ? state.files : {};
    for (const [name, text] of Object.entries(files)) if (typeof text === "string") out.files[wellFormed(name)] = wellFormed(text);
    return out;
  }

  // Whether there was room for it.
  function write(storage, key, text) {
    try {
      storage().setItem(key, text);
    } catch (error) {
      return error.name !== "QuotaExceededError";
    }
    return true;
  }

  // One's own state is kept for good. What a link held is kept beside it, in this tab, until one takes it for one's own.
  const own = () => localStorage;
  const lent = () => sessionStorage;
  const stored = (storage) => Browser.attempt(() => known(JSON.parse(storage().getItem(KEY))));
  const forget = (isLent) => Browser.attempt(() => (isLent ? lent : own)().removeItem(KEY));
  function keep(state, isLent) {
    const done = write(isLent ? lent : own, KEY, JSON.stringify(state));
    if (done && !isLent) forget(true);
    return done;
  }
  const kept = () => stored(own);
  const borrowed = () => stored(lent);

  return { download, open, copy, packed, unpacked, keep, kept, borrowed, forget };
})();
