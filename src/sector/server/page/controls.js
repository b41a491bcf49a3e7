// The controls and the address: what is chosen stands behind the # of the address, which no server sees. The document
// never does.

import { byId, element } from "./elements.js";

/** Steps of the slider that double the granularity. */
const STEP = 2;
const MOST_SECTIONS = 60;

export class Controls {
  #timer;

  /** `changed()` is called, a moment after the last move, when something was chosen. */
  constructor(described, changed) {
    this.offered = new Set(described.options);
    this.initial = described.default;
    byId("model").replaceChildren(...described.models.map(({ name, labels }) => element("option", { value: name, textContent: `${name} · ${labels.toLocaleString("en")} labels` })));
    byId("model").value = this.initial;
    for (const field of document.querySelectorAll("[data-option]")) field.hidden = !this.offered.has(field.dataset.option);
    this.#read();
    byId("options").addEventListener("submit", (event) => event.preventDefault());
    byId("options").addEventListener("input", (event) => {
      this.show();
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => {
        this.#write();
        changed();
      }, event.target.type === "text" ? 350 : 60);
    });
    this.show();
  }

  /** Return the options of a request; what is as the model does it is left out. */
  get options() {
    const found = { model: byId("model").value };
    const add = (name, value, standard) => {
      if (this.offered.has(name) && value !== standard) found[name] = value;
    };
    add("granularity", 2 ** (Number(byId("granularity").value) / STEP), 1);
    add("sections", Number(byId("sections").value), 0);
    const labels = byId("labels").value.split(/[,;\n]/).map((label) => label.trim()).filter(Boolean);
    if (labels.length) add("labels", [...new Set(labels)], undefined);
    add("headings", byId("headings").value, "use");
    add("merge", byId("merge").checked, false);
    return found;
  }

  /** No document has more sections than sentences. */
  limit(sentences) {
    const slider = byId("sections");
    slider.max = Math.max(Number(slider.value), Math.min(MOST_SECTIONS, sentences));
  }

  /** Say what the sliders stand for. */
  show() {
    const factor = 2 ** (Number(byId("granularity").value) / STEP);
    byId("granularity-shown").textContent = `× ${Number(factor.toPrecision(2))}`;
    byId("granularity").setAttribute("aria-valuetext", `${Number(factor.toPrecision(2))} times as many sections`);
    const sections = Number(byId("sections").value);
    byId("sections-shown").textContent = sections || "as the model finds";
    byId("sections").setAttribute("aria-valuetext", sections ? `about ${sections}` : "as many as the model finds");
  }

  #write() {
    const { model, ...chosen } = this.options;
    const state = new URLSearchParams(model === this.initial ? chosen : { model, ...chosen });
    history.replaceState(null, "", state.size ? `#${state}` : location.pathname + location.search);
  }

  #read() {
    const state = new URLSearchParams(location.hash.slice(1));
    const names = [...byId("model").options].map(({ value }) => value);
    if (names.includes(state.get("model"))) byId("model").value = state.get("model");
    const factor = Number(state.get("granularity"));
    if (factor > 0) byId("granularity").value = Math.round(STEP * Math.log2(factor));
    byId("sections").value = Number(state.get("sections")) || 0;
    byId("labels").value = state.get("labels")?.replaceAll(",", ", ") ?? "";
    if (["only", "ignore"].includes(state.get("headings"))) byId("headings").value = state.get("headings");
    byId("merge").checked = state.get("merge") === "true";
  }
}
