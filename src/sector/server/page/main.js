// The page: a document comes in, the service reads it, a view shows it. Only this file knows all the others.

import { ChunkView } from "./chunkview.js";
import { Controls } from "./controls.js";
import { save } from "./downloads.js";
import { byId } from "./elements.js";
import * as exported from "./export.js";
import { Palette } from "./labels.js";
import { attempt, hush, say } from "./messages.js";
import { drawExamples, listen } from "./opening.js";
import { reach } from "./reaching.js";
import { SectionView } from "./sectionview.js";
import * as live from "./service.js";

const service = exported.isExport ? exported : live;
/** Milliseconds after which the page says that it still reads. */
const PATIENCE = 800;
/** Screens on which the document should not have to wait below the controls. */
const NARROW = matchMedia("(max-width: 56rem)");
/** `source` is the document that is shown, `wanted` the one that is being read or was read last. */
const page = { source: null, wanted: null, controls: null, request: null, palette: new Palette(), views: {}, labels: {} };
const shown = () => page.views[page.controls?.view];

async function begin() {
  document.body.toggleAttribute("data-export", exported.isExport);
  if (NARROW.matches) byId("controls").open = byId("contents").open = false;
  const described = await attempt(() => service.describe());
  if (!described) return;
  page.controls = new Controls(described, () => page.wanted && read());
  const { palette } = page;
  page.views.sections = new SectionView(palette, page.controls, () => page.labels[page.views.sections.doc.model] ?? []);
  page.views.chunks = new ChunkView(palette, page.controls);
  for (const view of Object.values(page.views)) view.drawn = drawFacts;
  listen(open, () => page.source);
  const examples = drawExamples();
  if (exported.isExport) examples[0].click();
}

/** Read another document; where that fails, the one before stays. */
async function open(source) {
  page.wanted = source;
  await read();
  if (page.source !== source) return;
  scrollTo(0, 0);
  byId("document").focus({ preventScroll: true });
}

/** Read the document with the options that are chosen now. */
async function read() {
  const source = page.wanted;
  page.request?.abort();
  page.request = new AbortController();
  const { signal } = page.request;
  const view = shown();
  document.body.dataset.busy = "";
  const slow = setTimeout(() => say("Reading …"), PATIENCE);
  const record = await attempt(() => service[page.controls.view](source, page.controls.options, signal));
  clearTimeout(slow);
  if (signal.aborted) return;
  delete document.body.dataset.busy;
  if (record) show(view, record, source);
  else page.wanted = page.source;
}

function show(view, record, source) {
  const other = source !== page.source;
  if (other) take(source);
  document.title = `${page.source.name} · sector`;
  byId("title").textContent = page.source.name;
  byId("start").hidden = true;
  byId("result").hidden = byId("actions").hidden = false;
  view.asked = JSON.stringify(page.controls.options);
  view.show(record, page.source.name);
  if (other) hush(); // the line at the top says how many sections there are
}

function take(source) {
  page.source = source;
  page.palette.forget();
  for (const view of Object.values(page.views)) view.doc = null;
}

function drawFacts() {
  const { doc, facts } = shown();
  const asked = page.controls.options.model;
  const others = doc.model === asked ? [] : [`labelled by ${doc.model}`];
  byId("facts").textContent = [page.source.name, ...facts, ...others].join(" · ");
}

function startAgain() {
  page.request?.abort();
  page.source = page.wanted = null;
  for (const view of Object.values(page.views)) view.clear();
  byId("start").hidden = false;
  byId("result").hidden = byId("actions").hidden = true;
  byId("facts").textContent = "";
  document.title = "sector";
  delete document.body.dataset.busy;
  (exported.isExport ? byId("examples").querySelector("button") : byId("text")).focus();
}

async function toggleCorrecting() {
  const view = page.views.sections;
  view.correct(!view.correcting.on);
  const { model } = view.doc;
  if (!view.correcting.on || exported.isExport || model in page.labels) return;
  const found = await attempt(() => live.labelsOf(model));
  if (found) page.labels[model] = found.label_names;
}

function switchView(view) {
  if (!view || view === page.controls.view) return;
  page.views.sections.correct(false);
  page.controls.view = view;
  if (shown().doc && shown().asked === JSON.stringify(page.controls.options)) shown().draw();
  else read();
}

function goTo(link) {
  const section = byId(`s${link.dataset.number}`);
  reach(section, "start");
  section.setAttribute("tabindex", "-1");
  section.focus({ preventScroll: true });
}

if (exported.isExport) byId("new").textContent = "Other examples";
byId("new").addEventListener("click", startAgain);
byId("correct").addEventListener("click", toggleCorrecting);
byId("views").addEventListener("click", ({ target }) => switchView(target.dataset.view));
byId("save").addEventListener("click", ({ target }) => {
  if (!target.dataset.save) return;
  save(target.dataset.save, shown());
  byId("save").open = false;
});
byId("outline").addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link) return;
  event.preventDefault(); // the address holds the controls
  goTo(link);
});
byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  (byId("result").hidden ? byId("start").querySelector("textarea, button") : byId("document")).focus();
});
document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape" || !byId("save").open) return;
  byId("save").open = false;
  byId("save").querySelector("summary").focus();
});
document.addEventListener("click", ({ target }) => { if (!byId("save").contains(target)) byId("save").open = false; });

begin();
