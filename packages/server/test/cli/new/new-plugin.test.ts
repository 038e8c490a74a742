import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newPlugin } from '../../../src/cli/new/new-plugin.js';
import { ScaffoldError } from '../../../src/cli/new/scaffold-error.js';
import { findPluginHost } from '../../../src/run/dotnet/find-plugin-host.js';
import { loadSettings } from '../../../src/settings/load.js';
import { SettingsError } from '../../../src/settings/settings-error.js';
import { createTrustStore } from '../../../src/settings/trusted-config.js';

/** An empty working directory, and the user's configuration folder beside it. */
function workplace() {
  const root = mkdtempSync(join(tmpdir(), 'mortise-scaffold-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const cwd = join(root, 'work');
  const userConfigDir = join(root, 'user');
  mkdirSync(cwd);
  const config = join(cwd, 'appsettings.json');
  const options = { cwd, env: {}, userConfigDir };
  return { cwd, config, options, trust: createTrustStore(userConfigDir), file: (path: string) => join(cwd, path) };
}

const FILES = ['README.md', 'index.js', 'index.test.js', 'package.json'];

describe('a new plugin in a folder without configuration', () => {
  it('comes with appsettings.json and trust, and says so', async () => {
    const { cwd, config, options, trust, file } = workplace();
    const made = await newPlugin({ name: 'my-tool' }, options);

    expect(made).toMatchObject({ folder: file('plugins/my-tool'), toolName: 'my_tool' });
    expect(made.files).toEqual([...FILES.map((name) => file(`plugins/my-tool/${name}`)), config]);
    expect(made.files.filter((path) => !existsSync(path))).toEqual([]);
    const { $schema, ...settings } = JSON.parse(readFileSync(config, 'utf8'));
    expect(settings).toEqual({ Plugins: { Directory: 'plugins' } });
    expect(JSON.parse(readFileSync(new URL($schema), 'utf8')).title).toBe('Mortise settings (appsettings.json)');
    expect(trust.isTrusted(cwd)).toBe(true);
    expect(made.notes.join('\n')).toMatch(/Wrote \.\/appsettings\.json .*trusted this folder/);
    expect(await loadSettings(options)).toMatchObject({
      file: config,
      settings: { Plugins: { Directory: [file('plugins')] } },
    });
  });

  it('names the schema of the package that is installed for the folder, for editors', async () => {
    const { cwd, config, options } = workplace();
    const installed = join(cwd, '../node_modules/mortise');
    mkdirSync(installed, { recursive: true });
    writeFileSync(join(installed, 'settings.schema.json'), '{}');
    await newPlugin({ name: 'my-tool' }, options);
    expect(JSON.parse(readFileSync(config, 'utf8')).$schema).toBe('../node_modules/mortise/settings.schema.json');
  });

  it('leaves nothing beside itself', async () => {
    const { cwd, options } = workplace();
    await newPlugin({ name: 'my-tool' }, options);
    expect(readdirSync(cwd).sort()).toEqual(['appsettings.json', 'plugins']);
    expect(readdirSync(join(cwd, 'plugins'))).toEqual(['my-tool']);
  });

  it('takes the place of an empty folder', async () => {
    const { options, file } = workplace();
    mkdirSync(file('plugins/my-tool'), { recursive: true });
    await newPlugin({ name: 'my-tool' }, options);
    expect(existsSync(file('plugins/my-tool/index.js'))).toBe(true);
  });

  it('adds its section to the appsettings.json of another program, and changes nothing else of it', async () => {
    const { config, options, file } = workplace();
    const foreignFolder =
      '\uFEFF{\r\n    // ASP.NET\r\n    "Logging": { "LogLevel": { "Default": "Warning" } },\r\n    "AllowedHosts": "*"\r\n}\r\n';
    writeFileSync(config, foreignFolder);
    const { notes } = await newPlugin({ name: 'my-tool' }, options);
    const section = ',\r\n    "Plugins": {\r\n        "Directory": "plugins"\r\n    }\r\n}\r\n';
    expect(readFileSync(config, 'utf8')).toBe(foreignFolder.replace(/\r\n\}\r\n$/, section));
    expect(notes.join('\n')).toContain('Added Plugins to ./appsettings.json');
    expect((await loadSettings(options)).settings.Plugins.Directory).toEqual([file('plugins')]);
  });

  it.each(['{}', '{ "AllowedHosts": "*", }', '{\n  "a": 1, // one\n}\n', '{"a":[]}'])(
    'extends %j to valid JSON',
    async (text) => {
      const { config, options, file } = workplace();
      writeFileSync(config, text);
      await newPlugin({ name: 'my-tool' }, options);
      expect((await loadSettings(options)).settings.Plugins.Directory).toEqual([file('plugins')]);
    },
  );
});

describe('a new plugin in a folder with configuration', () => {
  it('goes to the first configured plugins folder, and leaves the configuration alone', async () => {
    const { cwd, config, options, trust, file } = workplace();
    const text = '{ "Plugins": { "Directory": ["tools", "more"] } }';
    writeFileSync(config, text);
    trust.trust(cwd);
    const made = await newPlugin({ name: 'my-tool' }, options);
    expect(made.files).toEqual(FILES.map((name) => file(`tools/my-tool/${name}`)));
    expect(readFileSync(config, 'utf8')).toBe(text);
  });

  it('goes to the folder of --plugins or --config, and trusts nothing', async () => {
    const { cwd, options, trust, file } = workplace();
    writeFileSync(file('other.json'), '{ "Plugins": { "Directory": "tools" } }');
    const byConfig = await newPlugin({ name: 'one' }, { ...options, configPath: 'other.json' });
    const byFlag = await newPlugin({ name: 'two' }, { ...options, overrides: { Plugins: { Directory: ['here'] } } });
    expect([byConfig.folder, byFlag.folder]).toEqual([file('tools/one'), file('here/two')]);
    expect(existsSync(file('appsettings.json'))).toBe(false);
    expect(trust.isTrusted(cwd)).toBe(false);
  });

  it('is refused while the folder is not trusted', async () => {
    const { cwd, config, options, trust } = workplace();
    writeFileSync(config, '{ "Plugins": { "Directory": "tools" } }');
    await expect(newPlugin({ name: 'my-tool' }, options)).rejects.toThrow('not trusted');
    expect(trust.isTrusted(cwd)).toBe(false);
    expect(readdirSync(cwd)).toEqual(['appsettings.json']);
  });
});

describe('a plugin that cannot be made leaves everything as it was', () => {
  it.each([
    ['a bad name', { name: '../evil' }, 'is a path'],
    ['an unknown style', { name: 'my-tool', style: 'klass' }, 'no style "klass"'],
    ['a full form in C#', { name: 'my-tool', style: 'dotnet', isFull: true }, 'no full form'],
  ])('%s', async (_, request, message) => {
    const { cwd, options, trust } = workplace();
    await expect(newPlugin(request, options)).rejects.toThrow(message);
    await expect(newPlugin(request, options)).rejects.toThrow(ScaffoldError);
    expect(readdirSync(cwd)).toEqual([]);
    expect(trust.isTrusted(cwd)).toBe(false);
  });

  it.each([
    ['a folder with something in it', 'my-tool/keep.txt'],
    ['a file', 'my-tool'],
    ['a plugin of that name', 'my-tool.mjs'],
  ])('%s in its place', async (_, path) => {
    const { cwd, options, file } = workplace();
    const existing = file(`plugins/${path}`);
    mkdirSync(join(existing, '..'), { recursive: true });
    writeFileSync(existing, 'mine');
    await expect(newPlugin({ name: 'my-tool' }, options)).rejects.toThrow(ScaffoldError);
    expect(readFileSync(existing, 'utf8')).toBe('mine');
    expect(readdirSync(cwd)).toEqual(['plugins']);
  });

  it('a broken appsettings.json', async () => {
    const { cwd, config, options } = workplace();
    writeFileSync(config, '{ "Logging": ');
    await expect(newPlugin({ name: 'my-tool' }, options)).rejects.toThrow(SettingsError);
    expect(readdirSync(cwd)).toEqual(['appsettings.json']);
  });

  it('plugins that is a file', async () => {
    const { cwd, options, file } = workplace();
    writeFileSync(file('plugins'), '');
    await expect(newPlugin({ name: 'my-tool' }, options)).rejects.toThrow(/cannot be written/);
    expect(readdirSync(cwd)).toEqual(['plugins']);
  });

  it('trust that cannot be remembered', async () => {
    const { cwd, options } = workplace();
    writeFileSync(options.userConfigDir, 'a file where the folder should be');
    await expect(newPlugin({ name: 'my-tool' }, options)).rejects.toThrow();
    expect(existsSync(join(cwd, 'appsettings.json'))).toBe(false);
    expect(existsSync(join(cwd, 'plugins/my-tool'))).toBe(false);
  });
});

describe.skipIf(findPluginHost() === undefined)('a C# project that cannot be made', () => {
  it.each([
    ['in the plugins folder', ['.'], 'my-tool', 'is the folder that the plugin is built into'],
    ['as the plugins folder', ['plugins'], 'plugins', 'is the folder that the plugin is built into'],
    ['where something is', ['plugins'], 'taken', 'exists already'],
  ])('%s says so, and leaves everything as it was', async (_, Directory, name, message) => {
    const { options, file } = workplace();
    mkdirSync(file('taken'));
    writeFileSync(file('taken/file'), '');
    const request = () => newPlugin({ name, style: 'dotnet' }, { ...options, overrides: { Plugins: { Directory } } });
    await expect(request()).rejects.toThrow(ScaffoldError);
    await expect(request()).rejects.toThrow(message);
    expect(existsSync(file('my-tool'))).toBe(false);
  });
});
