import { setTimeout as sleep } from 'node:timers/promises';
import { EXITS } from '../leaks/exits.mjs';
import { createSecrets } from '../leaks/secrets.mjs';
import { openServer } from '../leaks/server.mjs';
import { CUT, SHAPES, shaped } from '../leaks/shapes.mjs';
import { createRandom } from '../random.mjs';

const EXIT_NAMES = Object.keys(EXITS);
const SHAPE_NAMES = Object.keys(SHAPES);
const BATCH = 200;
const SHORT_CASES = 400;
const SEEN_MS = 5_000;
const NOT_SEEN = 'nothing came out';
/** Preloaded by the control: the log writes the first text of the file as it is. */
const FORGED_LOG = new URL('../faults/leaked-text.mjs', import.meta.url).href;

/** Secrets of every kind leave by every exit in every shape: all pairs of the three. */
export const leaks = {
  name: 'leaks',

  async run(context) {
    const server = await openServer(context);
    try {
      const { cases, kinds } = await casesOf(context);
      const failures = [];
      for (let from = 0; from < cases.length && !context.signal?.aborted; from += BATCH)
        failures.push(...(await leaksOf(server, cases.slice(from, from + BATCH), context.seed)));
      const notes = [`${kinds} kinds of secrets, ${EXIT_NAMES.length} exits, ${SHAPE_NAMES.length} shapes`];
      return { tried: cases.length, failures, notes };
    } finally {
      await server.close();
    }
  },

  /** A field of the log has a secret that was not redacted, and texts that the plugin does not find do not come out. */
  async control(context) {
    const server = await openServer(context, [`--import=${FORGED_LOG}`]);
    try {
      const { cases } = await casesOf({ ...context, isShort: true });
      const some = cases.filter(({ exit }) => exit === 'text').slice(0, 1);
      const leaked = await leaksOf(server, some, context.seed);
      const unwritten = await leaksOf({ ...server, write: () => {} }, cases.slice(0, 5), context.seed);
      return leaked.some((text) => !text.includes(NOT_SEEN)) && unwritten.some((text) => text.includes(NOT_SEEN));
    } finally {
      await server.close();
    }
  },
};

/**
 * Each kind leaves by each exit, and is written in each shape. The exit of a shape moves on with the kind, so that each shape
 * leaves by each exit as well. Each round has new values.
 */
async function casesOf({ workplace, seed, isShort, random }) {
  const secretsOf = await createSecrets(workplace);
  const cases = [];
  const kinds = new Set();
  for (let round = 0; round < EXIT_NAMES.length; round++) {
    const rows = grouped(await secretsOf(seed + round));
    for (const [index, [kind, some]] of [...rows].entries()) {
      const shape = SHAPE_NAMES[round % SHAPE_NAMES.length];
      const exit = EXIT_NAMES[(round + index) % EXIT_NAMES.length];
      if (shape === CUT && EXITS[exit].isWhole) continue;
      const mark = `begin${cases.length}end`;
      const row = random.pick(some);
      const written = shaped(row, shape, { mark, random });
      kinds.add(kind);
      if (written !== undefined) cases.push({ kind, shape, exit, mark, input: row.input, ...written });
    }
  }
  if (!isShort) return { cases, kinds: kinds.size };
  const first = createRandom(seed).integer(Math.max(1, cases.length - SHORT_CASES));
  return { cases: cases.slice(first, first + SHORT_CASES), kinds: kinds.size };
}

function grouped(rows) {
  const groups = new Map();
  for (const row of rows) groups.set(row.kind, [...(groups.get(row.kind) ?? []), row]);
  return groups;
}

/** Lets the texts out. Gives those whose secret is seen, and those that are not seen at all: nothing is known of them. */
async function leaksOf(server, cases, seed) {
  server.write(cases);
  for (const [at, { exit, text }] of cases.entries()) await EXITS[exit].call?.(server.client, at, text).catch(() => {});
  for (const [name, { together }] of Object.entries(EXITS)) {
    const some = cases.filter(({ exit }) => exit === name);
    if (together && some.length > 0) await together(server, some);
  }
  const isSeen = ({ exit, mark }) => {
    const { source, sources = [source] } = EXITS[exit];
    return sources.every((name) => output[name].includes(mark));
  };
  // The log has a pipe of its own, so that it can come later than the answer.
  let output = server.taken();
  for (const deadline = performance.now() + SEEN_MS; !cases.every(isSeen) && performance.now() < deadline; ) {
    await sleep(20);
    const more = server.taken();
    output = Object.fromEntries(Object.entries(output).map(([source, text]) => [source, text + more[source]]));
  }
  const all = Object.values(output).join('\n');
  return cases.flatMap((tried) => {
    const { kind, shape, exit, text, forms } = tried;
    const where = `--seed ${seed}: ${kind}, ${shape}, ${exit}`;
    const seen = forms.find((form) => all.includes(form));
    if (seen !== undefined) {
      const [source] = Object.entries(output).find(([, taken]) => taken.includes(seen));
      return [`${where}: ${JSON.stringify(seen)} of ${JSON.stringify(text.slice(-300))}, in ${source}`];
    }
    return isSeen(tried) ? [] : [`${where}: ${NOT_SEEN}: ${JSON.stringify(text.slice(-300))}`];
  });
}
