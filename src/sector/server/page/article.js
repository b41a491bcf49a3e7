// The document itself: sections with their titles and confidence, and a span for every sentence.

import { element, percent } from "./elements.js";
import { headingOf, mainLabel, titleOf } from "./labels.js";
import { DEEPEST } from "./outline.js";

/** Below this an `in_domain` is said to be unfamiliar, as in the other outputs. */
const FAMILIAR = 0.5;
/** White space between two paragraphs of a text without empty lines. */
const BREAK = /^[^\S\n]*\n[^\S\n]*$/;

/** What is drawn of which text, by what it shows: a section that is as it was is not drawn again. */
let drawn = { doc: null, sections: new Map() };

/** Draw all sections into `place`. */
export function drawArticle(place, doc, palette, name) {
  if (!doc.sections.length) {
    place.replaceChildren(element("p", { classes: ["empty"], textContent: "The document is empty: there is nothing to cut." }));
    return;
  }
  const before = drawn.doc?.hasTextOf(doc) ? drawn.sections : new Map();
  drawn = { doc, sections: new Map() };
  place.replaceChildren(...doc.sections.map((section, number) => {
    const key = JSON.stringify([section, name(section.label), palette.classes(mainLabel(section)), !number]);
    const made = before.get(key) ?? drawSection(doc, section, number, palette, name);
    drawn.sections.set(key, made);
    return numbered(made, number);
  }));
}

function numbered(made, number) {
  Object.assign(made, { id: `s${number}` }).dataset.number = number;
  made.setAttribute("role", "group"); // as landmarks, dozens of sections would hide the page's own
  made.setAttribute("aria-labelledby", `t${number}`);
  made.querySelector(".title").id = `t${number}`;
  return made;
}

function drawSection(doc, section, number, palette, name) {
  const classes = ["section", `level${Math.min(DEEPEST, section.level)}`, ...palette.classes(mainLabel(section)), ...(section.edited ? ["edited"] : [])];
  return element(
    "div",
    { classes },
    element("header", {}, title(section, name), sureness(section), tools(number)),
    text(doc, section, number),
  );
}

function title(section, name) {
  const { title, path } = titleOf(section, name);
  const heading = element(section.level > 1 ? "h3" : "h2", { classes: ["title"], title: ranking(section, name) }, element("bdi", { textContent: title }));
  if (path) heading.append(element("bdi", { classes: ["path"], textContent: path }));
  return heading;
}

const ranking = (section, name) =>
  Object.entries(section.scores ?? {}).map(([label, value]) => `${name(label)} ${percent(value)}`).join("\n");

function sureness(section) {
  const bar = element("i");
  bar.style.width = `${Math.round(100 * section.confidence)}%`;
  const meter = element("span", { classes: ["meter"], attributes: { "aria-hidden": "true" } }, bar);
  const words = element("span", { classes: ["number"], textContent: percent(section.confidence) });
  const title = `How sure the model is of the label${familiarity(section)}`;
  return element("span", { classes: ["sure"], title }, ...unfamiliar(section), meter, words);
}

function unfamiliar({ in_domain }) {
  if (in_domain === undefined || in_domain >= FAMILIAR) return [];
  return [element("span", { classes: ["unfamiliar"], title: "The section is unlike what the model was trained on", textContent: "unfamiliar" })];
}

const familiarity = (section) =>
  section.in_domain === undefined ? "" : `; the section is ${percent(section.in_domain)} like what it was trained on`;

function tools(number) {
  const tool = (act, textContent, label, classes = []) =>
    element("button", { type: "button", classes, data: { act }, textContent, attributes: { "aria-label": label } });
  const made = [tool("rename", "Label", "Change the label")];
  if (number) {
    made.push(tool("move", "↕ Move", "Move where this section begins: drag, or arrow up and down", ["handle"]));
    made.push(tool("join", "Join", "Join with the section before"));
  }
  made.push(tool("split", "Split", "Split in the middle"));
  return element("span", { classes: ["tools"] }, ...made);
}

/** White space at the end of a section is not drawn; everything else is, to the last character. */
function text(doc, section, number) {
  const place = element("div", { classes: ["text"], dir: "auto" });
  const last = section.begin + [...doc.slice(section.begin, section.end).trimEnd()].length;
  const heading = headingOf(section);
  let at = section.begin;
  for (const i of doc.sentencesOf(number)) {
    const [begin, end] = doc.sentences[i];
    const words = doc.slice(begin, Math.min(end, last));
    if (begin > at) place.append(between(doc, at, Math.min(begin, last)));
    const classes = at === section.begin && heading && plainly(words) === plainly(heading) ? ["heading"] : [];
    place.append(element("span", { classes, data: { sentence: i }, textContent: words }));
    at = Math.min(end, last);
  }
  if (at < last) place.append(doc.slice(at, last));
  return place;
}

/** Where every paragraph is one long line, they stand apart from one another. */
function between(doc, begin, end) {
  const space = doc.slice(begin, end);
  return doc.hasLongLines && BREAK.test(space) ? element("span", { classes: ["paragraph"], textContent: space }) : space;
}

/** Return words without the marks and the white space with which a heading may be written. */
const plainly = (words) => words.replaceAll(/[#=*_~\s]+/g, " ").trim();
