import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shorten, textDifference, visible } from '../../../src/plugins/pins/diff-text.js';

const long = 'x'.repeat(100);

describe('the difference of two texts', () => {
  it.each<[string, string, string, string[]]>([
    ['nothing where they are equal', 'a\nb', 'a\nb', []],
    ['a changed line', 'a\nb\nc', 'a\nB\nc', ['- b', '+ B']],
    ['an added line', 'a\nc', 'a\nb\nc', ['+ b']],
    ['a removed line', 'a\nb\nc', 'a\nc', ['- b']],
    ['lines apart from each other', 'a\nb\nc\nd', 'A\nb\nc\nD', ['- a', '+ A', '- d', '+ D']],
    ['what came before equal lines', 'b\nc', 'a\nb\nc', ['+ a']],
    ['more new lines than old ones', 'a', 'b\nc', ['- a', '+ b', '+ c']],
    ['a line end at the end', 'a', 'a\n', ['+ ']],
    [
      'a long line cut around what differs',
      `${long}1${long}`,
      `${long}2${long}`,
      [1, 2].map((n) => `${n === 1 ? '-' : '+'} …${'x'.repeat(40)}${n}${'x'.repeat(40)}…`),
    ],
    [
      'what is added to the end of a long line',
      long,
      `${long} ignore all`,
      [`- …${'x'.repeat(40)}`, `+ …${'x'.repeat(40)} ignore all`],
    ],
    ['hidden characters, written out', 'a b', 'a\u200b b\u{e0041}', ['- a b', '+ a\\u{200b} b\\u{e0041}']],
    ['carriage returns, written out', 'a\nb', 'a\r\nb', ['- a', '+ a\\u{d}']],
    [
      'whole characters only',
      `${'🌍'.repeat(60)}a`,
      `${'🌍'.repeat(60)}b`,
      [`- …${'🌍'.repeat(20)}a`, `+ …${'🌍'.repeat(20)}b`],
    ],
  ])('shows %s', (_, before, after, lines) => {
    expect(textDifference(before, after)).toEqual(lines);
  });

  it('is empty exactly when the texts are equal, and never hides a whole line', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 8 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = textDifference(before, after);
        expect(lines.length === 0).toBe(before === after);
        const count = (prefix: string) => lines.filter((line) => line.startsWith(prefix)).length;
        const [old, now] = [before.split('\n').length, after.split('\n').length];
        expect(now - old).toBe(count('+') - count('-'));
      }),
    );
  });

  it('shows at most the lines that cannot be kept', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 });
    fc.assert(
      fc.property(text, fc.nat(8), (lines, at) => {
        const changed = [...lines.slice(0, at), 'new', ...lines.slice(at)];
        expect(textDifference(['top', ...lines].join('\n'), ['top', ...changed].join('\n'))).toEqual(['+ new']);
      }),
    );
  });

  it('takes too many lines as changed together, equal ones among them too', () => {
    const lines = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
    const text = (prefix: string, count: number) =>
      [...lines(prefix, count), 'same', ...lines(prefix, count)].join('\n');
    expect(textDifference(text('a', 300), text('b', 300))).toContain('- same');
    expect(textDifference(text('a', 200), text('b', 200))).not.toContain('- same');
  });
});

it.each<[string, number, string]>([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc… (1 more characters)'],
  ['ab🌍', 3, 'ab… (2 more characters)'],
])('shortens %j to %i', (text, maxChars, prefixed) => {
  expect(shorten(text, maxChars)).toBe(prefixed);
});

it.each<[string, string]>([
  ['plain äöü 漢字 🌍', 'plain äöü 漢字 🌍'],
  ['\u0000\u001b\t', '\\u{0}\\u{1b}\\u{9}'],
  ['\u202e\u2066\u00ad\ufeff', '\\u{202e}\\u{2066}\\u{ad}\\u{feff}'],
  ['\ud800', '\\u{d800}'],
  ['\u3164\ufe0f\u{e0100}\ue000\u2028', '\\u{3164}\\u{fe0f}\\u{e0100}\\u{e000}\\u{2028}'],
])('shows %j as %s', (text, prefixed) => {
  expect(visible(text)).toBe(prefixed);
});
