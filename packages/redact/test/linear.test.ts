import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cpuTimer } from '../../../test/support/cpu-time.js';
import { createRedactor } from '../src/redactor.js';

const units: string[] = JSON.parse(readFileSync(new URL('adversarial.json', import.meta.url), 'utf8'));
const { text } = createRedactor({ secrets: ['configured-value'] });
const CHARS = 100_000;
/** Four times the text takes about four times as long; time in the square of the length would be sixteen times. */
const MAX_RATIO = 6;
/** A text that takes no longer is read at 25 MB/s: nothing in it is read again and again. */
const FAST_MS = 4;
/** Other load on the machine only makes a run slower: the best of several counts. */
const MAX_RUNS = 12;
/** The first ones are slower, because the code is not compiled yet. */
const QUARTER_RUNS = 4;

test.each(units)('time grows with the length of %j', (unit) => {
  for (const start of ['', 'password=']) {
    const whole = start + unit.repeat(CHARS / unit.length);
    const quarter = start + unit.repeat(CHARS / 4 / unit.length);
    const quarterMs = Math.min(...Array.from({ length: QUARTER_RUNS }, () => cpuMsOf(quarter)));
    const maxMs = Math.max(FAST_MS, MAX_RATIO * quarterMs);
    let wholeMs = cpuMsOf(whole);
    for (let run = 1; run < MAX_RUNS && wholeMs > maxMs; run++) wholeMs = Math.min(wholeMs, cpuMsOf(whole));
    expect(wholeMs).toBeLessThanOrEqual(maxMs);
  }
});

/** Processor time, in milliseconds. */
function cpuMsOf(input: string): number {
  const timer = cpuTimer();
  text(input);
  return timer();
}
