import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const READER = fileURLToPath(new URL('./read-odd-files.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'mortise-odd-'));

interface Row {
  readonly name: string;
  /** A sentence is wanted for what is not a file. */
  readonly reports?: boolean;
  readonly isFolder?: boolean;
  /** What is a folder is a plugin, or none; what is a file is looked at when it is loaded. */
  readonly isPlugin?: boolean;
  readonly isLock?: boolean;
}

interface Attempt {
  readonly kind: string;
  readonly isFile: boolean;
  readonly isAbsent: boolean;
  readonly messages: string;
}

const { stdout } = await run(process.execPath, [READER]);
const { rows } = JSON.parse(stdout) as { rows: Row[] };

let tried = 0;
let passed = 0;
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  console.log(`odd files: ${tried} tried, ${passed} held`);
});

/** What of a reading was not as it should be. */
function fault(
  { reports, isFolder, isPlugin }: Row,
  { kind, isFile, isAbsent, messages }: Attempt,
): string | undefined {
  const isQuiet = isFile || isAbsent || (isFolder && kind.startsWith('a folder')) || kind === 'a link to itself';
  const isPluginOfSize = isPlugin && (kind.startsWith('a folder') || kind === 'ten gigabytes');
  if (messages.includes('REFUSED')) return 'a lock was not given';
  if (reports && !isQuiet && !isPluginOfSize && messages === '') return 'nothing was said';
  return undefined;
}

describe.skipIf(process.platform === 'win32')(
  'odd files never hold anything up, and are refused with a sentence',
  () => {
    it.each(rows)('$name', async (row) => {
      // Who waits for a pipe waits forever: the time is the test.
      const { stdout: lines } = await run(process.execPath, [READER, row.name, folder], { timeout: 100_000 });
      const readings = lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Attempt & { begins?: string })
        .filter(({ begins }) => begins === undefined);
      const faults = readings.flatMap((attempt) => fault(row, attempt)?.concat(`: ${attempt.kind}`) ?? []);
      tried += readings.length;
      passed += readings.length - faults.length;
      expect(faults).toEqual([]);
      expect(readings.length).toBeGreaterThanOrEqual(12);
    });
  },
);
