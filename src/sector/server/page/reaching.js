// Ways to a place in the document. In a long one sections out of sight have no height yet, so that a place moves while it
// comes into sight: far places are reached at once and then held for some frames, near ones smoothly.

/** Windows' heights from which on a place is far. */
const FAR = 3;
const FRAMES = 8;
const CALM = matchMedia("(prefers-reduced-motion: reduce)");

/** Scroll until `target` is at the `block` ("start" or "center") of the window. */
export function reach(target, block) {
  const near = Math.abs(target.getBoundingClientRect().top) < FAR * innerHeight;
  if (near && !CALM.matches) target.scrollIntoView({ block, behavior: "smooth" });
  else hold(target, block, FRAMES);
}

function hold(target, block, frames) {
  target.scrollIntoView({ block, behavior: "instant" });
  if (frames) requestAnimationFrame(() => hold(target, block, frames - 1));
}

/** Scroll `box`, and nothing else, until `target` is in sight. */
export function reveal(target, box) {
  const [own, around] = [target.getBoundingClientRect(), box.getBoundingClientRect()];
  box.scrollTop += Math.min(0, own.top - around.top) + Math.max(0, own.bottom - around.bottom);
}
