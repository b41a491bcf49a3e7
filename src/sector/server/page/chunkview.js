// A document in chunks, as an index would hold them: how full each one is, what it repeats, where it stands.

import { byId, count, element } from "./elements.js";
import { namer, titleOf } from "./labels.js";
import { say } from "./messages.js";
import { chunkItem, drawOutline, followReading } from "./outline.js";

const LONG = 100;

export class ChunkView {
  doc = null;
  name = namer([]);

  constructor(palette, controls) {
    Object.assign(this, { palette, controls });
  }

  get facts() {
    const sizes = this.doc.chunks.map(({ tokens }) => tokens);
    const mean = Math.round(sizes.reduce((a, b) => a + b, 0) / Math.max(1, sizes.length));
    return [count(sizes.length, "chunk"), `${mean.toLocaleString("en")} ${this.unit} on average`, count(this.doc.length, "character")];
  }

  /** Show what the service found. */
  show(record, title) {
    this.doc = { ...record, title };
    this.name = namer(record.chunks.map(({ label }) => label));
    this.most = this.controls.options.max_tokens ?? 512;
    this.unit = { words: "words", characters: "characters" }[this.controls.options.tokenizer] ?? "tokens";
    this.draw();
    say(count(record.chunks.length, "chunk"));
  }

  draw() {
    const { chunks } = this.doc;
    this.palette.settle(chunks.map(({ label }) => label));
    byId("figure").hidden = true;
    byId("document").classList.toggle("long", chunks.length > LONG);
    const drawn = chunks.map((chunk, number) => this.#card(chunk, number, chunks[number - 1]?.end ?? 0));
    byId("document").replaceChildren(...(drawn.length ? drawn : [element("p", { classes: ["empty"], textContent: "The document is empty: there are no chunks." })]));
    const hints = this.#hints();
    drawOutline(byId("outline"), chunks.map((chunk, number) => chunkItem(chunk, number, this.palette, this.name, this.#share(chunk), hints[number])));
    followReading(byId("outline"), byId("document"));
    this.drawn?.();
  }

  clear() {
    this.doc = null;
  }

  /** Return how chunks begin that share their title with others. */
  #hints() {
    const titles = this.doc.chunks.map((chunk) => titleOf(chunk, this.name).title);
    return this.doc.chunks.map(({ text }, number) => {
      if (titles.indexOf(titles[number]) === titles.lastIndexOf(titles[number])) return "";
      const lines = text.split("\n").map((line) => line.trim()).filter((line) => line && line !== titles[number]);
      return lines[0] ?? "";
    });
  }

  #share = ({ tokens }) => Math.min(1, tokens / this.most);

  #card(chunk, number, told) {
    const { title, path } = titleOf(chunk, this.name);
    const heading = element("h2", { id: `t${number}`, classes: ["title"] }, element("bdi", { textContent: title }));
    if (path) heading.append(element("bdi", { classes: ["path"], textContent: path }));
    return element(
      "div",
      { id: `s${number}`, classes: ["section", "chunk", ...this.palette.classes(chunk.label)], data: { number }, attributes: { role: "group", "aria-labelledby": `t${number}` } },
      element("header", {}, heading, this.#fill(chunk)),
      chunkText(chunk, told),
      element("p", { classes: ["where"], textContent: whereabouts(chunk) }),
    );
  }

  #fill(chunk) {
    const bar = element("i");
    bar.style.width = `${Math.round(100 * this.#share(chunk))}%`;
    const words = `${chunk.tokens.toLocaleString("en")} of ${this.most.toLocaleString("en")} ${this.unit}`;
    return element("span", { classes: ["sure"] }, element("span", { classes: ["meter"], attributes: { "aria-hidden": "true" } }, bar), words);
  }
}

/** What the chunk before has too stands in a quieter colour. */
function chunkText(chunk, told) {
  const place = element("div", { classes: ["text"], dir: "auto" });
  const letters = [...chunk.text];
  const repeated = Math.max(0, Math.min(letters.length, told - chunk.begin));
  if (repeated) place.append(element("span", { classes: ["repeated"], title: "Repeated from the chunk before", textContent: letters.slice(0, repeated).join("") }));
  place.append(letters.slice(repeated).join("").trimEnd());
  return place;
}

function whereabouts({ begin, end, page }) {
  const characters = `characters ${begin.toLocaleString("en")} to ${end.toLocaleString("en")}`;
  return page ? `page ${page}, ${characters}` : characters;
}
