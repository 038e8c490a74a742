import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../test/support/property-runs.js';
import { charSet, startOfRun } from '../../src/scanning/chars.js';
import { LineCounter, NextOccurrence, NOT_FOUND, RunStartFinder } from '../../src/scanning/memoized-scan.js';
import { Text } from '../../src/scanning/text.js';

const WORD = charSet('a-z');
const LIMIT = 5;

const anyText = fc.string({ unit: fc.constantFrom(...'aaaaaaaa""; \n'), maxLength: 40 });

/** Any places, and the same in rising order, which is what callers ask for. */
const anyPositions = fc.array(fc.nat(40), { maxLength: 12 }).chain((positions) =>
  fc.constantFrom(
    positions,
    [...positions].sort((a, b) => a - b),
  ),
);

function expectSame(answer: (text: Text) => (at: number) => number, expected: (text: string, at: number) => number) {
  fc.assert(
    fc.property(anyText, anyPositions, (input, positions) => {
      const ask = answer(new Text(input));
      for (const from of positions) {
        const at = Math.min(from, input.length);
        expect(ask(at)).toBe(expected(input, at));
      }
    }),
    { numRuns: runs(500), seed: 20_260_101 },
  );
}

test('The next place of a character is the one that a search from there finds', () => {
  expectSame(
    (text) => {
      const semicolons = new NextOccurrence(text, ';');
      return (at) => semicolons.from(at);
    },
    (text, at) => (text.includes(';', at) ? text.indexOf(';', at) : NOT_FOUND),
  );
});

test('The start of a run is the one that reading back finds, up to the limit', () => {
  expectSame(
    (text) => {
      const words = new RunStartFinder(text, WORD, LIMIT);
      return (at) => words.before(at);
    },
    (text, at) => startOfRun(new Text(text), at, WORD, LIMIT),
  );
});

test('Quotes are counted back to the start of the line, up to the limit', () => {
  expectSame(
    (text) => {
      const quotes = new LineCounter(text, 0x22, LIMIT);
      return (at) => quotes.before(at);
    },
    (text, at) =>
      text
        .slice(Math.max(0, at - LIMIT), at)
        .replace(/^.*\n/s, '')
        .split('"').length - 1,
  );
});
