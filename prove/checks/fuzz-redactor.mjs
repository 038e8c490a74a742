import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const COUNT = 300;
const SHORT_COUNT = 5;
const BENCH = new URL('../../bench/', import.meta.url);
const PROGRAM = new URL('redact.mjs', BENCH).pathname;
const SHOWN_CHARS = 4_000;

/** The redactor's own fuzz: units made of the pieces of its detectors, for which twice the text takes twice the time. */
function fuzz(program, { seed, count }) {
  const args = [program, '--fuzz', `${count}`, '--seed', `${seed}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  return status === 0 ? [] : [`--seed ${seed}: ${(stdout + stderr).slice(-SHOWN_CHARS)}`];
}

export const fuzzRedactor = {
  name: 'fuzz-redactor',
  async missing() {
    return undefined;
  },
  async run({ seed, isShort }) {
    const count = isShort ? SHORT_COUNT : COUNT;
    // In a short run it is only tried whether the units end: growth is a time.
    const failures = fuzz(PROGRAM, { seed, count });
    return { tried: count, failures: isShort ? failures.filter((text) => !text.includes('missed by')) : failures };
  },
  /** The same program with a redactor that takes quadratic time. */
  async control({ seed, workplace }) {
    const source = readFileSync(PROGRAM, 'utf8')
      .replace(/'\.\/redact\/texts\.mjs'/, JSON.stringify(new URL('redact/texts.mjs', BENCH).href))
      .replaceAll("'../packages/", `'${new URL('../packages/', BENCH).href}`)
      .replace("new URL('..', import.meta.url)", `new URL('..', '${BENCH.href}')`)
      .replace(/return \(await import\(file\.href\)\)\.createRedactor\([^;]+;/, `${QUADRATIC};`);
    const program = `${workplace}/redact.mjs`;
    writeFileSync(program, source);
    return fuzz(program, { seed, count: 1 }).some((text) => text.includes('missed by'));
  },
};

const QUADRATIC = `return { text(text) {
  let sum = 0;
  const step = 16;
  for (let i = 0; i < text.length; i += step) for (let j = 0; j < i; j += step) sum += text.charCodeAt(j);
  return sum;
} }`;
