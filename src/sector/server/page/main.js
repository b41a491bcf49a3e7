// The page: a document comes in, the service reads it, the parts draw it. Only this file knows all the others.

import { drawArticle } from "./article.js";
import { Controls } from "./controls.js";
import { Correcting } from "./correcting.js";
import { save } from "./downloads.js";
import { byId, count, element } from "./elements.js";
import * as exported from "./export.js";
import { Figure } from "./figure.js";
import { namer, Palette } from "./labels.js";
import { drawOutline, followReading } from "./outline.js";
import { Sectioned } from "./sectioned.js";
import * as live from "./service.js";

const EXAMPLES = { "A town": "harbour-town", "An illness": "migraine", "A lease": "workshop-lease" };
const LONG = 100;
const service = exported.isExport ? exported : live;
const page = { source: null, doc: null, palette: new Palette(), name: namer([]), labels: {}, controls: null, request: null };

const figure = new Figure(markSentence, jump);
const correcting = new Correcting(byId("document"), () => page.doc, () => page.labels[page.doc.model] ?? [], corrected);

async function begin() {
  document.body.toggleAttribute("data-export", exported.isExport);
  const described = await attempt(() => service.describe());
  if (!described) return;
  page.controls = new Controls(described, () => page.source && read());
  const examples = Object.entries(EXAMPLES).map(([name, example]) => element("button", { type: "button", textContent: name, data: { example } }));
  byId("examples").append(...examples);
  if (exported.isExport) examples[0].click();
}

/** Read the document with the options that are chosen now. */
async function read() {
  page.request?.abort();
  page.request = new AbortController();
  const { signal } = page.request;
  document.body.dataset.busy = "";
  const record = await attempt(() => service.segment(page.source, page.controls.options, signal));
  if (signal.aborted) return;
  delete document.body.dataset.busy;
  if (record) show(record);
}

function show(record) {
  const before = page.doc?.corrections ? page.doc : null;
  if (page.doc?.model !== record.model) page.palette = new Palette();
  page.doc = new Sectioned(record, page.source.name);
  page.name = namer([...Object.keys(page.doc.heatmap.labels), ...page.doc.sections.map(({ label }) => label)]);
  document.title = `${page.source.name} · sector`;
  page.controls.limit(page.doc.sentences.length);
  byId("start").hidden = true;
  byId("result").hidden = byId("actions").hidden = false;
  draw();
  const parts = count(page.doc.sections.length, "section");
  say(before ? `${parts}. Your corrections are gone.` : parts, before && (() => restore(before)));
}

function draw() {
  const { doc, palette, name } = page;
  const facts = [page.source.name, count(doc.sections.length, "section"), count(doc.sentences.length, "sentence"), count(doc.length, "character")];
  byId("facts").textContent = facts.join(" · ");
  byId("title").textContent = page.source.name;
  for (const label of Object.keys(doc.heatmap.labels)) palette.classes(label);
  byId("document").classList.toggle("long", doc.sections.length > LONG);
  drawArticle(byId("document"), doc, palette, name);
  drawOutline(byId("outline"), doc, palette, name);
  followReading(byId("outline"), byId("document"));
  figure.draw(doc, palette, name);
}

function restore(doc) {
  page.doc = doc;
  draw();
}

function corrected(before, focus) {
  const doc = page.doc;
  draw();
  if (focus) byId(`s${focus[0]}`)?.querySelector(`[data-act="${focus[1]}"]`)?.focus();
  if (doc.corrections === before.corrections) return;
  say(`${count(doc.corrections, "correction")}.`, () => {
    doc.undo(before);
    draw();
  });
}

function markSentence(sentence) {
  for (const other of byId("document").querySelectorAll(".here")) other.classList.remove("here");
  byId("document").querySelector(`[data-sentence="${sentence}"]`)?.classList.add("here");
}

function jump(sentence) {
  const target = byId("document").querySelector(`[data-sentence="${sentence}"]`);
  target?.scrollIntoView({ block: "center", behavior: "smooth" });
  target?.classList.add("jumped");
  setTimeout(() => target?.classList.remove("jumped"), 1600);
}

