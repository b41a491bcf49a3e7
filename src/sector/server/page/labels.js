// How labels look: a colour that stays with a label while a document is open, and a name without what all share.

const COLOURS = 9;

export class Palette {
  #places = new Map();

  /** Forget the labels of the document before. */
  forget() {
    this.#places = new Map();
  }

  /** Give every label a colour: the one it had if that is free, else the first that no other label has now. */
  settle(labels) {
    const wanted = [...new Set(labels)];
    const places = new Map(wanted.filter((label) => this.#places.has(label)).map((label) => [label, this.#places.get(label)]));
    const taken = new Set(places.values());
    for (const label of wanted) {
      if (places.has(label)) continue;
      let place = 0;
      while (taken.has(place)) place++;
      taken.add(place);
      places.set(label, place);
    }
    this.#places = places;
  }

  /** Return the classes of a label: its colour, and `again` where all colours are taken and it gets hatched. */
  classes(label) {
    if (!this.#places.has(label)) this.settle([...this.#places.keys(), label]);
    const place = this.#places.get(label);
    return [`c${place % COLOURS}`, ...(Math.floor(place / COLOURS) % 2 ? ["again"] : [])];
  }
}

/** Return the label that a section's colour follows: the best one, of which its name may have two. */
export const mainLabel = (section) => Object.keys(section.scores ?? {})[0] ?? section.label;

/** Return a function that shows labels: "city.history_notes" as "History notes" where all begin with "city.". */
export function namer(labels) {
  const prefix = /^[^.\s]+\./.exec(labels[0] ?? "")?.[0] ?? "";
  const shared = prefix && labels.every((label) => label.startsWith(prefix) && label.length > prefix.length);
  return (label) => {
    const name = (shared && label.startsWith(prefix) ? label.slice(prefix.length) : label).replaceAll("_", " ");
    return name.charAt(0).toUpperCase() + name.slice(1) || "No label";
  };
}

/** Return the heading that a section has from its author, without those above it. */
export const headingOf = ({ heading }) => (heading ?? "").split(" | ").filter(Boolean).at(-1);

/** Return a section's title and, where its author gave it a path, what stands before the last part. */
export function titleOf(section, name) {
  const parts = (section.heading ?? "").split(" | ").filter(Boolean);
  const last = parts.pop();
  return { title: last ?? name(section.label), path: last ? [...parts, name(section.label)].join(" › ") : "" };
}
