import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { templateFiles } from '../../src/sdk/template-cache.js';

it('the catalogue of templates is old once packs were installed after it was written', () => {
  const home = mkdtempSync(join(tmpdir(), 'templates-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const { cache, isCurrent } = templateFiles(home, '10.0.100');
  expect(isCurrent()).toBe(false);
  mkdirSync(dirname(cache), { recursive: true });
  writeFileSync(cache, '{}');
  utimesSync(cache, 1, 1);
  expect(isCurrent()).toBe(true);
  writeFileSync(join(home, '.templateengine/packages.json'), '{}');
  expect(isCurrent()).toBe(false);
});
