// What the page says: a line that goes away, a problem that stays until it is closed, the question for the key.

import { byId, element } from "./elements.js";
import { Problem, rememberKey } from "./service.js";

let silence;

/** Say something for a moment; with `undo`, a button that takes it back. */
export function say(words, undo) {
  clearTimeout(silence);
  byId("status").replaceChildren(words);
  byId("status").classList.remove("quiet");
  if (undo) byId("status").append(element("button", { type: "button", textContent: "Undo", onclick: () => { byId("status").replaceChildren(); undo(); } }));
  silence = setTimeout(() => byId("status").replaceChildren(), undo ? 12_000 : 2500);
}

/** Leave what was said last to those who hear the page. */
export const hush = () => byId("status").classList.add("quiet");

/** Run what may fail and return what it gives; show why it did not, and return null. */
export async function attempt(work) {
  try {
    byId("problem").hidden = true;
    return await work();
  } catch (error) {
    if (error.name === "AbortError") return null;
    if (error.kind === "unauthorized") return askForKey(work);
    byId("problem-text").textContent = error instanceof Problem ? error.message : `The page failed: ${error.message}`;
    byId("problem").hidden = false;
    return null;
  }
}

function askForKey(work) {
  const dialog = byId("key");
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      const key = byId("key-value").value;
      byId("key-value").value = "";
      if (key) rememberKey(key);
      resolve(key ? attempt(work) : null);
    }, { once: true });
  });
}

byId("problem-close").addEventListener("click", () => { byId("problem").hidden = true; });