/** Run what may fail; show why it did. */
async function attempt(work) {
  try {
    byId("problem").hidden = true;
    return await work();
  } catch (error) {
    if (error.name === "AbortError") return null;
    delete document.body.dataset.busy;
    if (error.kind === "unauthorized") return askForKey(work);
    byId("problem-text").textContent = error instanceof live.Problem ? error.message : `The page failed: ${error.message}`;
    byId("problem").hidden = false;
    return null;
  }
}

function askForKey(work) {
  const dialog = byId("key");
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      if (byId("key-value").value) live.rememberKey(byId("key-value").value);
      resolve(byId("key-value").value ? attempt(work) : null);
    }, { once: true });
  });
}

let silence;
function say(words, undo) {
  clearTimeout(silence);
  byId("status").replaceChildren(words);
  if (undo) byId("status").append(element("button", { type: "button", textContent: "Undo", onclick: () => { byId("status").replaceChildren(); undo(); } }));
  silence = setTimeout(() => byId("status").replaceChildren(), undo ? 12_000 : 2500);
}

async function open(source) {
  page.source = source;
  page.doc = null;
  await read();
  if (page.doc) scrollTo(0, 0);
}

byId("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  open({ text: byId("text").value, name: "Pasted text" });
});
byId("text").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) byId("ask").requestSubmit();
});
byId("file").addEventListener("change", ({ target }) => {
  if (target.files.length) open({ file: target.files[0], name: target.files[0].name });
  target.value = "";
});
byId("examples").addEventListener("click", async ({ target }) => {
  const { example } = target.dataset;
  if (!example) return;
  const answer = exported.isExport ? null : await fetch(`page/examples/${example}.txt`);
  open({ example, text: (await answer?.text()) ?? "", name: target.textContent });
});
if (exported.isExport) byId("new").textContent = "Other examples";
byId("new").addEventListener("click", () => {
  page.request?.abort();
  Object.assign(page, { source: null, doc: null });
  byId("start").hidden = false;
  byId("result").hidden = byId("actions").hidden = true;
  byId("facts").textContent = "";
  document.title = "sector";
  toggleCorrecting(false);
  (exported.isExport ? byId("examples").querySelector("button") : byId("text")).focus();
});
byId("correct").addEventListener("click", () => toggleCorrecting(!correcting.on));
byId("save").addEventListener("click", ({ target }) => {
  if (!target.dataset.save) return;
  save(target.dataset.save, page.doc, page.name);
  byId("save").open = false;
});
byId("outline").addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link) return;
  event.preventDefault();
  const section = byId(`s${link.dataset.number}`);
  section.scrollIntoView({ block: "start", behavior: "smooth" });
  section.setAttribute("tabindex", "-1");
  section.focus({ preventScroll: true });
});
byId("problem-close").addEventListener("click", () => { byId("problem").hidden = true; });
document.addEventListener("keydown", ({ key }) => { if (key === "Escape") byId("save").open = false; });
document.addEventListener("click", ({ target }) => { if (!byId("save").contains(target)) byId("save").open = false; });
document.addEventListener("paste", (event) => {
  if (exported.isExport || page.doc || event.target.closest("input, textarea")) return;
  const text = event.clipboardData.getData("text/plain");
  if (text) open({ text, name: "Pasted text" });
});
for (const kind of ["dragenter", "dragover"]) addEventListener(kind, (event) => { event.preventDefault(); byId("drop").hidden = exported.isExport; });
addEventListener("dragleave", (event) => { if (!event.relatedTarget) byId("drop").hidden = true; });
addEventListener("drop", (event) => {
  event.preventDefault();
  byId("drop").hidden = true;
  if (exported.isExport) return;
  const [file] = event.dataTransfer.files;
  if (file) open({ file, name: file.name });
  else if (event.dataTransfer.getData("text/plain")) open({ text: event.dataTransfer.getData("text/plain"), name: "Dropped text" });
});

async function toggleCorrecting(on) {
  byId("document").classList.toggle("correcting", on);
  byId("correct").setAttribute("aria-pressed", String(on));
  byId("correcting").hidden = !on;
  const model = page.doc?.model;
  if (on && !exported.isExport && !(model in page.labels)) {
    const found = await attempt(() => live.labelsOf(model));
    if (found) page.labels[model] = found.label_names;
  }
}

begin();
