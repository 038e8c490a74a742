import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/support/property-runs.js';
import { matchTemplate } from '../../src/runtime/uri-template.js';

describe('matchTemplate', () => {
  it.each<[string, string, Record<string, string> | undefined]>([
    ['test://template/{id}/data', 'test://template/12%203/data', { id: '12 3' }],
    ['test://template/{id}/data', 'test://template/1/2/data', undefined],
    ['x://{a}/{b}', 'x://1/2', { a: '1', b: '2' }],
    ['x://{+path}', 'x://1/2/3', { path: '1/2/3' }],
    ['x://{a,b}', 'x://1,2', { a: '1', b: '2' }],
    ['x://base{/a,b}', 'x://base/1/2', { a: '1', b: '2' }],
    ['x://f{.ext}', 'x://f.txt', { ext: 'txt' }],
    ['x://a{#part}', 'x://a#top', { part: 'top' }],
    ['x://a{?q,r}', 'x://a?r=2&q=1%20', { q: '1 ', r: '2' }],
    ['x://a{?q}', 'x://a', {}],
    ['x://a.b/{id}', 'x://aXb/1', undefined],
    ['x://{id}', 'x://%E0%A4%A', { id: '%E0%A4%A' }],
    ['x://{id}', 'x://', undefined],
    ['x://{a}{b}', 'x://123', { a: '12', b: '3' }],
    ['x://{a}-{b}', 'x://1-2-3', { a: '1-2', b: '3' }],
    ['{+a}/{b}', 'x://1/2', { a: 'x://1', b: '2' }],
    ['x://same', 'x://same', {}],
    ['x://same', 'x://same/1', undefined],
  ])('%s against %s', (template, uri, variables) => {
    expect(matchTemplate(template, uri)).toEqual(variables);
  });

  it('matches as a regular expression would that takes as much as it can', () => {
    const parts = fc.array(fc.constantFrom('a', 'b', '/', 'ab', '{}'), { maxLength: 6 });
    fc.assert(
      fc.property(parts, fc.array(fc.constantFrom('a', 'b', '/'), { maxLength: 8 }), (shape, chars) => {
        const named = shape.map((part, i) => (part === '{}' ? `{v${i}}` : part));
        const source = shape.map((part, i) => (part === '{}' ? `(?<v${i}>[^/?#]+)` : part)).join('');
        const match = new RegExp(`^${source}$`).exec(chars.join(''));
        expect(matchTemplate(named.join(''), chars.join(''))).toEqual(match ? { ...match.groups } : undefined);
      }),
      { numRuns: runs(500) },
    );
  });

  it('comes to an end soon where a regular expression would not', () => {
    const template = `x://${Array.from({ length: 20 }, (_, i) => `{v${i}}`).join('')}!`;
    expect(matchTemplate(template, `x://${'a'.repeat(8_000)}`)).toBeUndefined();
    expect(matchTemplate(template, `x://${'a'.repeat(8_000)}!`)).toMatchObject({ v0: 'a'.repeat(7_981), v19: 'a' });
  });
});
