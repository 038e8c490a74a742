import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configuredPlugins } from '../../../src/plugins/find/configured-plugins.js';
import { pluginApiVersion } from '../../../src/plugins/find/peer-range.js';
import { fingerprint } from '../../../src/plugins/load/fingerprint.js';
import { loadSettings } from '../../../src/settings/load.js';
import { SettingsError } from '../../../src/settings/settings-error.js';
import { makeTree } from '../../make-tree.js';

const manifest = (more: object = {}) => JSON.stringify({ name: 'x', version: '1.0.0', main: 'index.js', ...more });

/** A package of that name in a `node_modules` folder. */
const installed = (name: string, more: object = {}, modules = 'node_modules') => ({
  [`${modules}/${name}/package.json`]: manifest({ name, ...more }),
  [`${modules}/${name}/index.js`]: '',
});

/** What is found with these packages in `Plugins.Packages`, with the configuration in `app`. */
function find(packages: unknown, files: Record<string, string>, env: Record<string, string> = {}) {
  const tree = makeTree({ 'app/appsettings.json': JSON.stringify({ Plugins: { Packages: packages } }), ...files });
  const config = join(tree, 'app/appsettings.json');
  const options = { configPath: config, cwd: tree, env, userConfigDir: join(tree, 'home') };
  return { tree, config, find: async () => configuredPlugins(await loadSettings(options)) };
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path, 'junction');
}

describe('a package of Plugins.Packages', () => {
  it('is found by its own name from the folder of the configuration upward, the nearest first', async () => {
    const { tree, find: again } = find(['notes', '@acme/notes', 'notes'], {
      ...installed('notes', {}, 'node_modules'),
      ...installed('notes', { version: '2.0.0' }, 'app/node_modules'),
      ...installed('@acme/notes'),
    });
    const { candidates, problems } = await again();
    expect(candidates).toMatchObject([
      { name: '@acme/notes', version: '1.0.0', path: join(tree, 'node_modules/@acme/notes'), problems: [] },
      { name: 'notes', version: '2.0.0', path: join(tree, 'app/node_modules/notes'), problems: [] },
    ]);
    // The default plugins folder need not exist.
    expect(problems).toEqual([]);
  });

  it('may be a link, as workspaces and npm link make them', async () => {
    const { tree, find: again } = find(['notes'], { 'work/notes/package.json': manifest(), 'work/notes/index.js': '' });
    link(join(tree, 'work/notes'), join(tree, 'app/node_modules/notes'));
    const [candidate] = (await again()).candidates;
    expect(candidate).toMatchObject({ name: 'notes', path: join(tree, 'app/node_modules/notes'), problems: [] });
  });

  it('that is in a plugins folder too is one plugin', async () => {
    const { find: again } = find(['notes'], installed('notes', {}, 'app/node_modules'), {
      Plugins__Directory: 'node_modules',
    });
    expect((await again()).candidates).toHaveLength(1);
  });

  it('that is not installed is a problem with its place in the file and the command', async () => {
    const { tree, config, find: again } = find(['@acme/notes'], { 'node_modules/other/package.json': manifest() });
    expect((await again()).candidates).toEqual([
      {
        kind: 'module',
        name: '@acme/notes',
        // Where npm puts it: the plugin stays the same one when it is installed.
        path: join(tree, 'node_modules/@acme/notes'),
        directory: join(tree, 'node_modules/@acme'),
        problems: [
          {
            severity: 'error',
            code: 'PLUGIN_NOT_INSTALLED',
            message: `The package '@acme/notes' is not installed: it is in no node_modules folder from ${join(tree, 'app')} upward`,
            hint: `In ${join(tree, 'app')}, run: npm install @acme/notes`,
            location: { file: config, line: 1, column: 25, subject: 'Plugins.Packages[0]' },
          },
        ],
      },
    ]);
  });

  it('that the environment names and is not installed names the variable', async () => {
    const { find: again } = find([], {}, { Plugins__Packages__0: 'notes' });
    expect((await again()).candidates[0]?.problems[0]?.message).toMatch(
      /^Environment variable Plugins__Packages__0: The package/,
    );
  });

  it('without package.json and index file, and one whose entry is missing, are problems', async () => {
    const { find: again } = find(['empty', 'unbuilt'], {
      'node_modules/empty/README.md': '',
      'node_modules/unbuilt/package.json': manifest({ exports: './dist/index.js' }),
    });
    const codes = (await again()).candidates.map(({ name, entry, problems }) => [name, entry, problems[0]?.code]);
    expect(codes).toEqual([
      ['empty', undefined, 'PLUGIN_ENTRY_MISSING'],
      ['unbuilt', undefined, 'PLUGIN_ENTRY_MISSING'],
    ]);
  });

  it.each(['./notes', '../notes', 'notes@1.0.0', 'notes/sub', '/notes', '.notes', 'node_modules', '@acme', ''])(
    'has a name, which %j is not',
    async (name) => {
      const { find: again } = find([name], {});
      await expect(again()).rejects.toThrow(SettingsError);
      await expect(again()).rejects.toThrow(
        /Plugins\.Packages\[0\] is .*, must be the name of an npm package\. Write the name alone/,
      );
    },
  );
});

describe('peerDependencies["@mortise/plugin"]', () => {
  const [major, minor] = pluginApiVersion().split('.').map(Number) as [number, number];
  const findWith = async (range: unknown) => {
    const { find: search } = find(['notes'], installed('notes', { peerDependencies: { '@mortise/plugin': range } }));
    return (await search()).candidates[0]!;
  };

  it.each([`^${pluginApiVersion()}`, `~${major}.${minor}`, '*', 'workspace:^', 'latest', 7])(
    '%j is accepted',
    async (range) => {
      expect(await findWith(range)).toMatchObject({ entry: expect.any(String), problems: [] });
    },
  );

  it('of later versions is an error: the plugin is not loaded, and Mortise is to be updated', async () => {
    const { entry, problems } = await findWith(`^${major + 1}.0.0`);
    expect(entry).toBeUndefined();
    expect(problems).toMatchObject([
      { severity: 'error', code: 'PLUGIN_API_MISMATCH', hint: expect.stringContaining('npm install mortise@latest') },
    ]);
  });

  it('of former versions is a warning: the plugin is loaded, and is to be updated', async () => {
    const { entry, problems } = await findWith('<=0.0.9');
    expect(entry).toBeDefined();
    expect(problems).toMatchObject([
      { severity: 'warning', code: 'PLUGIN_API_MISMATCH', hint: expect.stringContaining('npm install notes@latest') },
    ]);
  });
});

it('the fingerprint of a package has the package.json files of what it depends on', async () => {
  const { tree, find: again } = find(['notes'], {
    ...installed('notes', { dependencies: { direct: '1', absent: '1' } }),
    ...installed('direct', { dependencies: { indirect: '1' } }),
    ...installed('indirect', { peerDependencies: { direct: '1' } }, 'node_modules/direct/node_modules'),
    ...installed('unrelated'),
  });
  const { entry, root } = (await again()).candidates[0]!;
  const files = fingerprint({ entry: entry!, root: root! }).files.map((file) => file.slice(tree.length + 1));
  expect(files).toEqual([
    'node_modules/direct/node_modules/indirect/package.json',
    'node_modules/direct/package.json',
    'node_modules/notes/index.js',
    'node_modules/notes/package.json',
  ]);
});
