import { describe, expect, it } from 'vitest';
import { matchTemplate } from '../../src/call/uri-template.js';

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
  ])('%s against %s', (template, uri, variables) => {
    expect(matchTemplate(template, uri)).toEqual(variables);
  });
});
