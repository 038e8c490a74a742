import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configuredPlugins } from '../../../src/plugins/find/configured-plugins.js';
import { declaredNeeds } from '../../../src/plugins/find/declared-needs.js';
import { loadSettings } from '../../../src/settings/load.js';
import { makeTree } from '../../make-tree.js';

const HAS_PERMISSIONS = process.allowedNodeEnvironmentFlags.has('--permission');

const packageJson = (needs: unknown) => JSON.stringify({ name: 'notes', main: 'index.js', mortise: { needs } });

/** What is found with these settings and this declaration of the plugin `notes`. */
async function find(Plugins: object, needs: unknown = { read: ['data'], network: true }) {
  const tree = makeTree({
    'appsettings.json': JSON.stringify({ Plugins }),
    'plugins/notes/package.json': packageJson(needs),
    'plugins/notes/index.js': '',
  });
  const options = { configPath: join(tree, 'appsettings.json'), cwd: tree, env: {}, userConfigDir: join(tree, 'home') };
  const [candidate] = configuredPlugins(await loadSettings(options)).candidates;
  return { tree, candidate: candidate! };
}

/** docs/spec/plugins.md#confinement */
describe('Plugins.Confine', () => {
  it('confines nothing if it has neither Default nor Plugins', async () => {
    const { candidate } = await find({ Confine: { Required: true } });
    expect(candidate).toMatchObject({ needs: { read: ['data'], network: true }, problems: [] });
    expect(candidate).not.toHaveProperty('confinedTo');
    expect(candidate.entry).toBeDefined();
  });

  it.runIf(HAS_PERMISSIONS)(
    'adds what the plugin declares to Default, and takes an entry of Plugins instead',
    async () => {
      const { tree, candidate } = await find({ Confine: { Default: { read: ['shared'] } } });
      const read = [join(tree, 'shared'), join(tree, 'plugins/notes/data')];
      expect(candidate.confinedTo).toEqual({ read, write: [], network: true, run: false });
      const own = await find({ Confine: { Default: {}, Plugins: { notes: { network: true } } } });
      expect(own.candidate.confinedTo).toEqual({ network: true });
    },
  );

  it.skipIf(HAS_PERMISSIONS)('is a warning on a Node.js without a permission model', async () => {
    const { candidate } = await find({ Confine: { Default: {} } });
    expect(candidate.problems).toMatchObject([{ code: 'PLUGIN_NOT_CONFINED', severity: 'warning' }]);
    expect(candidate.problems[0]!.message).toContain(process.version);
    expect(candidate.entry).toBeDefined();
  });

  it('warns of an entry that matches no plugin', async () => {
    const tree = makeTree({
      'appsettings.json': JSON.stringify({ Plugins: { Confine: { Plugins: { note: { read: [] }, notes: {} } } } }),
      'plugins/notes/package.json': packageJson({}),
      'plugins/notes/index.js': '',
    });
    const file = join(tree, 'appsettings.json');
    const { problems } = configuredPlugins(
      await loadSettings({ configPath: file, cwd: tree, env: {}, userConfigDir: join(tree, 'home') }),
    );
    expect(problems).toMatchObject([{ code: 'PLUGIN_NOT_CONFINED', severity: 'warning', location: { file } }]);
    expect(problems[0]!.message).toBe("Plugins.Confine.Plugins.note matches no plugin. Did you mean 'notes'?");
  });

  it.each([
    ['in the server', { Isolation: 'none' }],
    ['on a Node.js that cannot restrict the network', {}],
  ])('with Required, a plugin %s is not loaded', async (_, others) => {
    const { candidate } = await find({ Confine: { Default: {}, Required: true }, ...others }, {});
    expect(candidate.problems).toMatchObject([{ code: 'PLUGIN_NOT_CONFINED', severity: 'error' }]);
    expect(candidate.entry).toBeUndefined();
  });

  it.each([
    ['a list', []],
    ['an unknown member', { execute: true }],
    ['a path that is empty', { read: [''] }],
    ['a text for network', { network: 'yes' }],
  ])('says that a declaration with %s is wrong, and grants nothing of it', async (_, needs) => {
    const { candidate } = await find({}, needs);
    expect(candidate.problems).toMatchObject([{ code: 'PLUGIN_PACKAGE_INVALID', severity: 'warning' }]);
    expect(candidate).not.toHaveProperty('needs');
  });

  it('a package.json with an inherited name declares nothing', () => {
    expect(declaredNeeds({ mortise: { needs: { constructor: true } } })).toEqual({
      wrong: 'mortise.needs.constructor',
    });
    expect(declaredNeeds({ mortise: null })).toBeUndefined();
  });
});
