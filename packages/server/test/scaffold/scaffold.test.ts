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

/** Runs the plugin's own tests, as its author does. */
function runItsTests(folder: string) {
  const { NODE_OPTIONS, VITEST, ...env } = process.env;
  return spawnSync(process.execPath, ['--test'], { cwd: folder, env, encoding: 'utf8' });
}

const MODULE_STYLES = STYLES.filter((style) => style !== 'dotnet');

describe.each(MODULE_STYLES)('a new plugin of style %s', (style) => {
  it('passes its own tests, with nothing installed', () => {
    const { folder, contractCopied } = scaffold({ name: 'my-tool', style, directory: join(emptyFolder(), 'plugins') });
    const { status, stdout } = runItsTests(folder);
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringMatching(/^# pass [1-9]/m) });
    expect(contractCopied).toBe(true);
  });

  it('has tests that fail when its tool changes', () => {
    const { folder } = scaffold({ name: 'my-tool', style, directory: emptyFolder() });
    const index = join(folder, 'index.js');
    writeFileSync(index, readFileSync(index, 'utf8').replace('await askForName(context)', 'undefined'));
    expect(runItsTests(folder).status).toBe(1);
  });

  it('is served by the host without a problem, and answers a call', async () => {
    const root = emptyFolder();
    const options = { cwd: join(root, 'work'), env: {}, userConfigDir: join(root, 'user') };
    mkdirSync(options.cwd);
    const { toolName } = newPlugin({ name: 'my-tool', style }, options);
    const host = createServer({ loaded: loadSettings({ ...options, env: { Dotnet__Enabled: 'false' } }) });
    onTestFinished(() => host.close());
    await host.ready();

    expect(host.plugins()).toMatchObject([{ name: 'my-tool', problems: [] }]);
    expect(host.mcpLists().tools.map(({ name }) => name)).toEqual(['builtin_plugins', toolName]);
    const answer = await host.callTool(
      toolName,
      { name: 'Ada' },
      { signal: new AbortController().signal, clientCapabilities: {}, inputMode: 'retry' },
    );
    expect(answer).toMatchObject({ kind: 'result', result: { content: [{ type: 'text', text: 'Hello, Ada!' }] } });
  });

  it('is formatted as the workspace is, whatever its name', () => {
    for (const name of ['3.d-print', `long-${'n'.repeat(59)}`]) {
      const { files } = scaffold({ name, style, directory: emptyFolder() });
      const biome = join(REPOSITORY, 'node_modules/@biomejs/biome/bin/biome');
      for (const file of files.filter((file) => file.endsWith('.js'))) {
        const input = readFileSync(file, 'utf8');
        const args = [biome, 'format', '--stdin-file-path=index.js'];
        const formatted = spawnSync(process.execPath, args, { cwd: REPOSITORY, input, encoding: 'utf8' });
        expect(formatted.stdout).toBe(input);
      }
    }
  });

  it('holds no trace of the template', () => {
    const { files } = scaffold({ name: 'zebra', style, directory: emptyFolder() });
    const texts = files.map((file) => readFileSync(file, 'utf8')).join('\n');
    expect(texts).not.toMatch(/my.?tool/i);
    expect(texts).toMatch(/name[:=] ?'zebra'|name = 'zebra'/);
  });
});

describe('the contract package of a new plugin', () => {
  it('is not copied where it is installed', () => {
    const root = emptyFolder();
    mkdirSync(join(root, 'node_modules/@mortise'), { recursive: true });
    symlinkSync(join(REPOSITORY, 'packages/plugin'), join(root, 'node_modules/@mortise/plugin'), 'junction');
    const { folder, contractCopied } = scaffold({ name: 'my-tool', directory: join(root, 'plugins') });
    expect(contractCopied).toBe(false);
    expect(existsSync(join(folder, 'node_modules'))).toBe(false);
    expect(runItsTests(folder).status).toBe(0);
  });

  it('is in package.json in the version that the server has', () => {
    const { folder } = scaffold({ name: 'my-tool', directory: emptyFolder() });
    const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'packages/plugin/package.json'), 'utf8'));
    const { name, dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect({ name, dependencies }).toEqual({ name: 'my-tool', dependencies: { '@mortise/plugin': `^${version}` } });
    expect(existsSync(join(dirname(folder), 'my-tool/node_modules/@mortise/plugin/dist/index.js'))).toBe(true);
  });
});
