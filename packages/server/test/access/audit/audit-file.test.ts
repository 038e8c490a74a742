import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AuditFile, rotatedFiles } from '../../../src/access/audit/audit-file.js';
import { makeTree } from '../../make-tree.js';

const DAY_MS = 86_400_000;

function open(options: { maxBytes?: number; retentionDays?: number } = {}, folder = makeTree({})) {
  const path = join(folder, 'audit.jsonl');
  let now = new Date();
  const file = new AuditFile({ file: path, maxBytes: 1000, retentionDays: 30, now: () => now, ...options });
  file.open();
  onTestFinished(() => file.close());
  const setNow = (date: Date) => {
    now = date;
  };
  return { file, path, folder, setNow };
}

/** The name of a file that was put aside so many days ago. */
const nameOf = (days: number) =>
  `audit.${new Date(Date.now() - days * DAY_MS).toISOString().replace(/[-:.]/g, '')}-1.jsonl`;

const textOf = (path: string) => readFileSync(path, 'utf8');

describe('the file of an audit', () => {
  it('is appended to, line by line', () => {
    const { file, path } = open();
    file.append('a');
    file.append('b');
    expect(textOf(path)).toBe('a\nb\n');
  });

  it('is put aside before it is larger than it may be, and no line is lost', () => {
    const { file, path } = open({ maxBytes: 10 });
    for (const line of ['1234', '5678', '9012', 'a line that is longer than a whole file']) file.append(line);
    const asideTexts = rotatedFiles(path).map(textOf);
    expect([...asideTexts, textOf(path)].join('')).toBe('1234\n5678\n9012\na line that is longer than a whole file\n');
    expect(asideTexts[0]).toBe('1234\n5678\n');
  });

  it('is put aside when the day has changed', () => {
    const { file, path, setNow } = open();
    file.append('yesterday');
    setNow(new Date(Date.now() + DAY_MS));
    file.append('today');
    expect(rotatedFiles(path).map(textOf)).toEqual(['yesterday\n']);
    expect(textOf(path)).toBe('today\n');
  });

  it('keeps what was put aside for its days, and touches no other file', () => {
    const folder = makeTree({});
    const daily = Array.from({ length: 31 }, (_, days) => nameOf(days + 1));
    for (const name of [...daily, 'audit.mine.jsonl', `other.${nameOf(99)}`]) writeFileSync(join(folder, name), '');
    open({}, folder);
    expect(existsSync(join(folder, nameOf(31)))).toBe(false);
    expect(readdirSync(folder).filter((name) => /^(?:audit|other)\./.test(name))).toHaveLength(33);
  });

  it('keeps what was put aside when the clock jumps forward and back', () => {
    const { file, path, folder, setNow } = open();
    const names = Array.from({ length: 20 }, (_, days) => nameOf(days));
    for (const name of names) writeFileSync(join(folder, name), '');
    for (const days of [0, 4000, 0, 8000, 1]) {
      setNow(new Date(Date.now() + days * DAY_MS));
      file.append(`day ${days}`);
    }
    expect(names.filter((name) => !existsSync(join(folder, name)))).toEqual([]);
    const lines = [...rotatedFiles(path), path].flatMap((one) => textOf(one).split('\n').filter(Boolean));
    expect(lines.sort()).toEqual(['day 0', 'day 0', 'day 1', 'day 4000', 'day 8000']);
  });

  it('is begun again when it was removed or moved', () => {
    const { file, path } = open();
    file.append('a');
    unlinkSync(path);
    file.append('b');
    expect(textOf(path)).toBe('b\n');
    renameSync(path, `${path}.moved`);
    file.append('c');
    expect(textOf(path)).toBe('c\n');
  });

  it.skipIf(process.platform === 'win32')('is readable by its owner alone, whatever it was before', () => {
    const folder = makeTree({ 'audit.jsonl': 'before\n' });
    const { path } = open({}, folder);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(textOf(path)).toBe('before\n');
  });

  it('takes whole lines of several servers, also while it is put aside', async () => {
    const { path, folder } = open();
    const module = JSON.stringify(new URL('../../../build/access/audit/audit-file.js', import.meta.url));
    const script = (name: string) => `
      import { AuditFile } from ${module};
      const file = new AuditFile({ file: ${JSON.stringify(path)}, maxBytes: 20_000, retentionDays: 1 });
      file.open();
      for (let n = 0; n < 1000; n += 1) file.append('${name} ' + n + ' ' + 'x'.repeat(n % 90));`;
    const writers = ['a', 'b', 'c'].map((name) => spawn(process.execPath, ['--input-type=module', '-e', script(name)]));
    for (const [code] of await Promise.all(writers.map((writer) => once(writer, 'exit')))) expect(code).toBe(0);
    const names = readdirSync(folder).filter((name) => name.startsWith('audit.'));
    const texts = names.map((name) => textOf(join(folder, name)));
    const lines = texts.flatMap((text) => text.split('\n').filter(Boolean));
    expect(lines).toHaveLength(3000);
    expect(lines.every((line) => /^[abc] \d+ x*$/.test(line))).toBe(true);
    expect(new Set(lines.map((line) => line.split(' ').slice(0, 2).join(' '))).size).toBe(3000);
  });
});
