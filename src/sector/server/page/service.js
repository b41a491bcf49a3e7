// What the page asks of the service. Every error becomes a Problem with a sentence for people.

export class Problem extends Error {
  constructor(message, kind) {
    super(message);
    this.kind = kind;
  }
}

const KEY = "sector-api-key";

export const rememberKey = (key) => sessionStorage.setItem(KEY, key);

/** Return the models and the options that the service has. */
export const describe = () => ask("v1/models");

/** Return a model with the names of its labels. */
export const labelsOf = (model) => ask(`v1/models/${encodeURIComponent(model)}`);

/** Return the document in sections; `source` is `{text}` or `{file}`. */
export const sections = (source, options, signal) => send("v1/segment", source, { ...options, details: true, keep: true }, signal);

/** Return the document in chunks. */
export const chunks = (source, options, signal) => send("v1/chunk", source, { ...options, keep: true }, signal);

const send = (path, source, options, signal) =>
  ask(path, { method: "POST", signal, ...(source.file ? form(source.file, options) : json(source, options)) });

function json({ text }, options) {
  const body = JSON.stringify({ text: wellFormed(text), ...options });
  return { body, headers: { "content-type": "application/json" } };
}

function form(file, options) {
  const body = new FormData();
  body.append("file", file, file.name);
  for (const [name, value] of Object.entries(options)) body.append(name, Array.isArray(value) ? JSON.stringify(value) : value);
  return { body };
}

/** Half a surrogate pair is no character, and JSON for it is refused. */
const wellFormed = (text) => (text.toWellFormed ? text.toWellFormed() : text.replace(/\p{Surrogate}/gu, "\ufffd"));

async function ask(path, request = {}) {
  const key = sessionStorage.getItem(KEY);
  const headers = { ...request.headers, ...(key ? { authorization: `Bearer ${key}` } : {}) };
  let answer;
  try {
    answer = await fetch(path, { ...request, headers });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem("The service does not answer. Is it still running?", "offline");
  }
  const found = await answer.json().catch(() => ({ error: `The service answered with status ${answer.status}.` }));
  if (!answer.ok) throw new Problem(found.error ?? "The service could not answer.", found.error_type ?? "http");
  return found;
}
