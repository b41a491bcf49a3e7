// What each control means: `get` gives what a request says, `set` takes what stands in the address, `says` gives what is
// shown and what is spoken. `standard` is what is as the model does it.

/** Steps of the slider that double the granularity. */
const STEP = 2;
/** Places of the slider of tokens. */
const TOKENS = [64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048];

const number = {
  get: ({ value }) => Number(value),
  set: (field, text) => { field.value = Number(text) || 0; },
};

const choice = (standard) => ({
  standard,
  get: ({ value }) => value,
  set: (field, text) => { field.value = [...field.options].some(({ value }) => value === text) ? text : standard; },
});

const nearest = (wanted) =>
  TOKENS.reduce((best, size, place) => (Math.abs(size - wanted) < Math.abs(TOKENS[best] - wanted) ? place : best), 0);

export const FIELDS = {
  granularity: {
    standard: 1,
    get: ({ value }) => 2 ** (Number(value) / STEP),
    set: (field, text) => { field.value = Number(text) > 0 ? Math.round(STEP * Math.log2(Number(text))) : 0; },
    says: (factor) => [`× ${Number(factor.toPrecision(2))}`, `${Number(factor.toPrecision(2))} times as many sections`],
  },
  sections: {
    standard: "",
    get: (field) => ("auto" in field.dataset ? "" : Number(field.value)),
    set: (field, text) => {
      field.toggleAttribute("data-auto", !(Number(text) >= 1));
      if (Number(text) > Number(field.max)) field.max = text;
      if (Number(text) >= 1) field.value = text;
    },
    says: (chosen, { value, dataset: { found } }) => {
      if (!chosen) return ["as found", `${value}, as the model finds`];
      const words = found && Number(found) !== chosen ? `${chosen} asked, ${found} found` : chosen;
      return [words, `${words} sections`];
    },
  },
  max_tokens: {
    standard: 512,
    get: ({ value }) => TOKENS[Number(value)],
    set: (field, text) => { field.value = nearest(Number(text) || 512); },
    says: (tokens) => [tokens.toLocaleString("en"), `${tokens} tokens`],
  },
  overlap: { standard: 0, ...number, says: (count) => [count || "none", count ? `${count} repeated` : "none"] },
  tokenizer: choice("estimate"),
  labels: {
    standard: "",
    get: ({ value, disabled }) => (disabled ? [] : [...new Set(value.split(/[,;\n]/).map((label) => label.trim()).filter(Boolean))]),
    set: (field, text) => { field.value = text.split(",").filter(Boolean).join(", "); },
  },
  headings: choice("use"),
  merge: {
    standard: false,
    get: ({ checked }) => checked,
    set: (field, text) => { field.checked = text === "true"; },
  },
};
