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

  const unzipped = (bytes, most) => through(bytes, new DecompressionStream("gzip"), most);

  // The bytes that are gzipped in a text of base64.
  const unpacked = (base64, most) => unzipped(Uint8Array.from(atob(base64.trim()), (c) => c.charCodeAt(0)), most);

  // The digits of base 85 in which a document holds its data, by their values: as in `frame.rs`.
  const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%()*+-./:;=?@[]^_{|}";

  // The bytes that a document holds as text: five digits for four bytes, and one more than there are for the last.
  function bytesOf(digits) {
    const values = new Uint8Array(128);
    for (let k = 0; k < DIGITS.length; k++) values[DIGITS.charCodeAt(k)] = k;
    const bytes = new Uint8Array(Math.floor((digits.length * 4) / 5));
    for (let at = 0, to = 0; at < digits.length; at += 5, to += 4) {
      let group = 0;
      for (let k = at; k < at + 5; k++) group = group * 85 + (k < digits.length ? values[digits.charCodeAt(k)] : 84);
      for (let k = to + 3; k >= to; k--, group = Math.floor(group / 256)) bytes[k] = group % 256;
    }
    return bytes;
  }

  // The data that a document holds in an element.
  const data = (id) => unzipped(bytesOf(document.getElementById(id).textContent.trim()));

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

  return { attempt, through, unpacked, DIGITS, bytesOf, data, decoded, theme, otherTheme };
})();
