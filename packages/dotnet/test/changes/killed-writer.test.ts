import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileText } from '../../src/changes/text-files.js';
import { WriteJournal } from '../../src/changes/write-journal.js';

const WRITER = fileURLToPath(new URL('./fixtures/killed-writer.mjs', import.meta.url));
/** More than a change of these files has. */
const MAX_CALLS = 30;
/** The call that would remove Old.cs. */
const CALL_AFTER_TWO_FILES = 9;

let temp: string;
const at = (name: string) => join(temp, 'src', name);
const journal = () => join(temp, 'runtime/changes');
const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const BEFORE = { 'A.cs': 'a', 'B.cs': '\uFEFFb\r\n', 'Old.cs': 'old' };
const AFTER = { 'A.cs': 'aa', 'B.cs': '\uFEFFbb\r\n', 'New.cs': 'new', 'Added.cs': 'added' };

const contents = () =>
  Object.fromEntries(readdirSync(join(temp, 'src')).map((name) => [name, readFileSync(at(name), 'utf8')]));

beforeEach(() => {
  temp = mkdtempSync(join(tmpdir(), 'killed-writer-'));
});
afterEach(() => rmSync(temp, { recursive: true, force: true }));

/** @returns whether the process was killed before the change was complete */
function writeKilledAt(call: number): boolean {
  rmSync(join(temp, 'src'), { recursive: true, force: true });
  mkdirSync(join(temp, 'src'));
  for (const [name, text] of Object.entries(BEFORE)) writeFileSync(at(name), text);
  const files: FileText[] = [
    { path: at('A.cs'), hash: hash(BEFORE['A.cs']), text: 'aa' },
    { path: at('Old.cs'), newPath: at('New.cs'), hash: hash(BEFORE['Old.cs']), text: 'new' },
    { path: at('B.cs'), hash: hash(BEFORE['B.cs']), text: 'bb\r\n' },
    { path: at('Added.cs'), text: 'added' },
  ];
  const changes = join(temp, 'changes.json');
  writeFileSync(changes, JSON.stringify(files));
  const { signal, status, stderr } = spawnSync(process.execPath, [WRITER, journal(), changes, String(call)]);
  if (signal === null && status !== 0) throw new Error(String(stderr));
  return signal === 'SIGKILL';
}

describe('a change of files whose process is killed', () => {
  it('is undone as a whole, at whichever step it was', async () => {
    const reports: string[] = [];
    const mixed = [];
    for (let call = 1; writeKilledAt(call); call += 1) {
      expect(call).toBeLessThan(MAX_CALLS);
      const left = JSON.stringify(contents());
      if (left !== JSON.stringify(BEFORE) && left !== JSON.stringify(AFTER)) mixed.push(call);
      await new WriteJournal(journal(), (message) => reports.push(message)).undoInterrupted();
      expect(contents(), `killed at call ${call}`).toEqual(BEFORE);
      expect(readdirSync(journal()).filter((name) => name.endsWith('.json'))).toEqual([]);
    }
    expect(contents()).toEqual(AFTER);
    expect(mixed.length).toBeGreaterThan(5);
    expect(reports.join('\n')).toContain('its files are as they were before');
  });

  it('leaves a file that was edited since, and the others become what they were', async () => {
    expect(writeKilledAt(CALL_AFTER_TWO_FILES)).toBe(true);
    expect(contents()).toMatchObject({ 'A.cs': 'aa', 'New.cs': 'new', 'B.cs': BEFORE['B.cs'] });
    writeFileSync(at('A.cs'), 'edited');
    await new WriteJournal(journal()).undoInterrupted();
    expect(contents()).toEqual({ ...BEFORE, 'A.cs': 'edited' });
  });

  it('is not undone while its process runs', async () => {
    writeKilledAt(MAX_CALLS);
    const written = contents();
    const replacement = { from: at('A.cs'), to: at('A.cs'), temporary: at('.A.tmp'), mode: undefined };
    const writer = new WriteJournal(journal());
    const end = await writer.begin([{ ...replacement, before: 'YQ==', afterHash: hash('aa') }]);
    await new WriteJournal(journal()).undoInterrupted();
    expect(contents()).toEqual(written);
    await end();
    expect(readdirSync(journal())).toEqual([]);
  });
});
