import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newPlugin } from '../../src/scaffold/new-plugin.js';
import { STYLES, scaffold } from '../../src/scaffold/scaffold.js';
import { loadSettings } from '../../src/settings/load.js';
import { built } from '../built.js';

/** Starts processes, so it must be the built one. */
const { createServer } = built<typeof import('../../src/server.js')>('server');

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));

function emptyFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mortise-scaffold-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The same where the packages that a new plugin needs are installed: it gets no copies of them. */
function folderWithPackages(): string {
  const folder = emptyFolder();
  symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}

/** Of the server: a plugin may load slowly on a busy machine. */
const ENVIRONMENT = { Dotnet__Enabled: 'false', Plugins__LoadTimeoutMs: '60000', Plugins__StartWaitMs: '60000' };

/** Runs the plugin's own tests, as its author does. */
function runItsTests(folder: string) {
  const { NODE_OPTIONS, VITEST, ...env } = process.env;
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const [, ...args] = scripts.test.split(' ');
  return spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' });
}

const KINDS = STYLES.filter((style) => style !== 'dotnet').flatMap((style) =>
  [false, true].map((isFull) => ({ style, isFull, size: isFull ? 'full' : 'short' })),
);

describe.each(KINDS)('a new $size plugin of style $style', ({ style, isFull }) => {
  it('passes its own tests with nothing installed, and holds no trace of the template', () => {
    const directory = join(emptyFolder(), 'plugins');
    const { folder, files, copiedPackages } = scaffold({ name: 'zebra', style, isFull, directory });
    const { status, stdout } = runItsTests(folder);
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringMatching(/^# pass [1-9]/m) });
    expect(copiedPackages).toEqual(style === 'typescript' ? ['@mortise/plugin', 'jiti'] : ['@mortise/plugin']);

    const texts = files.map((file) => readFileSync(file, 'utf8')).join('\n');
    expect(texts).not.toMatch(/my.?tool/i);
    expect(texts).toMatch(/name[:=] ?'zebra'|name = 'zebra'/);
  });
});

describe('new plugins of every kind', () => {
  it('are served by the host without a problem, and answer a call', { timeout: 300_000 }, async () => {
    const root = emptyFolder();
    const options = { cwd: join(root, 'work'), env: {}, userConfigDir: join(root, 'user') };
    mkdirSync(options.cwd);
    const names = KINDS.map(({ style, size }) => `${style}-${size}`);
    const made = KINDS.map((kind, index) => newPlugin({ name: names[index]!, ...kind }, options));
    const host = createServer({ loaded: loadSettings({ ...options, env: ENVIRONMENT }) });
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
    ({ style, isFull }) => {
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

describe('the tool of a new plugin', () => {
  it.each(['javascript', 'typescript'])('is about 15 lines in %s', (style) => {
    const { files } = scaffold({ name: 'my-tool', style, directory: emptyFolder() });
    const index = files.find((file) => /index\.[jt]s$/.test(file))!;
    expect(readFileSync(index, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(15);
  });
});

describe('the contract package of a new plugin', () => {
  it('is not copied where it is installed', () => {
    const root = emptyFolder();
    mkdirSync(join(root, 'node_modules/@mortise'), { recursive: true });
    symlinkSync(join(REPOSITORY, 'packages/plugin'), join(root, 'node_modules/@mortise/plugin'), 'junction');
    const { folder, copiedPackages } = scaffold({ name: 'my-tool', directory: join(root, 'plugins') });
    expect(copiedPackages).toEqual([]);
    expect(existsSync(join(folder, 'node_modules'))).toBe(false);
    expect(runItsTests(folder).status).toBe(0);
  });

  it('is in package.json in the version that the server has', () => {
    const { folder } = scaffold({ name: 'my-tool', directory: emptyFolder() });
    const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'packages/plugin/package.json'), 'utf8'));
    const json = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const range = { '@mortise/plugin': `^${version}` };
    expect(json).toMatchObject({ name: 'my-tool', peerDependencies: range, devDependencies: range });
    expect(json).not.toHaveProperty('dependencies');
    expect(existsSync(join(dirname(folder), 'my-tool/node_modules/@mortise/plugin/dist/index.js'))).toBe(true);
  });
});
