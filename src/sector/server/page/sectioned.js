// A document with its sections, as a person may correct them. Offsets count characters as Python does (code points);
// JavaScript counts UTF-16 units, so texts with characters outside the basic plane get a table between the two.

/** No text that is wrapped by hand has such a line. */
const LONG_LINE = /[^\n]{250}/;

export class Sectioned {
  /** The sections before each correction. */
  #steps = [];

  constructor(record, title) {
    this.text = record.sections.map((section) => section.text).join("");
    this.title = title;
    this.model = record.model;
    this.id = record.id;
    this.sentences = record.sentences ?? [];
    this.heatmap = record.heatmap ?? { columns: 0, labels: {} };
    this.deviation = record.deviation ?? [];
    this.sections = record.sections.map(({ text, ...section }) => ({ level: 1, heading: "", ...section }));
    this.record = record;
    this.hasLongLines = LONG_LINE.test(this.text);
    this.units = unitsOf(this.text);
    this.length = this.units ? this.units.length - 1 : this.text.length;
  }

  slice(begin, end) {
    return this.units ? this.text.slice(this.units[begin], this.units[end]) : this.text.slice(begin, end);
  }

  /** Say whether another document has the same text and the same sentences. */
  hasTextOf(other) {
    const same = this.text === other.text && this.sentences.length === other.sentences.length;
    return same && this.sentences.every(([begin, end], i) => begin === other.sentences[i][0] && end === other.sentences[i][1]);
  }

  /** Return the number of the section that the character is in. */
  sectionAt(begin) {
    let [low, high] = [0, this.sections.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.sections[middle].begin <= begin) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Return the numbers of the sentences that begin in a section. */
  sentencesOf(number) {
    const { begin, end } = this.sections[number];
    const found = [];
    for (let i = this.firstAt(begin); i < this.sentences.length && this.sentences[i][0] < end; i++) found.push(i);
    return found;
  }

  /** Return the number of the first sentence that begins at the character or after it. */
  firstAt(begin) {
    let [low, high] = [0, this.sentences.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.sentences[middle][0] < begin) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * Correct by `change(this)`, which says whether anything changed. `undo` takes it back, together with all that came
   * after the first `mark` corrections.
   */
  correct(change, mark = this.corrections) {
    const before = [...this.sections];
    if (!change(this)) return false;
    this.#steps.push(before);
    this.#steps.length = mark + 1;
    return true;
  }

  /** Take the last correction back; say whether there was one. */
  undo() {
    const before = this.#steps.pop();
    if (before) this.sections = before;
    return Boolean(before);
  }

  get corrections() {
    return this.#steps.length;
  }

  /** Let a section begin with another sentence, between its neighbours. */
  move(number, sentence) {
    const begin = this.sentences[sentence]?.[0];
    const [before, own] = [this.sections[number - 1], this.sections[number]];
    if (!before || begin === undefined || begin === own.begin || begin <= before.begin || begin >= own.end) return false;
    this.#change(number - 1, { end: begin });
    this.#change(number, { begin });
    return true;
  }

  /** Let a new section begin with a sentence; it has the label of the one that it was in. */
  split(sentence) {
    const begin = this.sentences[sentence][0];
    const number = this.sectionAt(begin);
    const section = this.sections[number];
    if (begin <= section.begin) return false;
    this.sections.splice(number, 1, { ...section, end: begin, edited: true }, { ...section, begin, heading: "", edited: true });
    return true;
  }

  /** Join a section with the one before it. */
  join(number) {
    if (number < 1) return false;
    const { end } = this.sections[number];
    this.sections.splice(number, 1);
    this.#change(number - 1, { end });
    return true;
  }

  rename(number, label) {
    if (!label || label === this.sections[number].label) return false;
    const { label_source, ...section } = this.sections[number];
    this.sections[number] = { ...section, label, confidence: 1, scores: { [label]: 1 }, edited: true };
    return true;
  }

  #change(number, values) {
    this.sections[number] = { ...this.sections[number], ...values, edited: true };
  }
}

function unitsOf(text) {
  if (!/[\ud800-\udbff][\udc00-\udfff]/.test(text)) return null;
  const units = [];
  for (let i = 0; i < text.length; i += text.codePointAt(i) > 0xffff ? 2 : 1) units.push(i);
  return [...units, text.length];
}
