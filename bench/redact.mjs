// Speed of the redactor, after `npm run build`:
//   node bench/redact.mjs [--rounds 20] [--against ../other-checkout]   speed; with --against, the ratio to another build
//   node bench/redact.mjs --largest                                    each row at the largest message of the defaults
//   node bench/redact.mjs --fuzz 500 [--seed 1]                        units made of the pieces of the detectors
// The bounds are on processor time, which other load on the machine changes less than the time that passes. Rows take turns, so
// that a clock that is slow for some seconds is slow for all of them. Exits with 1 if a bound is missed.
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import {
  ADVERSARIAL_UNITS,
  fill,
  generatedUnit,
  LOGS,
  RESULT,
  SECRETS,
  SHORT_TEXTS,
  unshared,
  usualRows,
} from './redact/texts.mjs';

const MIB = 1024 * 1024;
/** `MessageBytes` by default. */
const LARGEST_CHARS = 8 * MIB;
/** Twice the text takes at most this times the time. */
const MAX_GROWTH = 2.2;
/** A row is worse than linear if it is in each of so many repetitions. */
const REPETITIONS = 3;
const MIN_RATIO = { usual: 1, adversarial: 0.5 };

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    against: { type: 'string' },
    largest: { type: 'boolean', default: false },
    fuzz: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});

const load = async (checkout) => {
  const file = pathToFileURL(resolve(checkout, 'packages/redact/dist/index.js'));
  return (await import(file.href)).createRedactor({ secrets: SECRETS });
};
const redactor = await load(fileURLToPath(new URL('..', import.meta.url)));

function cpuMsOf(engine, input) {
  const start = process.cpuUsage();
  if (typeof input === 'string') engine.text(input);
  else engine.value(input);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** The least time of some runs. */
function bestOf(runs, engine, input) {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) best = Math.min(best, cpuMsOf(engine, input));
  return best;
}

/** The growth from half the text to the whole, in the best of the repetitions: noise is not the same in all of them. */
function growthOf(whole, half = unshared(whole.slice(0, whole.length / 2))) {
  let best = Number.POSITIVE_INFINITY;
  for (let repetition = 0; repetition < REPETITIONS && best > MAX_GROWTH; repetition++) {
    const before = bestOf(3, redactor, half);
    best = Math.min(best, bestOf(3, redactor, whole) / before);
  }
  return best;
}

function report(rows, misses, bound) {
  console.table(rows);
  console.log(misses.length === 0 ? `${bound}: every row keeps it.` : `${bound}: missed by ${misses.join(', ')}.`);
  if (misses.length > 0) process.exitCode = 1;
}

async function measureSpeed() {
  const other = options.against ? await load(options.against) : undefined;
  const engines = other ? [redactor, other] : [redactor];
  const rows = [
    ...usualRows(10 * MIB).map((row) => ({ ...row, kind: 'usual' })),
    ...ADVERSARIAL_UNITS.map((unit) => ({
      name: JSON.stringify(unit),
      input: fill(unit, MIB / 2),
      kind: 'adversarial',
    })),
  ].map((row) => ({ ...row, best: engines.map(() => Number.POSITIVE_INFINITY) }));
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const { input, best } of rows) {
      const order = round % 2 === 0 ? [...engines.keys()] : [...engines.keys()].reverse();
      for (const engine of order) best[engine] = Math.min(best[engine], cpuMsOf(engines[engine], input));
    }
  }
  const shown = rows.map(({ name, input, kind, best }) => {
    const chars = typeof input === 'string' ? input.length : JSON.stringify(input).length;
    const row = { name, 'CPU ms': +best[0].toFixed(1), 'MB/s of CPU': +(chars / MIB / (best[0] / 1000)).toFixed(1) };
    return other ? { ...row, kind, ratio: +(best[1] / best[0]).toFixed(2) } : row;
  });
  const misses = shown.filter(({ kind, ratio }) => ratio < MIN_RATIO[kind]).map(({ name }) => name);
  report(shown, misses, other ? 'Ratio of at least 1.0, and 0.5 for adversarial texts' : 'Speed without a bound');
  for (const [name, text] of Object.entries(SHORT_TEXTS)) {
    const calls = 200_000;
    bestOf(calls / 10, redactor, text);
    const start = process.cpuUsage();
    for (let call = 0; call < calls; call++) redactor.text(text);
    const { user, system } = process.cpuUsage(start);
    console.log(`${name}: ${(((user + system) * 1000) / calls).toFixed(0)} ns a call`);
  }
}

function measureLargest() {
  const repeated = (name, unit) => ({ name, whole: fill(unit, LARGEST_CHARS) });
  // Half the text of a result is not JSON, so the half is a list of half as many results.
  const results = (name, space) => {
    const listOf = (count) => unshared(JSON.stringify(Array(count).fill(RESULT), undefined, space));
    const count = Math.floor(LARGEST_CHARS / listOf(1).length / 2) * 2;
    return { name, whole: listOf(count), half: listOf(count / 2) };
  };
  const rows = [
    ...Object.entries(LOGS).map(([name, lines]) => repeated(name, lines)),
    results('results of a tool as text'),
    results('results of a tool as indented text', 2),
    ...ADVERSARIAL_UNITS.map((unit) => repeated(JSON.stringify(unit), unit)),
  ].map(({ name, whole, half }) => ({ name, growth: +growthOf(whole, half).toFixed(2) }));
  const misses = rows.filter(({ growth }) => growth > MAX_GROWTH).map(({ name }) => name);
  report(rows, misses, `Twice the text takes at most ${MAX_GROWTH} times the time, up to 8 MB`);
}

/** The triggers and examples of the modules that `tsc` built. */
async function piecesOfDetectors() {
  const { DETECTORS } = await import('../packages/redact/build/detectors/index.js');
  const { EXPRESSION_FORMS, KEY_FORMS } = await import('../packages/redact/build/values/forms.js');
  const triggers = DETECTORS.flatMap((detector) => detector.triggers);
  return { triggers, examples: [...KEY_FORMS, ...EXPRESSION_FORMS].flatMap((form) => form.examples) };
}

async function fuzz(count, seed) {
  const pieces = await piecesOfDetectors();
  let state = seed;
  const pick = (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
  const rows = [];
  for (let index = 0; index < count; index++) {
    const unit = generatedUnit(pieces, pick);
    const growth = growthOf(fill(unit, MIB / 2));
    if (growth > MAX_GROWTH) rows.push({ unit: JSON.stringify(unit), growth: +growth.toFixed(2) });
  }
  report(
    rows,
    rows.map(({ unit }) => unit),
    `${count} generated units, of which twice the text takes at most ${MAX_GROWTH} times the time`,
  );
}

if (options.fuzz) await fuzz(Number(options.fuzz), Number(options.seed));
else if (options.largest) measureLargest();
else await measureSpeed();
