import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/support/property-runs.js';
import { browserBuffer } from '../../src/platform/node-buffer.js';

const options = { numRuns: runs(300) };
const text = fc.string({ unit: 'binary', maxLength: 60 });

describe('the bytes that the page has in the place of those of Node', () => {
  test('are the same in UTF-8, also where they do not all fit', () => {
    fc.assert(
      fc.property(text, fc.nat(80), (value, size) => {
        const [ours, theirs] = [browserBuffer.alloc(size), Buffer.alloc(size)];
        expect(ours.write(value, 0, size + 4, 'utf8')).toBe(theirs.write(value, 0, size, 'utf8'));
        expect([...ours]).toEqual([...theirs]);
      }),
      options,
    );
  });

  test('are the same in UTF-16', () => {
    fc.assert(
      fc.property(text, (value) => {
        const [ours, theirs] = [new Uint16Array(60), new Uint16Array(60)];
        browserBuffer.from(ours.buffer as ArrayBuffer, 0, 120).write(value, 'utf16le');
        Buffer.from(theirs.buffer, 0, 120).write(value, 'utf16le');
        expect([...ours]).toEqual([...theirs]);
      }),
      options,
    );
  });

  test('are the same of base64, and as text', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9+/_-]{0,40}={0,2}$/), (value) => {
        expect([...browserBuffer.from(value, 'base64')]).toEqual([...Buffer.from(value, 'base64')]);
        expect(browserBuffer.from(value, 'base64').toString('utf8')).toBe(
          Buffer.from(value, 'base64').toString('utf8'),
        );
        expect(browserBuffer.from(value, 'latin1').toString('latin1')).toBe(
          Buffer.from(value, 'latin1').toString('latin1'),
        );
      }),
      options,
    );
  });
});
