"use strict";
// The core in a worker. The page starts it from this function's own text, so that one file is enough.
//
// In: {module, memory}, then {id, request}. Out: {id, answer}; {progress}; {memory}, all that the core is, from which a
// new worker goes on; {bug} where the core gave up, after which it is of no use.

const CoreWorker = () => {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  // What is kept of memory is copied; beyond this a session is kept as text alone.
  const MOST = 400 << 20;
  // So long nothing was asked before memory is copied, in milliseconds.
  const IDLE = 150;
  const PAGE = 65536;
  let [core, changed, timer, said] = [undefined, false, 0, ""];

  const world = {
    env: {
      now: () => performance.now(),
      progress: (passed, steps, size) => postMessage({ progress: { passed, steps, size } }),
      bug: (at, length) => (said = decoder.decode(new Uint8Array(core.memory.buffer, at, length))),
    },
  };

  function begin(module, memory) {
    core = new WebAssembly.Instance(module, world).exports;
    if (!memory) return;
    const more = memory.byteLength - core.memory.buffer.byteLength;
    if (more > 0) core.memory.grow(more / PAGE);
    new Uint8Array(core.memory.buffer).set(new Uint8Array(memory));
  }

  function ask(request) {
    const bytes = encoder.encode(request);
    // Making room may replace the buffer.
    const at = core.input(bytes.length);
    new Uint8Array(core.memory.buffer).set(bytes, at);
    const length = core.ask();
    return decoder.decode(new Uint8Array(core.memory.buffer, core.output(), length));
  }

  function keep() {
    clearTimeout(timer);
    if (!changed) return;
    changed = false;
    const memory = core.memory.buffer.byteLength > MOST ? undefined : core.memory.buffer.slice(0);
    postMessage({ memory }, memory ? [memory] : []);
  }

  self.onmessage = ({ data }) => {
    if (data.module) return begin(data.module, data.memory);
    const { id, request, changes } = data;
    if (changes) keep();
    try {
      const answer = ask(request);
      postMessage({ id, answer });
      changed ||= changes;
    } catch (error) {
      const deep = error instanceof RangeError ? "this nests deeper than the page's stack" : "";
      return postMessage({ bug: said || deep || `this is a bug in redexter: ${error.message}` });
    }
    clearTimeout(timer);
    timer = setTimeout(keep, IDLE);
  };
};
