"use strict";
// The page's side of the core: requests go out, answers come back, in their order. What runs can be stopped at once: its
// worker ends, and a new one goes on from what the core was before.

const Core = (() => {
  const listeners = { progress: () => {}, busy: () => {}, gone: () => {} };
  let [module, worker, number, long] = [undefined, undefined, 0, 0];
  // What a new worker goes on from: {memory}, or {saved}. Nothing was done yet where it is empty.
  let kept = {};
  // Whether the worker has begun, and how many before it didn't.
  let [began, failures] = [false, 0];
  // Whether the core changed and what it is now isn't here yet, and whether it is to stop then.
  let [owed, stopping] = [false, false];
  const waiting = new Map();

  // Requests after which the core is another.
  const CHANGES = new Set(["submit", "put", "restore", "lesson"]);
  // Requests that may take long, and can be stopped.
  const LONG = new Set(["submit", "put", "restore", "derivation", "comparison", "term", "inputs"]);

  async function start(id) {
    module = await WebAssembly.compile(await Browser.data(id));
    begin();
  }

  function made() {
    const source = URL.createObjectURL(new Blob([`"use strict";(${CoreWorker})()`], { type: "text/javascript" }));
    const worker = new Worker(source);
    URL.revokeObjectURL(source);
    return worker;
  }

  function begin() {
    const own = made();
    [worker, began] = [own, false];
    own.onmessage = ({ data }) => own === worker && heard(data);
    own.onerror = (event) => {
      event.preventDefault();
      if (own === worker) again({ bug: event.message || "the core's worker ended" });
    };
    worker.postMessage({ module, ...kept });
  }

  function heard(data) {
    if (data.memory || data.saved) {
      [kept, owed] = [data, false];
      if (stopping) again({ stopped: true });
    } else if (data.began) [began, failures] = [true, 0];
    else if (data.partly) listeners.gone("not all of the session could be brought back");
    else if (data.progress) listeners.progress(data.progress);
    else if (data.bug) again({ bug: data.bug });
    else settle(data.id, (request) => {
      owed ||= request.changes;
      request.resolve(JSON.parse(data.answer));
    });
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
    const [id, changes, isLong] = [number, CHANGES.has(request.do), LONG.has(request.do)];
    if (!worker) return Promise.reject(Object.assign(new Error("ended"), { bug: "the core can't begin" }));
    const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject, changes, long: isLong }));
    if (isLong && (long += 1) === 1) listeners.busy(true);
    worker.postMessage({ id, request: JSON.stringify(request), changes });
    return answer;
  }

  // Ends what runs; the core is as it was before that. What was done just before is waited for.
  function stop() {
    if (long === 0) return;
    if (owed) stopping = true;
    else again({ stopped: true });
  }

  // What a worker can't begin from is let go the second time; the third time there is none that could begin.
  function again({ bug, stopped }) {
    worker.terminate();
    owed = stopping = false;
    if (!began && (bug || kept.saved)) failures += 1;
    const lost = failures > 1 ? Boolean(kept.memory || kept.saved) : kept.saved?.session === null;
    if (failures > 1) kept = {};
    worker = undefined;
    if (failures < 3) begin();
    for (const id of [...waiting.keys()]) {
      settle(id, (request) => request.reject(Object.assign(new Error("ended"), { bug, stopped, lost })));
    }
    const why = bug ? `the core ended: ${bug.split("\n")[0]}; ` : "";
    if (!worker) listeners.gone(`${why}it can't begin anew: load the page again`, true);
    else if (lost) listeners.gone(`${why}the session is gone; the page, loaded again, brings back what the browser kept`, true);
    else if (bug) listeners.gone(`${why}it begins anew, as it was before that`);
  }

  // An engine compiles well what was used a while, for all who have the module: another worker uses it so, on the side.
  function warm(lines) {
    if ((navigator.hardwareConcurrency ?? 1) < 2) return;
    const other = made();
    const send = (k) => other.postMessage({ id: k, request: JSON.stringify({ do: "submit", line: lines[k] }), changes: false });
    other.onerror = (event) => event.preventDefault();
    other.onmessage = ({ data }) => {
      if (data.progress || data.began) return;
      if (data.bug || data.id + 1 >= lines.length) other.terminate();
      else send(data.id + 1);
    };
    other.postMessage({ module });
    send(0);
  }

  const on = (name, listener) => (listeners[name] = listener);
  return { start, ask, stop, warm, on, isBusy: () => long > 0 };
})();
