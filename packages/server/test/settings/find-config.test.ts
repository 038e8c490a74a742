import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Sandbox } from './sandbox.js';

const ours = { Tools: { PageSize: 7 } };
const theirs = { Logging: { LogLevel: { Default: 'Information' } }, AllowedHosts: '*' };

test('the file of --config is read without trust, and its folder is where paths start', async () => {
  const sandbox = new Sandbox();
  const file = sandbox.write('deep/mine.json', ours);
  const loaded = await sandbox.load({ configPath: 'deep/mine.json' });
  expect(loaded).toMatchObject({ file, baseDir: join(sandbox.cwd, 'deep'), warnings: [] });
  expect(loaded.settings.Tools.PageSize).toBe(7);
  expect(loaded.settings.Plugins.Directory).toEqual([join(sandbox.cwd, 'deep', 'plugins')]);
});

test('--config wins over a trusted working directory and the user', async () => {
  const sandbox = new Sandbox();
  sandbox.write('appsettings.json', { Tools: { PageSize: 1 } });
  sandbox.trust();
  writeFileSync(sandbox.userFile, JSON.stringify({ Tools: { PageSize: 2 } }));
  expect((await sandbox.loadFile(ours)).settings.Tools.PageSize).toBe(7);
});

test.each([
  ['missing.json', 'There is no such file.'],
  ['.', 'The file cannot be read: it is a folder.'],
  ['a\0b', 'The file cannot be read: the path holds a NUL character.'],
])('--config %j is an error', async (configPath, message) => {
  const sandbox = new Sandbox();
  expect(await sandbox.problems(() => sandbox.load({ configPath }))).toMatchObject([
    { message, file: join(sandbox.cwd, configPath) },
  ]);
});

test('a file of --config without any section of ours is used, with a warning', async () => {
  const { warnings, settings } = await new Sandbox().loadFile(theirs);
  expect(warnings).toEqual([expect.stringContaining('has no section of Mortise')]);
  expect(settings.Log.Level).toBe('info');
});

test('the working directory counts when it is trusted', async () => {
  const sandbox = new Sandbox();
  sandbox.write('appsettings.json', ours);
  sandbox.trust();
  expect(await sandbox.load()).toMatchObject({ file: sandbox.cwdFile, baseDir: sandbox.cwd, warnings: [] });
});

test('an untrusted working directory is named in a warning, with what to do, and ignored', async () => {
  const sandbox = new Sandbox();
  sandbox.write('appsettings.json', ours);
  writeFileSync(sandbox.userFile, JSON.stringify({ Tools: { PageSize: 2 } }));
  const { warnings, file, settings } = await sandbox.load();
  expect(file).toBe(sandbox.userFile);
  expect(settings.Tools.PageSize).toBe(2);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain(sandbox.cwdFile);
  expect(warnings[0]).toContain('Tools');
  expect(warnings[0]).toContain(`mortise trust ${JSON.stringify(sandbox.cwd)}`);
});

test('an untrusted file is warned of even where it is broken', async () => {
  const sandbox = new Sandbox();
  sandbox.write('appsettings.json', '{"Plugins": {"Directory": "x",,');
  expect((await sandbox.load()).warnings[0]).toContain('is ignored');
});

test.each([
  ['someone else’s', JSON.stringify(theirs)],
  ['empty', ''],
  ['broken', '{{{'],
  ['no text', Buffer.from([0xff, 0xff])],
])('an untrusted file that is %s is ignored silently', async (_, content) => {
  const sandbox = new Sandbox();
  sandbox.write('appsettings.json', content);
  writeFileSync(sandbox.userFile, '{}');
  expect((await sandbox.load()).warnings).toEqual([]);
});

test('a trusted folder whose file has none of our sections is ignored silently', async () => {
  const sandbox = new Sandbox();
  sandbox.write('appsettings.json', theirs);
  sandbox.trust();
  writeFileSync(sandbox.userFile, JSON.stringify(ours));
  expect(await sandbox.load()).toMatchObject({ file: sandbox.userFile, warnings: [] });
});

test('a broken file in a trusted folder is an error', async () => {
  const sandbox = new Sandbox();
  sandbox.write('appsettings.json', '{"Plugins": ');
  sandbox.trust();
  expect(await sandbox.problems(() => sandbox.load())).toMatchObject([{ file: sandbox.cwdFile, line: 1 }]);
});

test('trust is of the exact folder', async () => {
  const sandbox = new Sandbox();
  sandbox.write('child/appsettings.json', ours);
  sandbox.trust();
  expect((await sandbox.load({ cwd: join(sandbox.cwd, 'child') })).file).toBeUndefined();
});

test('a trusted folder is trusted through a symbolic link too', async () => {
  const sandbox = new Sandbox();
  sandbox.write('appsettings.json', ours);
  sandbox.trust();
  const link = join(sandbox.root, 'link');
  symlinkSync(sandbox.cwd, link, 'dir');
  expect((await sandbox.load({ cwd: link })).settings.Tools.PageSize).toBe(7);
});

test('a folder that comes to lie where a trusted link pointed is not trusted', async () => {
  const sandbox = new Sandbox();
  const link = join(sandbox.root, 'link');
  symlinkSync(sandbox.cwd, link, 'dir');
  sandbox.trust(link);
  rmSync(link);
  mkdirSync(link);
  writeFileSync(join(link, 'appsettings.json'), JSON.stringify(ours));
  expect((await sandbox.load({ cwd: link })).file).toBeUndefined();
});

test('the user’s own folder needs no trust, also as the working directory', async () => {
  const sandbox = new Sandbox();
  writeFileSync(sandbox.userFile, JSON.stringify(ours));
  expect(await sandbox.load()).toMatchObject({ file: sandbox.userFile, baseDir: sandbox.userConfigDir, warnings: [] });
  expect(await sandbox.load({ cwd: sandbox.userConfigDir })).toMatchObject({ file: sandbox.userFile, warnings: [] });
});

test('without any file plugins are looked for in the user’s folder, never in the working directory, and that is said', async () => {
  const sandbox = new Sandbox();
  const { file, baseDir, settings, warnings } = await sandbox.load();
  const plugins = join(sandbox.userConfigDir, 'plugins');
  expect({ file, baseDir, plugins: settings.Plugins.Directory }).toEqual({
    file: undefined,
    baseDir: sandbox.userConfigDir,
    plugins: [plugins],
  });
  expect(warnings).toEqual([expect.stringContaining(plugins)]);
});

test('a damaged memory of trust is an error, never trust', async () => {
  const sandbox = new Sandbox();
  sandbox.write('appsettings.json', ours);
  sandbox.trust();
  sandbox.damageTrust();
  expect((await sandbox.problems(() => sandbox.load()))[0]!.message).toContain('is damaged');
});

test.skipIf(process.platform === 'win32')('a pipe in place of the file holds nothing up', async () => {
  const sandbox = new Sandbox();
  execFileSync('mkfifo', [sandbox.cwdFile]);
  expect((await sandbox.load()).file).toBeUndefined();
});
