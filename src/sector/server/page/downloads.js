// Files to take away: the service's JSON, Markdown, a page of its own, and lines for `sector train`.

import { percent } from "./elements.js";
import { mainLabel, titleOf } from "./labels.js";
import { DEEPEST } from "./outline.js";

const KINDS = {
  chunks: ["jsonl", "application/x-ndjson"],
  json: ["json", "application/json"],
  markdown: ["md", "text/markdown"],
  html: ["html", "text/html"],
  training: ["jsonl", "application/x-ndjson"],
};

/** Let the browser save the document of a view in a format. */
export function save(kind, { doc, name, palette }) {
  const [ending, type] = KINDS[kind];
  const content = { json, markdown, html, training, chunks }[kind](doc, name, palette);
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

const STYLE = `:root{color-scheme:light dark}
body{font:17px/1.65 Georgia,serif;max-width:46rem;margin:3rem auto;padding:0 1.25rem}
nav ol{list-style:none;padding:0;font:15px/1.7 system-ui,sans-serif}nav a{color:inherit;border-left:.6rem solid var(--c);padding-left:.6rem;text-decoration:none}
section{border-left:5px solid var(--c);padding-left:1.25rem;margin:1.75rem 0}
h2,h3{font:600 1.05rem system-ui,sans-serif;margin:0 0 .4rem}small{display:block;font-weight:400;opacity:.8}
div{white-space:pre-wrap;overflow-wrap:anywhere}.level2{margin-left:1.5rem}.level3{margin-left:3rem}.level4{margin-left:4.5rem}`;
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/** The colours of the page, light and dark: all rules that set one. */
const colours = () => [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]).map(({ cssText }) => cssText).filter((rule) => rule.includes("--c:")).join("\n");

function html(doc, name, palette) {
  const parts = doc.sections.map((section, number) => ({ ...titleOf(section, name), section, number, classes: palette.classes(mainLabel(section))[0] }));
  const level = ({ level }) => `level${Math.min(DEEPEST, level)}`;
  const links = parts.map(({ title, section, number, classes }) => `<li class="${level(section)}"><a class="${classes}" href="#s${number}">${escaped(title)}</a></li>`);
  const bodies = parts.map(({ title, path, section, number, classes }) => {
    const heading = section.level > 1 ? "h3" : "h2";
    const small = escaped([path, percent(section.confidence)].filter(Boolean).join(" · "));
    return `<section id="s${number}" dir="auto" class="${classes} ${level(section)}"><${heading}>${escaped(title)}<small>${small}</small></${heading}><div>${escaped(sectionText(doc, section).trim())}</div></section>`;
  });
  return (
    `<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${POLICY}">\n` +
    `<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>${escaped(doc.title)}</title>\n<style>\n${STYLE}\n${colours()}\n</style>\n</head>\n` +
    `<body>\n<h1>${escaped(doc.title)}</h1>\n<nav><ol>\n${links.join("\n")}\n</ol></nav>\n${bodies.join("\n")}\n</body>\n</html>\n`
  );
}
