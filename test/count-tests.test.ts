import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { toTestReport } from '../prove/page.mjs';

const SCRIPT = fileURLToPath(new URL('../scripts/count-tests.mjs', import.meta.url));

it('counts checks of the proof like tests: those that were not run are skipped', () => {
  const folder = mkdtempSync(join(tmpdir(), 'counts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const held = { name: 'a', tried: 2, failures: [], hasFound: true };
  const lost = { ...held, failures: ['a response'] };
  const blind = { ...held, hasFound: false };
  const rows = [held, lost, blind, { name: 'b', notRun: 'there is no nginx' }];
  const report = join(folder, 'report.json');
  writeFileSync(report, JSON.stringify(toTestReport(rows)));
  expect(execFileSync(process.execPath, [SCRIPT, report], { encoding: 'utf8' })).toBe(
    '1 passed, 2 failed, 1 skipped\n',
  );
});
