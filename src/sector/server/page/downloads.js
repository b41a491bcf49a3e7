// Files to take away: the service's JSON, Markdown, a page of its own, and lines for `sector train`.

import { titleOf } from "./labels.js";

const KINDS = {
  chunks: ["jsonl", "application/x-ndjson"],
  json: ["json", "application/json"],
  markdown: ["md", "text/markdown"],
  html: ["html", "text/html"],
  training: ["jsonl", "application/x-ndjson"],
};

/** Let the browser save the document in a format. */
export function save(kind, doc, name) {
  const [ending, type] = KINDS[kind];
  const content = { json, markdown, html, training, chunks }[kind](doc, name);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
  link.download = `${doc.title.replace(/\.[^.]*$/, "").replaceAll(/[^\p{L}\p{N}._-]+/gu, "-") || "document"}.${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const sectionText = (doc, { begin, end }) => doc.slice(begin, end);

function json(doc) {
  const sections = doc.sections.map(({ edited, ...section }) => ({ ...section, text: sectionText(doc, section) }));
  const { sentences, deviation, heatmap, ...record } = doc.record;
  return `${JSON.stringify({ ...record, sections }, null, 2)}\n`;
}

function training(doc) {
  const sections = doc.sections.map(({ begin, end, label, heading }) => ({ begin, end, label, ...(heading ? { heading } : {}) }));
  return `${JSON.stringify({ id: doc.title, text: doc.text, sections })}\n`;
}

/** As `sector chunk --format jsonl` writes them. */
const chunks = (doc) => doc.chunks.map((chunk) => `${JSON.stringify({ ...chunk, document: doc.title })}\n`).join("");

function markdown(doc, name) {
  const parts = doc.sections.map((section) => {
    const { title } = titleOf(section, name);
    return `${"#".repeat(section.level + 1)} ${title.replaceAll(/[\\`*_[\]<>#]/g, "\\$&")}\n\n${sectionText(doc, section).trim()}\n`;
  });
  return `# ${doc.title}\n\n${parts.join("\n")}`;
}

const escaped = (text) => text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function html(doc, name) {
  const parts = doc.sections.map((section, number) => {
    const { title } = titleOf(section, name);
    const colour = Math.round(210 + 137.5 * number) % 360;
    return `<section lang="" dir="auto" data-hue="${colour}"><h2>${escaped(title)}</h2><div>${escaped(sectionText(doc, section).trim())}</div></section>`;
  });
  const style =
    ":root{color-scheme:light dark}body{font:17px/1.65 Georgia,serif;max-width:46rem;margin:3rem auto;padding:0 1.25rem}" +
    "section{border-left:4px solid;padding-left:1.25rem;margin:1.75rem 0}h2{font:600 1.05rem system-ui,sans-serif;margin:0 0 .4rem}" +
    "div{white-space:pre-wrap;overflow-wrap:anywhere}";
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  return (
    `<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${policy}">\n` +
    `<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>${escaped(doc.title)}</title>\n<style>${style}</style>\n</head>\n` +
    `<body>\n<h1>${escaped(doc.title)}</h1>\n${parts.join("\n")}\n</body>\n</html>\n`
  );
}
