import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './support/workplace.js';

/** The pages that say which test holds a threat. */
describe.each(['docs/spec/access.md', 'docs/security.md'])('%s', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const named = [...new Set(Array.from(text.matchAll(/`([\w./-]+\.test\.ts)`/g), ([, path]) => path!))];

  it('names tests by their paths, and each exists', () => {
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

it('every threat that is not possible has a test', () => {
  const [, table = ''] = readFileSync(join(ROOT, 'docs/spec/access.md'), 'utf8').split('<a id="threats"></a>');
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Principal'));
  expect(rows.length).toBeGreaterThan(20);
  const cells = rows.map((row) => row.split(' | '));
  const untested = cells.filter(([, , possible, , test = '']) => possible !== 'yes' && !test.includes('.test.ts'));
  expect(untested).toEqual([]);
});
