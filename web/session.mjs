// A session in a WebAssembly module: lines in, text out, files in memory. See `src/lib.rs` for what crosses the border.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Session {
  // `module` is a WebAssembly.Module.
  constructor(module) {
    this.module = module;
    this.files = new Map();
    // How often it began: more than once where it gave up.
    this.begun = 0;
    this.begin();
  }

  begin() {
    this.begun += 1;
    const bug = (at, length) => (this.bug = this.text(at, length));
    // The round that long work was last said to go.
    const progress = (passed, steps, size, at, length) => (this.round = this.text(at, length));
    const world = { env: { now: () => performance.now(), progress, bug } };
    this.core = new WebAssembly.Instance(this.module, world).exports;
    for (const [name, held] of this.files) this.core.put(this.send(name, held));
  }

  // Writes texts or bytes, one behind the other, where the module reads them. Gives the length of the first.
  send(...parts) {
    const all = parts.map((part) => (typeof part === "string" ? encoder.encode(part) : part));
    let at = this.core.input(all.reduce((sum, part) => sum + part.length, 0));
    for (const part of all) {
      new Uint8Array(this.core.memory.buffer).set(part, at);
      at += part.length;
    }
    return all[0].length;
  }

  text(at, length) {
    return decoder.decode(new Uint8Array(this.core.memory.buffer, at, length));
  }

  received(length) {
    return this.text(this.core.output(), length);
  }

  put(name, held) {
    this.files.set(name, held);
    this.core.put(this.send(name, held));
  }

  get(name) {
    this.send(name);
    const length = this.core.get();
    return length < 0 ? undefined : this.received(length);
  }

  // The answer to a request.
  ask(request) {
    this.send(JSON.stringify(request));
    return JSON.parse(this.received(this.core.ask()));
  }

  // The answer to a line. Where the module itself gives up, what was put remains, and the rest begins anew.
  submit(line) {
    this.send(line);
    try {
      return this.received(this.core.submit());
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof WebAssembly.RuntimeError)) throw error;
      this.begin();
      const why = error instanceof RangeError ? "this nests deeper than the page's stack" : "this is a bug in redexter";
      return `error: ${why}; the session begins anew\n`;
    }
  }
}
