// Corrections by hand: drag or arrow keys move a boundary, a click on a sentence splits, a title can be typed anew.

import { element } from "./elements.js";

/** Pixels from the window's edge at which the page scrolls with a drag, and how far. */
const [EDGE, SCROLL] = [60, 14];

export class Correcting {
  /** The section whose begin is dragged, and how many corrections there were before. */
  #drag = null;

  /** `current()` is the document; `changed(focus)` is called after each correction. */
  constructor(place, current, labels, changed) {
    Object.assign(this, { place, current, labels, changed });
    place.addEventListener("click", (event) => this.#click(event));
    place.addEventListener("keydown", (event) => this.#key(event));
    place.addEventListener("pointerdown", (event) => this.#begin(event));
    place.addEventListener("pointermove", (event) => this.#follow(event));
    place.addEventListener("pointerup", () => this.#end());
    place.addEventListener("pointercancel", () => this.#end());
  }

  get on() {
    return this.place.classList.contains("correcting");
  }

  #do(change, focus, mark) {
    if (this.current().correct(change, mark)) this.changed(focus);
  }

  #click(event) {
    if (!this.on || String(getSelection())) return;
    const number = Number(event.target.closest(".section")?.dataset.number);
    const act = event.target.closest("[data-act]")?.dataset.act ?? (event.target.closest(".title") ? "rename" : "");
    const sentence = event.target.closest("[data-sentence]")?.dataset.sentence;
    if (act === "rename") this.#rename(number);
    else if (act === "join") this.#do((doc) => doc.join(number), [number - 1, "join"]);
    else if (act === "split") this.#splitInside(number);
    else if (sentence !== undefined) this.#do((doc) => doc.split(Number(sentence)), null);
  }

  #splitInside(number) {
    this.#do((doc) => {
      const inside = doc.sentencesOf(number);
      return inside.length > 1 && doc.split(inside[Math.ceil(inside.length / 2)]);
    }, [number + 1, "move"]);
  }

  #key(event) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step || event.target.dataset.act !== "move") return;
    event.preventDefault();
    const number = Number(event.target.closest(".section").dataset.number);
    this.#do((doc) => doc.move(number, doc.firstAt(doc.sections[number].begin) + step), [number, "move"]);
  }

  #begin(event) {
    if (event.target.dataset?.act !== "move") return;
    event.preventDefault();
    event.target.focus();
    this.#drag = { number: Number(event.target.closest(".section").dataset.number), mark: this.current().corrections };
    this.place.setPointerCapture(event.pointerId); // the handle itself is drawn anew while it moves
    this.place.classList.add("dragging");
  }

  #follow(event) {
    if (!this.#drag) return;
    if (event.clientY < EDGE) scrollBy(0, -SCROLL);
    if (event.clientY > innerHeight - EDGE) scrollBy(0, SCROLL);
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-sentence]");
    if (!under || !this.place.contains(under)) return;
    const { number, mark } = this.#drag;
    this.#do((doc) => doc.move(number, Number(under.dataset.sentence)), [number, "move"], mark);
  }

  #end() {
    this.#drag = null;
    this.place.classList.remove("dragging");
  }

  #rename(number) {
    const heading = this.place.querySelector(`#t${number}`);
    if (!heading || heading.querySelector("input")) return;
    const { label } = this.current().sections[number];
    const names = element("datalist", { id: "label-names" }, ...this.labels().map((value) => element("option", { value })));
    const input = element("input", { type: "text", classes: ["label"], value: label, attributes: { "aria-label": "Label", list: "label-names" } });
    const shown = [...heading.childNodes];
    let open = true;
    const close = (keep) => {
      if (!open) return;
      open = false;
      heading.replaceChildren(...shown);
      this.current().correct((doc) => doc.rename(number, keep ? input.value.trim() : ""));
      this.changed([number, "rename"]);
    };
    input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key !== "Enter" && event.key !== "Escape") return;
      event.preventDefault(); // or Enter would press the button that gets the focus
      close(event.key === "Enter");
    });
    input.addEventListener("blur", () => close(true));
    heading.replaceChildren(input, names);
    input.select();
  }
}
