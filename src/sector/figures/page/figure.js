"use strict";
// The heat maps of a page: painted on canvases, with one cursor that all panels, the caption and the text share.

const [STRIP, GOLD, GAP, ROW, CURVE, WIDEST] = [20, 18, 5, 17, 70, 12000];
/** Pixels between two boundaries, on average, below which they are not drawn, and below which they have no margin. */
const [CLOSE, CLEAR] = [6, 14];
const DASHES = [[], [7, 3], [2, 3]];
const { heat, panels, length } = JSON.parse(document.getElementById("data").textContent);
const dark = matchMedia("(prefers-color-scheme: dark)");
const caption = document.getElementById("caption");
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const places = [...document.querySelectorAll(".panel")];
const hint = caption.textContent;
let [at, zoom, marked] = [0, 1, null];

/** Return 101 colours from the lowest value to the highest. */
function scale() {
  const stops = heat[dark.matches ? "dark" : "light"].map((hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)));
  return Array.from({ length: 101 }, (_, i) => {
    const place = (i / 100) * (stops.length - 1);
    const low = Math.min(Math.floor(place), stops.length - 2);
    return `rgb(${stops[low].map((part, k) => Math.round(part + (stops[low + 1][k] - part) * (place - low))).join(" ")})`;
  });
}

function paint(place, panel) {
  const [plot, canvas, scroll] = ["plot", "canvas", "scroll"].map((name) => place.querySelector(name === "canvas" ? name : `.${name}`));
  const width = Math.min(WIDEST, Math.max(1, scroll.clientWidth * zoom));
  const top = (panel.gold.length ? GOLD : 0) + STRIP + GAP;
  const height = top + ROW * panel.rows.length + (panel.curves.length ? GAP + CURVE : 0);
  plot.style.width = `${width}px`;
  Object.assign(canvas, { width: width * devicePixelRatio, height: height * devicePixelRatio });
  canvas.style.height = `${height}px`;
  place.querySelector(".rows").style.paddingTop = `${top}px`;
  const pen = canvas.getContext("2d");
  pen.scale(devicePixelRatio, devicePixelRatio);
  pen.font = "11px system-ui, sans-serif";
  const x = (sentence) => (sentence * width) / length;
  paintMap(pen, panel, width, top);
  paintSections(pen, panel, x, top, height);
  if (panel.gold.length) paintGold(pen, panel, x, top);
  panel.curves.forEach((curve, number) => paintCurve(pen, curve, number, width, height));
}

function paintMap(pen, panel, width, top) {
  const colours = scale();
  panel.values.forEach((row, number) => {
    const cell = width / row.length;
    row.forEach((value, column) => {
      pen.fillStyle = colours[value];
      pen.fillRect(column * cell, top + ROW * number, cell + 0.5, ROW - 1);
    });
  });
}

function paintSections(pen, panel, x, top, height) {
  const names = new Map();
  const above = top - GAP - STRIP;
  const apart = x(length) / panel.sections.length;
  panel.sections.forEach(([start, name], number) => {
    const [left, right] = [x(start), x(panel.sections[number + 1]?.[0] ?? length)];
    if (!names.has(name)) names.set(name, names.size);
    pen.fillStyle = colour(`--s${names.get(name) % 8}`);
    pen.fillRect(left, above, Math.max(0.5, right - left - 1), STRIP);
    say(pen, name, left, right, above + 14, colour("--on"));
    if (!number || apart < CLOSE) return;
    const thick = apart < CLEAR ? 0.8 : 1.5;
    pen.fillStyle = colour("--paper");
    if (apart >= CLEAR) pen.fillRect(left - thick, top, 2 * thick, height - top);
    pen.fillStyle = colour("--ink");
    pen.fillRect(left - thick / 2, top, thick, height - top);
  });
}

function paintGold(pen, panel, x, top) {
  panel.gold.forEach(([start, name, row], number) => {
    const [left, right] = [x(start), x(panel.gold[number + 1]?.[0] ?? length)];
    pen.fillStyle = pen.strokeStyle = colour("--gold");
    pen.fillRect(left, GOLD - 3, Math.max(0.5, right - left - 2), 2);
    say(pen, name, left, right, GOLD - 6, colour("--gold"));
    pen.lineWidth = 1.6;
    if (row !== null) pen.strokeRect(left + 0.8, top + ROW * row, Math.max(1, right - left - 1.6), ROW - 1);
  });
}

/** Write a name in the middle between two edges, as much of it as fits. */
function say(pen, name, left, right, y, ink) {
  const room = right - left - 6;
  let shown = [...name];
  while (shown.length > 2 && pen.measureText(shown.join("")).width > room) shown = shown.slice(0, shown.at(-1) === "…" ? -2 : -1).concat("…");
  const width = pen.measureText(shown.join("")).width;
  if (width > room) return;
  pen.fillStyle = ink;
  pen.fillText(shown.join(""), (left + right - width) / 2, y);
}

