// A document in sections: the heat map, the outline and the text, linked with each other, and corrections by hand.

import { drawArticle } from "./article.js";
import { Correcting } from "./correcting.js";
import { byId, count } from "./elements.js";
import { Figure } from "./figure.js";
import { mainLabel, namer } from "./labels.js";
import { say } from "./messages.js";
import { drawOutline, followReading, sectionItem } from "./outline.js";
import { reach } from "./reaching.js";
import { Sectioned } from "./sectioned.js";

/** Sections from which on those out of sight are not laid out. */
const LONG = 100;

export class SectionView {
  doc = null;
  name = namer([]);

  /** `labels()` gives the names that a person may choose from. */
  constructor(palette, controls, labels) {
    Object.assign(this, { palette, controls });
    this.figure = new Figure(markSentence, jump);
    this.correcting = new Correcting(byId("document"), () => this.doc, labels, (focus) => this.#corrected(focus));
    byId("document").addEventListener("pointerover", ({ target }) => this.#point(target));
    byId("document").addEventListener("pointerleave", () => this.figure.clear());
    document.addEventListener("keydown", (event) => this.#undoKey(event));
  }

  get facts() {
    return [count(this.doc.sections.length, "section"), count(this.doc.sentences.length, "sentence"), count(this.doc.length, "character")];
  }

  /** Show what the service found. */
  show(record, title) {
    const before = this.doc?.corrections ? this.doc : null;
    this.doc = new Sectioned(record, title);
    this.name = namer([...Object.keys(this.doc.heatmap.labels), ...this.doc.sections.map(({ label }) => label)]);
    this.controls.found(this.doc.sections.length, this.doc.sentences.length);
    this.draw();
    const parts = count(this.doc.sections.length, "section");
    say(before ? `${parts}. Your corrections are gone.` : parts, before && (() => this.#restore(before)));
  }

  draw() {
    const { doc, palette, name } = this;
    palette.settle([...doc.sections.map(mainLabel), ...Object.keys(doc.heatmap.labels)]);
    byId("document").classList.toggle("long", doc.sections.length > LONG);
    drawArticle(byId("document"), doc, palette, name);
    drawOutline(byId("outline"), doc.sections.map((section, number) => sectionItem(section, number, palette, name)));
    followReading(byId("outline"), byId("document"));
    this.figure.draw(doc, palette, name);
    this.drawn?.();
  }

  /** Forget the document. */
  clear() {
    this.doc = null;
    this.correct(false);
  }

  correct(on) {
    byId("document").classList.toggle("correcting", on);
    byId("correct").setAttribute("aria-pressed", String(on));
    byId("correcting").hidden = !on;
  }

  #restore(doc) {
    this.doc = doc;
    this.draw();
  }

  #corrected(focus) {
    this.draw();
    if (focus) byId(`s${focus[0]}`)?.querySelector(`[data-act="${focus[1]}"]`)?.focus();
    if (this.doc.corrections) say(`${count(this.doc.corrections, "correction")}.`, () => this.#undo());
  }

  #undo() {
    if (this.doc?.undo()) this.draw();
  }

  #undoKey(event) {
    const wanted = event.key === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey;
    if (!wanted || !this.correcting.on || event.target.closest("input, textarea")) return;
    event.preventDefault();
    this.#undo();
  }

  #point(target) {
    const sentence = target.closest("[data-sentence]")?.dataset.sentence;
    if (sentence !== undefined && this.controls.view === "sections") this.figure.point(Number(sentence));
  }
}

function sentenceSpan(sentence) {
  return byId("document").querySelector(`[data-sentence="${sentence}"]`);
}

function markSentence(sentence) {
  for (const other of byId("document").querySelectorAll(".here")) other.classList.remove("here");
  sentenceSpan(sentence)?.classList.add("here");
}

function jump(sentence) {
  const target = sentenceSpan(sentence);
  if (!target) return;
  reach(target, "center");
  target.classList.add("jumped");
  setTimeout(() => target.classList.remove("jumped"), 1600);
}
