// The table of contents: a link per section, and the mark of the one that is being read.

import { element, percent } from "./elements.js";
import { mainLabel, titleOf } from "./labels.js";

let watcher;

/** Draw the links into `list`. */
export function drawOutline(list, doc, palette, name) {
  list.replaceChildren(...doc.sections.map((section, number) => item(section, number, palette, name)));
}

function item(section, number, palette, name) {
  const classes = palette.classes(mainLabel(section));
  const link = element(
    "a",
    { href: `#s${number}`, classes: [`level${section.level}`], data: { number } },
    element("span", { classes: ["swatch", ...classes] }),
    element("bdi", { classes: ["name"], textContent: titleOf(section, name).title }),
    element("span", { classes: ["sure"], textContent: percent(section.confidence) }),
  );
  return element("li", {}, link);
}

/** Mark the first section that is in view. */
export function followReading(list, article) {
  watcher?.disconnect();
  const visible = new Set();
  watcher = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) visible[isIntersecting ? "add" : "delete"](Number(target.dataset.number));
    if (visible.size) mark(list, Math.min(...visible));
  }, { rootMargin: "-160px 0px -40% 0px" });
  for (const section of article.querySelectorAll(".section")) watcher.observe(section);
}

function mark(list, number) {
  for (const link of list.querySelectorAll("a[aria-current]")) link.removeAttribute("aria-current");
  list.querySelector(`a[data-number="${number}"]`)?.setAttribute("aria-current", "true");
}
