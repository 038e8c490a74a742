import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { ROOT } from './workplace.js';

/** What a script of `scripts/` prints about a repository with these files; [] where it passes. */
export function checkRepository(script: string, files: Record<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'checked-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts', script), folder], { encoding: 'utf8' });
  const lines = stderr.split('\n').filter((line) => line !== '');
  expect(status).toBe(lines.length === 0 ? 0 : 1);
  return lines;
}
