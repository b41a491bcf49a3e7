// The heat map: a row per label, a column per sentence, sections above and boundaries across. One place of it is
// chosen by the pointer or the arrow keys; the caption says its sentence, a click or Enter jumps there.

import { byId, element, percent } from "./elements.js";
import { mainLabel } from "./labels.js";

const [ROW, STRIP, GAP, CURVE] = [13, 9, 4, 22];
/** Exponent from probability to opacity: with thousands of labels, the best one may have a tenth. */
const SHADE = 0.6;

export class Figure {
  #doc;
  #name;
  #palette;
  #at = 0;

  constructor(onChosen, onJump) {
    this.plot = byId("plot");
    this.canvas = byId("canvas");
    this.onChosen = onChosen;
    this.plot.addEventListener("pointermove", (event) => this.choose(this.#sentenceAt(event)));
    this.plot.addEventListener("pointerleave", () => this.clear());
    this.plot.addEventListener("focus", () => this.choose(this.#at));
    this.plot.addEventListener("blur", () => this.clear());
    this.plot.addEventListener("click", (event) => onJump(this.#sentenceAt(event)));
    this.plot.addEventListener("keydown", (event) => this.#key(event, onJump));
    new ResizeObserver(() => this.paint()).observe(this.plot);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.paint());
  }

  draw(doc, palette, name) {
    [this.#doc, this.#palette, this.#name] = [doc, palette, name];
    this.#at = Math.min(this.#at, Math.max(0, doc.sentences.length - 1));
    byId("figure").hidden = !doc.heatmap.columns;
    const labels = Object.keys(doc.heatmap.labels);
    const names = labels.map((label) => element("span", { textContent: name(label), title: label }));
    byId("figure-rows").replaceChildren(...names);
    byId("figure-rows").style.paddingTop = `${STRIP + GAP}px`;
    this.plot.setAttribute("aria-valuemax", String(doc.sentences.length));
    this.clear();
    this.paint();
  }

  /** Choose a sentence: the cursor, the caption, and the mark in the text. */
  choose(sentence) {
    if (!this.#doc?.sentences.length) return;
    this.#place(sentence);
    this.onChosen(this.#at);
  }

  #place(sentence) {
    this.#at = Math.max(0, Math.min(sentence, this.#doc.sentences.length - 1));
    const [cursor, said] = [byId("cursor"), this.#said(this.#at)];
    cursor.hidden = false;
    cursor.style.left = `${(100 * (this.#at + 0.5)) / this.#doc.sentences.length}%`;
    byId("caption").textContent = said;
    this.plot.setAttribute("aria-valuenow", String(this.#at + 1));
    this.plot.setAttribute("aria-valuetext", said);
  }

  /** Show where a sentence of the text stands. */
  point(sentence) {
    if (!this.#doc?.sentences.length || sentence === this.#at && !byId("cursor").hidden) return;
    this.#place(sentence);
  }

  clear() {
    byId("cursor").hidden = true;
    byId("caption").textContent = this.#doc ? "Each column is a sentence, each row a label. Point at it to read, click to go there." : "";
    this.plot.setAttribute("aria-valuenow", String(this.#at + 1));
    this.plot.setAttribute("aria-valuetext", this.#doc?.sentences.length ? this.#said(this.#at) : "no sentence");
    this.onChosen(-1);
  }

  #said(sentence) {
    const column = this.#column(sentence);
    const best = Object.entries(this.#doc.heatmap.labels).sort(([, a], [, b]) => b[column] - a[column])[0];
    const [begin, end] = this.#doc.sentences[sentence];
    const text = this.#doc.slice(begin, Math.min(end, begin + 160)).replaceAll(/\s+/g, " ");
    return `${sentence + 1}: ${best ? `${this.#name(best[0])} ${percent(best[1][column])} — ` : ""}${text}`;
  }

  #column(sentence) {
    return Math.min(this.#doc.heatmap.columns - 1, Math.floor((sentence * this.#doc.heatmap.columns) / this.#doc.sentences.length));
  }

  #sentenceAt(event) {
    const { left, width } = this.plot.getBoundingClientRect();
    return Math.floor(((event.clientX - left) / width) * this.#doc.sentences.length);
  }

  #key(event, onJump) {
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: -1, ArrowDown: 1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };
    if (event.key in steps) this.choose(this.#at + steps[event.key]);
    else if (event.key === "Enter") onJump(this.#at);
    else return;
    event.preventDefault();
  }

  paint() {
    const doc = this.#doc;
    if (!doc?.heatmap.columns || !this.plot.clientWidth) return;
    const labels = Object.entries(doc.heatmap.labels);
    const [width, height, scale] = [this.plot.clientWidth, STRIP + GAP + ROW * labels.length + CURVE, devicePixelRatio];
    Object.assign(this.canvas, { width: width * scale, height: height * scale });
    this.canvas.style.height = `${height}px`;
    const pen = this.canvas.getContext("2d");
    pen.scale(scale, scale);
    const style = getComputedStyle(document.body);
    this.#paintRows(pen, labels, width);
    this.#paintSections(pen, width, height, style.getPropertyValue("--ink"), style.getPropertyValue("--paper"));
    this.#paintCurve(pen, width, height, style.getPropertyValue("--quiet"));
  }

  #paintRows(pen, labels, width) {
    const cell = width / this.#doc.heatmap.columns;
    labels.forEach(([label, values], row) => {
      pen.fillStyle = this.#colour(label);
      values.forEach((value, column) => {
        pen.globalAlpha = Math.min(1, value) ** SHADE;
        if (value > 0.02) pen.fillRect(column * cell, STRIP + GAP + ROW * row + 1, Math.ceil(cell * 10) / 10 + 0.2, ROW - 2);
      });
    });
    pen.globalAlpha = 1;
  }

  #paintSections(pen, width, height, ink, paper) {
    const x = (begin) => (width * this.#doc.firstAt(begin)) / this.#doc.sentences.length;
    const many = this.#doc.sections.length > 120;
    this.#doc.sections.forEach((section, number) => {
      const [left, right] = [x(section.begin), number + 1 < this.#doc.sections.length ? x(section.end) : width];
      pen.fillStyle = this.#colour(mainLabel(section));
      pen.fillRect(left, 0, Math.max(1, right - left - 1), STRIP);
      if (this.#palette.classes(mainLabel(section)).includes("again")) hatch(pen, left, right, paper);
      if (!number || many) return;
      pen.fillStyle = ink;
      pen.globalAlpha = section.level > 1 ? 0.3 : 0.65;
      pen.fillRect(left - 0.5, 0, 1, height);
      pen.globalAlpha = 1;
    });
  }

  #paintCurve(pen, width, height, colour) {
    const values = this.#doc.deviation;
    const most = values.reduce((a, b) => Math.max(a, b), 0);
    if (!most) return;
    pen.fillStyle = colour;
    pen.globalAlpha = 0.6;
    const step = width / values.length;
    values.forEach((value, i) => {
      const high = (value / most) * (CURVE - 4);
      pen.fillRect(i * step, height - high, Math.max(1, step - 0.4), high);
    });
    pen.globalAlpha = 1;
  }

  #colour(label) {
    const probe = byId("figure");
    const [colour] = this.#palette.classes(label);
    probe.classList.add(colour);
    const found = getComputedStyle(probe).getPropertyValue("--c").trim();
    probe.classList.remove(colour);
    return found;
  }
}

/** Draw stripes across the strip from `left` to `right`. */
function hatch(pen, left, right, paper) {
  pen.save();
  pen.beginPath();
  pen.rect(left, 0, right - left - 1, STRIP);
  pen.clip();
  pen.strokeStyle = paper;
  pen.lineWidth = 2;
  for (let x = left - STRIP; x < right; x += 6) {
    pen.beginPath();
    pen.moveTo(x, STRIP);
    pen.lineTo(x + STRIP, 0);
    pen.stroke();
  }
  pen.restore();
}
