"use strict";
// What a page asks of its browser: text unpacked, things kept, light and dark.

const Browser = (() => {
  const THEME = "redexter-theme";

  // What a browser refuses (a page from a disk may keep nothing) is done without.
  function attempt(action) {
    try {
      return action();
    } catch {
      return undefined;
    }
  }

  // Bytes through a stream; an error where more than `most` come out.
  async function through(bytes, stream, most = Infinity) {
    const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
    const parts = [];
    for (let size = 0; ; ) {
      const { done, value } = await reader.read();
      if (done) return new Blob(parts).arrayBuffer();
      size += value.length;
      if (size > most) throw new Error("too large");
      parts.push(value);
    }
  }

  // The bytes that are gzipped in a text of base64.
  const unpacked = (base64, most) =>
    through(Uint8Array.from(atob(base64.trim()), (c) => c.charCodeAt(0)), new DecompressionStream("gzip"), most);

  const decoded = (bytes) => new TextDecoder().decode(bytes);

  // The theme that was chosen on any page of redexter's, unless it is that of the system.
  function theme() {
    const kept = attempt(() => localStorage.getItem(THEME));
    if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
  }

  function otherTheme() {
    const { dataset } = document.documentElement;
    const now = dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    dataset.theme = now === "dark" ? "light" : "dark";
    attempt(() => localStorage.setItem(THEME, dataset.theme));
  }

  return { attempt, through, unpacked, decoded, theme, otherTheme };
})();
