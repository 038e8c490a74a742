// Defaults of settings that pages repeat, as in "`Output.MaxBytes` (16 MiB)" or "`Tools.TimeoutMs`, default 50,000", are those of
// settings-table.ts. Exits with 1 and names each that is not.
// `node scripts/check-defaults.mjs [folder]`: the pages of another folder, for its test.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultsOf } from './default-settings.mjs';

const root = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));

/** The name of a setting; at once, or after "default" in the same sentence, a number with its unit, or true or false. */
const MENTION = /`([A-Z]\w+)\.([A-Z]\w+)`(?:,?\s\(?|[^`.|]{0,40}\(?\bdefault\s)(true|false|\d[\d,]*)(?:\s([\w]+))?/g;

/** Tells what was; and the empty name at the end of the list. */
const HISTORY = /^(?:CHANGELOG\.md)?$/;

/** What a number is multiplied by; other words after it are not units. */
const UNITS = { KiB: 1024, MiB: 1024 ** 2, s: 1000, seconds: 1000, minutes: 60_000, h: 3_600_000 };

const { stdout, status } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '*.md'], {
  cwd: root,
  encoding: 'utf8',
});
if (status !== 0) throw new Error(`git ls-files failed in ${root}`);

for (const file of stdout.split('\0').filter((name) => !HISTORY.test(name) && existsSync(join(root, name)))) {
  const page = readFileSync(join(root, file), 'utf8');
  for (const { 0: mention, 1: section, 2: name, 3: value, 4: unit, index } of page.matchAll(MENTION)) {
    const setting = defaultsOf(section)?.[name];
    if (setting === undefined || setting === parseDefault(value, unit)) continue;
    const line = page.slice(0, index).split('\n').length;
    console.error(`${file}:${line}: ${mention.replaceAll(/\s+/g, ' ')}: the default is ${setting}`);
    process.exitCode = 1;
  }
}

function parseDefault(value, unit) {
  if (value === 'true' || value === 'false') return value === 'true';
  return Number(value.replaceAll(',', '')) * (UNITS[unit] ?? 1);
}
