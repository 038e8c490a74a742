import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './support/workplace.js';

/** Of a page of docs/. */
const pageText = (...path: string[]) => readFileSync(join(ROOT, 'docs', ...path), 'utf8');

/** The pages that say which test holds a threat. */
describe.each([[['spec', 'access.md']], [['security.md']]])('docs %j', (path) => {
  const text = pageText(...path);
  const named = [...new Set(Array.from(text.matchAll(/`([\w./-]+\.test\.ts)`/g), ([, path]) => path!))];

  it('names tests by their paths, and each exists', () => {
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

it('every threat that is not possible has a test', () => {
  const [, table = ''] = pageText('spec', 'access.md').split('<a id="threats"></a>');
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Principal'));
  expect(rows.length).toBeGreaterThan(20);
  const cells = rows.map((row) => row.split(' | '));
  const untested = cells.filter(([, , possible, , test = '']) => possible !== 'yes' && !test.includes('.test.ts'));
  expect(untested).toEqual([]);
});

it('every row of the known attacks has a test, or says why there is none, and what is not covered', () => {
  const [, tables = ''] = pageText('security.md').split('<a id="owasp"></a>');
  const rows = tables.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Entry'));
  expect(rows.length).toBeGreaterThanOrEqual(25);
  const cells = rows.map((row) => row.split(' | '));
  expect(cells.filter(({ length }) => length !== 5)).toEqual([]);
  expect(cells.filter(([, , , test = '']) => !test.includes('.test.ts') && !test.startsWith('none: '))).toEqual([]);
});
