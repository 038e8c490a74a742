import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { STYLES, scaffold } from '../../../src/cli/new/scaffold.js';

export const REPOSITORY = fileURLToPath(new URL('../../../../../', import.meta.url));

export function emptyFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mortise-scaffold-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The same where the packages that a new plugin needs are installed: it gets no copies of them. */
export function folderWithPackages(): string {
  const folder = emptyFolder();
  symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}

/** Runs the plugin's own tests, as its author does. */
export function runItsTests(folder: string) {
  const { NODE_OPTIONS, VITEST, ...env } = process.env;
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const [, ...args] = scripts.test.split(' ');
  return spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' });
}

export const KINDS = STYLES.filter((style) => style !== 'dotnet').flatMap((style) =>
  [false, true].map((isFull) => ({ style, isFull, size: isFull ? 'full' : 'short' })),
);

/** Makes a plugin and runs its tests: they pass with nothing installed, and its files have no trace of the template. */
export function expectCompletePlugin({ style, isFull }: (typeof KINDS)[number]): void {
  const directory = join(emptyFolder(), 'plugins');
  const { folder, files, copiedPackages } = scaffold({ name: 'zebra', style, isFull, directory });
  const { status, stdout } = runItsTests(folder);
  expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringMatching(/^# pass [1-9]/m) });
  expect(copiedPackages).toEqual(style === 'typescript' ? ['@mortise/plugin', 'jiti'] : ['@mortise/plugin']);

  const texts = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  expect(texts).not.toMatch(/my.?tool/i);
  expect(texts).toMatch(/name[:=] ?'zebra'|name = 'zebra'/);
}
