// The page without a service: examples whose answers were computed when the page was exported.

const INDEX = document.querySelector('meta[name="sector-export"]')?.content;

export const isExport = Boolean(INDEX);

/** Return what the exporting service said of itself. */
export const describe = () => read(INDEX);

/** Return the answer that was computed for these options. */
export async function sections({ example }, { model, granularity = 1 }) {
  const answers = await read(`page/export/${example}.json`);
  return answers[`${model} ${granularity.toFixed(3)}`];
}

const read = async (path) => (await fetch(path)).json();
