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

  // The digits of base 91 in which a document holds its data, by their values: as in `frame.rs`.
  const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!\"#$%'()*+,-./:;=?@[\\]^_`{|}~";

  // The bytes that a document holds as text: two digits for thirteen bits, a single last one for six, the first bit the highest.
  function bytesOf(digits) {
    const values = new Uint8Array(128);
    for (let k = 0; k < DIGITS.length; k++) values[DIGITS.charCodeAt(k)] = k;
    const pairs = digits.length >> 1;
    const bytes = new Uint8Array(Math.floor((pairs * 13 + (digits.length % 2) * 6) / 8));
    let [waiting, count, to] = [0, 0, 0];
    const read = (value, bits) => {
      waiting = (waiting << bits) | value;
      for (count += bits; count >= 8; ) bytes[to++] = waiting >> (count -= 8);
      waiting &= (1 << count) - 1;
    };
    for (let at = 0; at < pairs * 2; at += 2) {
      read(values[digits.charCodeAt(at)] * 91 + values[digits.charCodeAt(at + 1)], 13);
    }
    if (digits.length % 2) read(values[digits.charCodeAt(pairs * 2)], 6);
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
