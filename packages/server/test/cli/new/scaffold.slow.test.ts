import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type NewPlugin, newPlugin } from '../../../src/cli/new/new-plugin.js';
import { scaffold } from '../../../src/cli/new/scaffold.js';
import { loadSettings } from '../../../src/settings/load.js';
import { built } from '../../built.js';
import {
  emptyFolder,
  expectCompletePlugin,
  folderWithPackages,
  KINDS,
  REPOSITORY,
  runItsTests,
} from './new-plugins.js';

/** Starts processes, so it must be the built one. */
const { createServer } = built<typeof import('../../../src/server.js')>('server');

/** Of the server: a plugin may load slowly on a busy machine. */
const ENVIRONMENT = { Dotnet__Enabled: 'false', Plugins__LoadTimeoutMs: '60000', Plugins__StartWaitMs: '60000' };

it.each(KINDS)(
  'a new $size plugin of style $style passes its own tests with nothing installed, and holds no trace of the template',
  expectCompletePlugin,
);

describe('new plugins of every kind', () => {
  it('are served by the host without a problem, and answer a call', async () => {
    const root = emptyFolder();
    const options = { cwd: join(root, 'work'), env: {}, userConfigDir: join(root, 'user') };
    mkdirSync(options.cwd);
    const names = KINDS.map(({ style, size }) => `${style}-${size}`);
    const made: NewPlugin[] = [];
    for (const [index, kind] of KINDS.entries()) made.push(await newPlugin({ name: names[index]!, ...kind }, options));
    const host = createServer({ loaded: await loadSettings({ ...options, env: ENVIRONMENT }) });
    onTestFinished(() => host.close());
    await host.ready();

    expect(host.plugins()).toMatchObject([...names].sort().map((name) => ({ name, problems: [] })));
    for (const { toolName } of made) {
      const caller = { signal: new AbortController().signal, clientCapabilities: {}, inputMode: 'retry' } as const;
      const answer = await host.callTool(toolName, { name: 'Ada' }, caller);
      expect(answer).toMatchObject({ kind: 'result', result: { content: [{ type: 'text', text: 'Hello, Ada!' }] } });
    }
  });

  it('are formatted as the workspace is, whatever their names', () => {
    const directory = folderWithPackages();
    const { vcs, files, ...settings } = JSON.parse(readFileSync(join(REPOSITORY, 'biome.json'), 'utf8'));
    const config = { ...settings, files: { includes: ['**', '!**/node_modules', '!**/*.json'] } };
    writeFileSync(join(directory, 'biome.json'), JSON.stringify(config));
    for (const { style, size, isFull } of KINDS)
      scaffold({ name: `3.d-${style}-${size}-`.padEnd(64, 'n'), style, isFull, directory });
    const biome = join(REPOSITORY, 'node_modules/@biomejs/biome/bin/biome');
    const run = () => spawnSync(process.execPath, [biome, 'format', '.'], { cwd: directory, encoding: 'utf8' });
    const { status, stdout, stderr } = run();
    expect({ status, output: stdout + stderr }).toMatchObject({ status: 0 });
    expect(Number(/Checked (\d+) files/.exec(stdout + stderr)?.[1])).toBeGreaterThanOrEqual(2 * KINDS.length);
    writeFileSync(join(directory, 'index.js'), 'const unformatted  = 1');
    expect(run().status).not.toBe(0);
  });

  it('have no errors of types', () => {
    const directory = folderWithPackages();
    const tsc = join(REPOSITORY, 'node_modules/typescript/bin/tsc');
    const typeRoots = ['--typeRoots', join(REPOSITORY, 'node_modules/@types'), '--types', 'node', '--noEmit'];
    const check = (cwd: string, ...args: string[]) => {
      const { status, stdout } = spawnSync(process.execPath, [tsc, ...typeRoots, ...args], { cwd, encoding: 'utf8' });
      expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    };
    const made = KINDS.map((kind) => ({
      ...kind,
      ...scaffold({ name: `${kind.style}-${kind.size}`, ...kind, directory }),
    }));
    for (const { folder } of made.filter(({ style }) => style === 'typescript')) check(folder);
    const modules = made.filter(({ style }) => style !== 'typescript').map(({ folder }) => join(folder, 'index.js'));
    check(directory, '--checkJs', '--strict', '--module', 'nodenext', ...modules);
  });

  it.each(KINDS.filter(({ style }) => style === 'javascript'))(
    'have tests that fail when the tool changes ($size)',
    async ({ style, isFull }) => {
      const { folder } = scaffold({ name: 'my-tool', style, isFull, directory: emptyFolder() });
      const index = join(folder, 'index.js');
      const text = readFileSync(index, 'utf8');
      const changed = isFull ? text.replace('await askForName(context)', 'undefined') : text.replace('Hello', 'Bye');
      expect(changed).not.toBe(text);
      writeFileSync(index, changed);
      expect(runItsTests(folder).status).toBe(1);
    },
  );
});
