"use strict";
// The current term on inputs that are typed or drawn, what that executes, what it costs; and the term as Futhark.

const Evaluate = (() => {
  const { get, make, pieces, button } = Dom;
  let seed = 0;

  function show(answer) {
    if (answer) get("value").replaceChildren(pieces(answer.text), pieces(answer.trouble));
  }

  get("random").onclick = async () => {
    seed += 1;
    const field = get("size");
    const size = Math.min(Math.max(Math.trunc(Number(field.value)) || 4, field.min), field.max);
    const stopped = (error) => ({ findings: [{ headline: error.bug ?? "stopped" }] });
    const answer = await Core.ask({ do: "inputs", size, seed }).catch(stopped);
    if (answer.text !== undefined && answer.text !== null) get("inputs").value = answer.text;
    else get("value").replaceChildren((answer.findings?.[0]?.headline ?? "its parameters aren't data") + "\n");
  };
  get("evaluate").onclick = async () => show(await Lines.send(`:eval ${get("inputs").value}`.trim()));
  get("count").onclick = async () => show(await Lines.send(`:count ${get("inputs").value}`.trim()));
  get("cost").onclick = async () => show(await Lines.send(":cost"));

  // The file that a line writes, or undefined.
  async function written(line, name) {
    const answer = await Lines.send(line);
    if (Lines.failed(answer)) return show(answer);
    return (await Core.ask({ do: "get", name })).text;
  }

  get("futhark").onclick = async () => {
    const text = await written(":export futhark term.fut", "term.fut");
    if (!text) return;
    const copy = button("Copy", async () => {
      await Files.copy(text);
      copy.textContent = "Copied";
    }, { id: "copy-futhark" });
    get("exported").replaceChildren(
      make("div", { className: "actions" }, copy, button("Download", () => Files.download("term.fut", text))),
      make("pre", { className: "said", tabIndex: 0 }, text));
  };
  get("page").onclick = async () => {
    const text = await written(":export page derivation.html", "derivation.html");
    if (text) Files.download("derivation.html", text, "text/html");
  };

  return { show };
})();
