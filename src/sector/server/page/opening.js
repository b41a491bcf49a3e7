// The ways in which a document comes to the page: typed, pasted, dropped, opened as a file, or one of the examples.

import { byId, element } from "./elements.js";
import { isExport } from "./export.js";
import { say } from "./messages.js";

const EXAMPLES = { "A town": "harbour-town", "An illness": "migraine", "A lease": "workshop-lease" };

/** Draw the buttons of the examples and return them. */
export function drawExamples() {
  const buttons = Object.entries(EXAMPLES).map(([name, example]) => element("button", { type: "button", textContent: name, data: { example } }));
  byId("examples").append(...buttons);
  return buttons;
}

/** Call `open({text | file | example, name})` for each document that comes; `busy()` says whether one is shown. */
export function listen(open, busy) {
  byId("examples").addEventListener("click", ({ target }) => openExample(target, open));
  if (isExport) return;
  byId("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    open({ text: byId("text").value, name: "Pasted text" });
  });
  byId("text").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) byId("ask").requestSubmit();
  });
  byId("file").addEventListener("change", ({ target }) => {
    openFiles([...target.files], open);
    target.value = "";
  });
  document.addEventListener("paste", (event) => {
    if (busy() || event.target.closest("input, textarea")) return;
    openData(event.clipboardData, "Pasted text", open);
  });
  listenForDrops(open);
}

function listenForDrops(open) {
  for (const kind of ["dragenter", "dragover"]) {
    addEventListener(kind, (event) => {
      event.preventDefault();
      byId("drop").hidden = false;
    });
  }
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) byId("drop").hidden = true; });
  addEventListener("drop", (event) => {
    event.preventDefault();
    byId("drop").hidden = true;
    openData(event.dataTransfer, "Dropped text", open);
  });
}

function openData(data, name, open) {
  const text = data.getData("text/plain");
  if (data.files.length) openFiles([...data.files], open);
  else if (text) open({ text, name });
}

async function openFiles([file, ...others], open) {
  if (!file) return;
  await open({ file, name: file.name });
  if (others.length) say(`Only ${file.name} is shown; the page reads one document at a time.`);
}

async function openExample({ dataset: { example }, textContent: name }, open) {
  if (!example) return;
  const answer = isExport ? null : await fetch(`page/examples/${example}.txt`);
  open({ example, text: (await answer?.text()) ?? "", name });
}
