// The controls and the address: what is chosen stands behind the # of the address, which no server sees. The document
// never does.

import { byId, element } from "./elements.js";
import { FIELDS } from "./fields.js";

/** Sections that the slider reaches. */
const MOST_SECTIONS = 60;
/** Milliseconds after the last key, and after the last move of a slider. */
const [TYPING, MOVING] = [350, 60];

export class Controls {
  #timer;
  #offered;

  /** `changed()` is called, a moment after the last move, when something was chosen. */
  constructor(described, changed) {
    this.changed = changed;
    this.initial = described.default;
    this.#offered = { sections: new Set(described.options), chunks: new Set(described.chunk_options ?? []) };
    byId("model").replaceChildren(...described.models.map(modelOption));
    byId("views").hidden = !this.#offered.chunks.size;
    if (!described.models.some(({ task }) => task === "open")) refuseLabels();
    this.read();
    byId("options").addEventListener("submit", (event) => event.preventDefault());
    byId("options").addEventListener("input", ({ target }) => this.#moved(target));
    byId("sections-auto").addEventListener("click", () => {
      byId("sections").dataset.auto = "";
      byId("sections").focus();
      this.#moved(byId("options"));
    });
    addEventListener("hashchange", () => {
      this.read();
      changed();
    });
  }

  get view() {
    return document.body.dataset.view;
  }

  /** Show sections or chunks, with the fields that belong to them. */
  set view(view) {
    document.body.dataset.view = view;
    for (const button of byId("views").querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset.view === view));
    for (const field of document.querySelectorAll("[data-option]")) field.hidden = !this.#offered[view].has(field.dataset.option);
    this.#write();
  }

  /** Return the options of a request; what is as the model does it is left out. */
  get options() {
    return { model: byId("model").value, ...this.#chosen((name) => this.#offered[this.view].has(name)) };
  }

  /** Learn how many sections were found, and of how many sentences: no document has more sections than sentences. */
  found(sections, sentences) {
    const slider = byId("sections");
    const most = Math.max(2, Math.min(Math.max(MOST_SECTIONS, 2 * sections), sentences));
    slider.max = "auto" in slider.dataset ? most : Math.max(Number(slider.value), most);
    slider.dataset.found = sections;
    if ("auto" in slider.dataset) slider.value = sections;
    byId("sections-most").textContent = slider.max;
    this.#show();
  }

  /** Set the controls to what the address says. */
  read() {
    const state = new URLSearchParams(location.hash.slice(1));
    const names = [...byId("model").options].map(({ value }) => value);
    byId("model").value = names.includes(state.get("model")) ? state.get("model") : this.initial;
    for (const [name, { set, standard }] of Object.entries(FIELDS)) set(byId(name), state.get(name) ?? String(standard));
    this.view = state.get("view") === "chunks" && this.#offered.chunks.size ? "chunks" : "sections";
    this.#show();
  }

  #moved(target) {
    if (target.id === "sections") delete target.dataset.auto;
    if (target.id === "granularity") byId("sections").dataset.auto = "";
    if (target.id === "sections") byId("granularity").value = 0;
    delete byId("sections").dataset.found; // until the answer is there
    this.#show();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#write();
      this.changed();
    }, target.type === "textarea" ? TYPING : MOVING);
  }

  #chosen(wanted) {
    const pairs = Object.entries(FIELDS).map(([name, { get, standard }]) => [name, get(byId(name)), standard]);
    return Object.fromEntries(pairs.filter(([name, value, standard]) => wanted(name) && String(value) !== String(standard)));
  }

  /** Say what the sliders stand for. */
  #show() {
    for (const [name, { get, says }] of Object.entries(FIELDS)) {
      if (!says) continue;
      const [shown, spoken] = says(get(byId(name)), byId(name));
      byId(`${name}-shown`).textContent = shown;
      byId(name).setAttribute("aria-valuetext", spoken);
    }
    byId("sections-auto").hidden = "auto" in byId("sections").dataset;
  }

  #write() {
    const state = new URLSearchParams();
    if (byId("model").value !== this.initial) state.set("model", byId("model").value);
    if (this.view !== "sections") state.set("view", this.view);
    for (const [name, value] of Object.entries(this.#chosen(() => true))) state.set(name, value);
    history.replaceState(null, "", state.size ? `#${state}` : location.pathname + location.search);
  }
}

function modelOption({ name, task, labels }) {
  const kind = task === "open" ? "titles of its own" : `${labels.toLocaleString("en")} labels`;
  return element("option", { value: name, textContent: `${name} · ${kind}` });
}

function refuseLabels() {
  byId("labels").disabled = true;
  byId("labels-help").textContent = "They need a model of open vocabulary, and this service has none.";
}
