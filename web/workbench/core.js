"use strict";
// The page's side of the core: requests go out, answers come back, in their order. What runs can be stopped at once: its
// worker ends, and a new one goes on from what the core was before.

const Core = (() => {
  const listeners = { progress: () => {}, busy: () => {}, gone: () => {} };
  let [module, worker, memory, number, long] = [undefined, undefined, undefined, 0, 0];
  const waiting = new Map();

  // Requests after which the core is another.
  const CHANGES = new Set(["submit", "put", "restore"]);

  async function bytes(base64) {
    const packed = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
  }

  async function start(base64) {
    module = await WebAssembly.compile(await bytes(base64));
    begin();
  }

  function made() {
    const source = URL.createObjectURL(new Blob([`"use strict";(${CoreWorker})()`], { type: "text/javascript" }));
    const worker = new Worker(source);
    URL.revokeObjectURL(source);
    return worker;
  }

  function begin() {
    worker = made();
    worker.onmessage = ({ data }) => heard(data);
    worker.onerror = (event) => {
      event.preventDefault();
      end(event.message || "the core's worker ended");
    };
    worker.postMessage({ module, memory });
  }

  function heard(data) {
    if ("memory" in data) memory = data.memory;
    else if (data.progress) listeners.progress(data.progress);
    else if (data.bug) end(data.bug);
    else settle(data.id, (request) => request.resolve(JSON.parse(data.answer)));
  }

  function settle(id, how) {
    const request = waiting.get(id);
    waiting.delete(id);
    if (!request) return;
    if (request.long && (long -= 1) === 0) listeners.busy(false);
    how(request);
  }

  // The answer to a request, an object. Where the core is stopped or gives up, `error.stopped` or `error.bug` says so.
  function ask(request) {
    number += 1;
    const [id, changes] = [number, CHANGES.has(request.do)];
    const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject, long: changes }));
    if (changes && (long += 1) === 1) listeners.busy(true);
    worker.postMessage({ id, request: JSON.stringify(request), changes });
    return answer;
  }

  // Ends what runs; the core is as it was before that.
  function stop() {
    if (long > 0) again({ stopped: true });
  }

  function end(bug) {
    again({ bug });
    listeners.gone(bug);
  }

  function again(why) {
    worker.terminate();
    begin();
    for (const id of [...waiting.keys()]) settle(id, (request) => request.reject(Object.assign(new Error("ended"), why)));
  }

  // An engine compiles well what was used a while, for all who have the module: another worker uses it so, on the side.
  function warm(lines) {
    if ((navigator.hardwareConcurrency ?? 1) < 2) return;
    const other = made();
    const send = (k) => other.postMessage({ id: k, request: JSON.stringify({ do: "submit", line: lines[k] }), changes: false });
    other.onerror = (event) => event.preventDefault();
    other.onmessage = ({ data }) => {
      if (data.progress) return;
      if (data.bug || data.id + 1 >= lines.length) other.terminate();
      else send(data.id + 1);
    };
    other.postMessage({ module });
    send(0);
  }

  const on = (name, listener) => (listeners[name] = listener);
  return { start, ask, stop, warm, on, isBusy: () => long > 0 };
})();
