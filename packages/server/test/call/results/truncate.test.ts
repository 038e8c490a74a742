import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastChars, truncateMiddle } from '../../../src/call/results/truncate.js';

const note = (chars: number) => `[${chars} left out]`;

describe('truncateMiddle', () => {
  it('leaves a text that fits as it is', () => {
    expect(truncateMiddle('short', 5, note)).toEqual({ text: 'short', omittedChars: 0 });
  });

  it('keeps about the first quarter and the last three quarters', () => {
    const { text, omittedChars } = truncateMiddle('a'.repeat(100) + 'b'.repeat(900), 400, note);
    expect(text).toBe(`${'a'.repeat(100)}\n[600 left out]\n${'b'.repeat(300)}`);
    expect(omittedChars).toBe(600);
  });

  it('cuts at line ends that are within reach', () => {
    const lines = Array.from({ length: 1000 }, (_, index) => `line ${index}`).join('\n');
    const { text } = truncateMiddle(lines, 2000, note);
    const [head = '', tail = ''] = text.split(/\n\[\d+ left out\]\n/);
    expect(lines.startsWith(`${head}\n`)).toBe(true);
    expect(lines.endsWith(`\n${tail}`)).toBe(true);
  });

  it('never cuts inside a code point or a redaction mark', () => {
    const piece = fc.constantFrom('😀', '[REDACTED]', 'x', ' ');
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 20, maxLength: 200 }),
        fc.integer({ min: 8, max: 60 }),
        (pieces, max) => {
          const whole = pieces.join('');
          const { text } = truncateMiddle(whole, max, () => '~');
          const parts = text.split('\n~\n').join('');
          expect(text).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
          expect(parts.replaceAll('[REDACTED]', '')).not.toMatch(/[[\]A-Z]/);
        },
      ),
    );
  });

  it('says truly how many characters are gone', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 50, maxLength: 5000 }), fc.integer({ min: 4, max: 40 }), (whole, max) => {
        const { omittedChars } = truncateMiddle(whole, max, note);
        expect(omittedChars).toBeGreaterThanOrEqual(whole.length - max - 20);
        expect(omittedChars).toBeLessThanOrEqual(whole.length);
      }),
    );
  });
});

describe('lastChars', () => {
  it('starts at a line where there is one', () => {
    expect(lastChars('first\nsecond\nthird', 9)).toBe('third');
  });
});
