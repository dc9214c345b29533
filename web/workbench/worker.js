"use strict";
// The core in a worker. The page starts it from this function's own text, so that one file is enough.
//
// In: {module, memory, saved}, then {id, request}. Out: {began}; {id, answer}; {progress}; {memory}, all that the core is,
// or {saved}, its files and its session as text, from which a new worker goes on; {partly} where that text didn't bring
// all of it back; {bug} where the core gave up, after which it is of no use.

const CoreWorker = () => {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  // What is kept of memory is copied; beyond this a session is kept as text alone.
  const MOST = 400 << 20;
  // So long nothing was asked before memory is copied, in milliseconds.
  const IDLE = 150;
  const PAGE = 65536;
  let [core, changed, timer, said] = [undefined, false, 0, ""];

  const text = (at, length) => decoder.decode(new Uint8Array(core.memory.buffer, at, length));

  const world = {
    env: {
      now: () => performance.now(),
      progress: (passed, steps, size, at, length) => postMessage({ progress: { passed, steps, size, round: text(at, length) } }),
      bug: (at, length) => (said = text(at, length)),
    },
  };

  function begin({ module, memory, saved }) {
    core = new WebAssembly.Instance(module, world).exports;
    if (memory) take(memory);
    else if (saved) restore(saved);
    postMessage({ began: true });
  }

  function take(memory) {
    const more = memory.byteLength - core.memory.buffer.byteLength;
    if (more > 0) core.memory.grow(more / PAGE);
    new Uint8Array(core.memory.buffer).set(new Uint8Array(memory));
  }

  function restore({ files, session, record }) {
    for (const [name, text] of files) answer({ do: "put", name, text });
    if (session && answer({ do: "restore", text: session, record }).findings.length > 0) postMessage({ partly: true });
  }

  const answer = (request) => JSON.parse(ask(JSON.stringify(request)));

  function ask(request) {
    const bytes = encoder.encode(request);
    // Making room may replace the buffer.
    const at = core.input(bytes.length);
    new Uint8Array(core.memory.buffer).set(bytes, at);
    const length = core.ask();
    return text(core.output(), length);
  }

  function keep() {
    clearTimeout(timer);
    if (!changed) return;
    changed = false;
    if (core.memory.buffer.byteLength > MOST) return postMessage({ saved: saved() });
    const memory = core.memory.buffer.slice(0);
    postMessage({ memory }, [memory]);
  }

  // The files and the session as text; the session is null where it is too large for that.
  function saved() {
    const files = answer({ do: "list" }).own.map((name) => [name, answer({ do: "get", name }).text]);
    const { text, record } = answer({ do: "save" });
    return { files, session: text ?? null, record };
  }

  // Does something with the core, which may end it.
  function attempt(action) {
    try {
      action();
    } catch (error) {
      const deep = error instanceof RangeError ? "this nests deeper than the page's stack" : "";
      postMessage({ bug: said || deep || `this is a bug in redexter: ${error.message}` });
    }
  }

  self.onmessage = ({ data }) => attempt(() => {
    if (data.module) return begin(data);
    const { id, request, changes } = data;
    // Whatever this request comes to, what was done before it is kept.
    keep();
    postMessage({ id, answer: ask(request) });
    changed ||= changes;
    timer = setTimeout(() => attempt(keep), IDLE);
  });
};
