// The table of contents: a link per section or chunk, and the mark of the one that is being read.

import { element, percent } from "./elements.js";
import { mainLabel, titleOf } from "./labels.js";
import { reveal } from "./reaching.js";

/** The deepest level that is set in further than the one above it. */
export const DEEPEST = 4;
let watcher;

/** Draw the links into `list`. */
export const drawOutline = (list, links) => list.replaceChildren(...links.map((link) => element("li", {}, link)));

/** Return the link of a section, with how sure its label is. */
export function sectionItem(section, number, palette, name) {
  return item(section, number, palette.classes(mainLabel(section)), name, element("span", { classes: ["sure"], textContent: percent(section.confidence) }));
}

/** Return the link of a chunk, with how full it is and, where others have its title, how it begins. */
export function chunkItem(chunk, number, palette, name, share, hint) {
  const bar = element("i");
  bar.style.width = `${Math.round(100 * share)}%`;
  const meter = element("span", { classes: ["meter"], attributes: { "aria-hidden": "true" } }, bar);
  const classes = palette.classes(chunk.label);
  return item(chunk, number, classes, name, element("span", { classes: ["sure", ...classes] }, meter, element("span", { classes: ["number"], textContent: chunk.tokens.toLocaleString("en") })), hint);
}

function item(part, number, classes, name, end, hint) {
  return element(
    "a",
    { href: `#s${number}`, classes: [`level${Math.min(DEEPEST, part.level ?? 1)}`], data: { number } },
    element("span", { classes: ["swatch", ...classes] }),
    element("span", { classes: ["name"] }, element("bdi", { textContent: titleOf(part, name).title }), ...(hint ? [element("bdi", { classes: ["path"], textContent: hint })] : [])),
    end,
  );
}

/** Mark the first section that is in view. */
export function followReading(list, article) {
  watcher?.disconnect();
  const visible = new Set();
  watcher = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) visible[isIntersecting ? "add" : "delete"](Number(target.dataset.number));
    if (visible.size) mark(list, Math.min(...visible));
  }, { rootMargin: "-250px 0px -40% 0px" });
  for (const section of article.querySelectorAll(".section")) watcher.observe(section);
}

function mark(list, number) {
  for (const link of list.querySelectorAll("a[aria-current]")) link.removeAttribute("aria-current");
  const link = list.querySelector(`a[data-number="${number}"]`);
  if (!link) return;
  link.setAttribute("aria-current", "true");
  reveal(link, list.closest("details"));
}
