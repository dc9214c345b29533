"use strict";
// What was done, as a tree: the line to the current term and what was taken back, then the branches. And breakpoints.

const Past = (() => {
  const { get, make, button } = Dom;

  function show(state) {
    const top = make("ul", { className: "log" });
    let into = top;
    for (const entry of state.log) {
      if (entry.branches) {
        into = make("ul", { className: "log" });
        top.append(make("li", { className: "branch" }, make("span", { className: "muted" }, `from step ${entry.from}`), into));
      }
      into.append(row(entry));
    }
    const none = make("p", { className: "muted" }, "Nothing was done yet.");
    get("log").replaceChildren(state.log.length > 0 ? top : none);
    breakpoints(state.breakpoints);
  }

  function row(entry) {
    const steps = entry.given ? "" : `steps ${entry.from + 1}–${entry.to}`;
    const tags = entry.tags.map((tag) => `@${tag}`).join(" ");
    const go = button(entry.title, () => Lines.all(entry.go ?? []), {
      className: "quiet mono", disabled: !entry.go, title: entry.title,
    });
    if (entry.current) go.setAttribute("aria-current", "true");
    const notes = [steps, tags, entry.ahead ? "taken back" : "", entry.current ? "here" : ""].filter(Boolean).join(" · ");
    return make("li", { className: entry.ahead ? "ahead" : "" }, go, make("span", { className: "muted" }, ` ${notes}`));
  }

  function breakpoints(all) {
    const row = ({ number, address }) => make("li", {},
      make("code", {}, address), " ",
      button("Remove", () => Lines.send(`:unbreak ${number}`), { "aria-label": `Remove the breakpoint ${address}` }));
    get("breakpoints").replaceChildren(...all.map(row));
  }

  get("break-form").onsubmit = async (event) => {
    event.preventDefault();
    const input = get("break-at");
    if (input.value.trim() !== "" && !Lines.failed(await Lines.send(`:break ${input.value.trim()}`))) input.value = "";
  };
  get("tag-form").onsubmit = async (event) => {
    event.preventDefault();
    const input = get("tag-name");
    if (input.value.trim() !== "" && !Lines.failed(await Lines.send(`:tag ${input.value.trim()}`))) input.value = "";
  };

  return { show };
})();
