import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createRedactor } from '../src/redactor.js';

const units: string[] = JSON.parse(readFileSync(new URL('adversarial.json', import.meta.url), 'utf8'));
const { text } = createRedactor({ secrets: ['configured-value'] });

/**
 * Enough for a scan that takes time in the square of the length to run into the common limit of a test. `bench/redact.mjs` compares
 * the times themselves.
 */
const CHARS = 500_000;

test.each(units)('half a million characters of %j is read to its end', (unit) => {
  for (const start of ['', 'password=']) {
    const output = text(`${start}${unit.repeat(CHARS / unit.length)} configured-value`);
    expect(output.length).toBeGreaterThan(0);
    expect(output).not.toContain('configured-value');
  }
});
