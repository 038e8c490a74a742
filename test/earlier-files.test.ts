import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'jsonc-parser';
import { expect, it } from 'vitest';
import { loadSettings } from '../packages/server/src/settings/load.js';
import { type UserFolders, userConfigDir, userDataDir } from '../packages/server/src/settings/paths.js';
import { LIMITS } from '../packages/server/src/settings/plugin-limits.js';
import { runMortise } from '../packages/server/test/cli/run-mortise.js';
import { createWorkplace, ROOT, type Workplace } from './support/workplace.js';

/**
 * What a server wrote, and a user had written, when `Plugins.Limits` had twenty members: settings, pins, the file of a trusted
 * folder, an audit and its key. The plugin `notes` is as it was pinned; `clock` has changed since.
 */
const FILES = join(ROOT, 'test/fixtures/earlier-files');
const EARLIER_FOLDER = '/home/ada/shop';

interface AuditLine {
  readonly target: string;
  readonly arguments?: string;
}

const linesOf = (text: string): AuditLine[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const foldersOf = ({ env }: Workplace): UserFolders => ({
  platform: process.platform,
  env,
  homeDir: () => env.HOME!,
});

/** The files as they were, in a folder that takes the place of theirs. */
function restore(): Workplace {
  const workplace = createWorkplace();
  cpSync(FILES, workplace.folder, { recursive: true });
  const folders = foldersOf(workplace);
  const folder = realpathSync.native(workplace.folder);
  const trusted = JSON.parse(readFileSync(join(FILES, 'trusted.json'), 'utf8').replace(EARLIER_FOLDER, () => folder));
  const name = `${createHash('sha256').update(folder).digest('hex')}.json`;
  write(join(userConfigDir(folders)!, 'trusted', name), JSON.stringify(trusted));
  write(join(userDataDir(folders)!, 'audit.key'), readFileSync(join(FILES, 'audit.key'), 'utf8'));
  return workplace;
}

it('settings, trust, pins and audit of an earlier version are used as before', async () => {
  const workplace = restore();
  const { folder } = workplace;

  const listed = JSON.parse((await runMortise(workplace, ['list', '--json'])).stdout);
  expect(listed.configuration).toBe(join(realpathSync.native(folder), 'appsettings.json'));
  const problems = listed.plugins.map(({ name, problems }: { name: string; problems: { code: string }[] }) => [
    name,
    problems.map(({ code }) => code),
  ]);
  expect(problems).toEqual([
    ['clock', ['PLUGIN_DEFINITION_CHANGED']],
    ['notes', []],
  ]);

  const greeted = await runMortise(workplace, ['call', 'greet', '--arg', 'name=Ada']);
  expect(greeted.stdout).toContain('Ahoy, Ada');

  const before = linesOf(readFileSync(join(FILES, 'audit.jsonl'), 'utf8'));
  const lines = linesOf(readFileSync(join(folder, 'audit.jsonl'), 'utf8'));
  expect(lines.slice(0, before.length)).toEqual(before);
  expect(lines.at(-1)!.arguments).toBe(before.find(({ target }) => target === 'greet')!.arguments);
  const summary = JSON.parse((await runMortise(workplace, ['audit', '--json'])).stdout);
  expect(summary).toMatchObject({
    entries: lines.length,
    from: '2026-11-27T19:32:09.410Z',
    targets: expect.arrayContaining([expect.objectContaining({ name: 'greet', calls: 2, errors: 0 })]),
  });
});

it('what is no longer a setting is ignored, with one warning that names it; the others count', async () => {
  const workplace = restore();
  const { settings, warnings } = await loadSettings({
    env: {},
    cwd: workplace.folder,
    userConfigDir: userConfigDir(foldersOf(workplace))!,
  });
  const { Plugins } = parse(readFileSync(join(FILES, 'appsettings.json'), 'utf8'));
  const gone = Object.keys(Plugins.Limits).filter((name) => !(name in LIMITS));
  expect(gone).toContain('Blocks');
  expect(warnings).toEqual(gone.map((name) => `Plugins.Limits.${name} is no longer a setting, and is ignored.`));
  expect(settings.Plugins).toMatchObject({
    MaxQueuedCalls: 50,
    OnChange: 'refuse',
    Limits: { Tools: 40, MessageBytes: 4_194_304 },
  });
  expect(settings.Tools.TimeoutMs).toBe(20_000);
});
