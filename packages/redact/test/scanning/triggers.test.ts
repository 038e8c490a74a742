import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/redactor.js';
import { BLOCK_CHARS } from '../../src/scanning/triggers.js';

const redactor = createRedactor({ secrets: [] });
const SECRET = 'password=Sup3rS3cret!';
const REDACTED = 'password=[REDACTED]';

/** Positions at which some character of the key is on each side of a border between blocks. */
const offsets = [1, 2, 3].flatMap((block) =>
  Array.from({ length: SECRET.length + 2 }, (_, back) => block * BLOCK_CHARS - back),
);

describe('a text that is read in blocks', () => {
  it.each([0, BLOCK_CHARS, 2 * BLOCK_CHARS])('loses no secret at the borders, with %i characters after it', (rest) => {
    for (const offset of offsets) {
      const before = `${'x'.repeat(offset - 1)} `;
      const after = ` ${'y'.repeat(rest)}`;
      expect(redactor.text(before + SECRET + after), `at ${offset}`).toBe(before + REDACTED + after);
    }
  });

  it('finds what it finds in a short text', () => {
    const line = `${SECRET} and Authorization: Bearer abcdef0123456789 `;
    const short = redactor.text(line);
    expect(short).not.toContain('Sup3r');
    const count = Math.ceil((2 * BLOCK_CHARS) / line.length);
    expect(redactor.text(`${line}\n`.repeat(count))).toBe(`${short}\n`.repeat(count));
  });
});