function paintCurve(pen, curve, number, width, height) {
  const step = width / curve.values.length;
  pen.beginPath();
  curve.values.forEach((value, i) => pen.lineTo(i * step, height - 1 - (value / 100) * (CURVE - 6)));
  pen.strokeStyle = pen.fillStyle = colour(`--k${number % 3}`);
  pen.setLineDash(DASHES[number % 3]);
  pen.lineWidth = curve.chosen ? 2 : 1.1;
  pen.stroke();
  pen.setLineDash([]);
  if (!curve.chosen) return;
  pen.lineTo(width, height);
  pen.lineTo(0, height);
  pen.globalAlpha = 0.14;
  pen.fill();
  pen.globalAlpha = 1;
}

const paintAll = () => places.forEach((place, number) => paint(place, panels[number]));
const textAt = (sentence) => document.getElementById(`s${sentence}`);

/** Return the section of a panel that a sentence is in. */
const within = (list, sentence) => list.findLast(([start]) => start <= sentence);

function said(panel) {
  const column = (row) => row[Math.min(row.length - 1, Math.floor((at * row.length) / length))];
  const best = panel.rows.map((name, number) => [column(panel.values[number]), name]).sort(([a], [b]) => b - a)[0];
  const value = best ? `${best[1]} ${Math.round(100 * (best[0] / 100) ** (1 / panel.gamma) * panel.highest)} %` : "";
  const gold = panel.gold.length ? `gold ${within(panel.gold, at)?.[1] ?? "none"}` : "";
  return [value, `section ${within(panel.sections, at)?.[1] ?? ""}`, gold].filter(Boolean).join(", ");
}

function choose(sentence, quiet) {
  at = Math.max(0, Math.min(length - 1, sentence));
  const text = textAt(at).textContent.trim().slice(0, 220);
  const told = [...new Set(panels.map(said))].join(" · ");
  caption.textContent = `${at + 1}: ${told} — ${text}`;
  marked?.classList.remove("at");
  marked = textAt(at);
  marked.classList.add("at");
  places.forEach((place) => {
    const [cursor, plot, scroll] = [".cursor", ".plot", ".scroll"].map((name) => place.querySelector(name));
    cursor.hidden = false;
    const left = ((at + 0.5) * plot.clientWidth) / length;
    cursor.style.left = `${left}px`;
    if (!quiet && (left < scroll.scrollLeft || left > scroll.scrollLeft + scroll.clientWidth)) scroll.scrollLeft = left - scroll.clientWidth / 2;
    plot.setAttribute("aria-valuenow", String(at + 1));
    plot.setAttribute("aria-valuetext", caption.textContent);
  });
}

function leave() {
  marked?.classList.remove("at");
  document.querySelectorAll(".cursor").forEach((cursor) => (cursor.hidden = true));
  caption.textContent = hint;
}

const jump = () => textAt(at).scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });

function magnify(factor) {
  zoom = Math.max(1, Math.min(64, zoom * factor));
  paintAll();
  choose(at);
}

places.forEach((place, number) => {
  const [plot, panel] = [place.querySelector(".plot"), panels[number]];
  place.querySelector(".rows").append(...panel.rows.map((name) => Object.assign(document.createElement("span"), { textContent: name, title: name })));
  panel.curves.forEach((curve, index) => {
    const line = Object.assign(document.createElement("i"), {});
    line.style.borderTopColor = `var(--k${index % 3})`;
    line.style.borderTopStyle = ["solid", "dashed", "dotted"][index % 3];
    const entry = document.createElement("span");
    entry.append(line, curve.name);
    place.querySelector(".key").append(entry);
  });
  const sentence = (event) => Math.floor(((event.clientX - plot.getBoundingClientRect().left) / plot.clientWidth) * length);
  plot.addEventListener("pointermove", (event) => choose(sentence(event), true));
  plot.addEventListener("pointerleave", leave);
  plot.addEventListener("focus", () => choose(at));
  plot.addEventListener("blur", leave);
  plot.addEventListener("click", (event) => (choose(sentence(event), true), jump()));
  plot.addEventListener("keydown", (event) => {
    const steps = { ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };
    if (event.key in steps) choose(at + steps[event.key]);
    else if (event.key === "Enter") jump();
    else if (event.key === "+" || event.key === "-") magnify(event.key === "+" ? 2 : 0.5);
    else return;
    event.preventDefault();
  });
});
document.querySelector(".zoom").hidden = false;
document.querySelectorAll("[data-zoom]").forEach((button) => button.addEventListener("click", () => magnify(Number(button.dataset.zoom))));
dark.addEventListener("change", paintAll);
new ResizeObserver(paintAll).observe(document.body);
paintAll();
