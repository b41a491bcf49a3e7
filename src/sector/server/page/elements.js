// Elements are made from text, never from markup: what a document says stays text.

/** Return a new element with properties, `classes`, `data` and children (elements or strings). */
export function element(tag, { classes = [], data = {}, attributes = {}, ...properties } = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.classList.add(...classes);
  Object.assign(made.dataset, data);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export const byId = (id) => document.getElementById(id);

export const percent = (value) => `${Math.round(100 * value)} %`;

export const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
