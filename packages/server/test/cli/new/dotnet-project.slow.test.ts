import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { describeWithSdk } from '../../../../dotnet/test/sdk.js';
import { type NewPlugin, newPlugin } from '../../../src/cli/new/new-plugin.js';
import { findPlugins } from '../../../src/plugins/find/discover-plugins.js';
import { loadSettings } from '../../../src/settings/load.js';
import { built } from '../../built.js';

/** Starts processes, so it must be the built one. */
const { createServer } = built<typeof import('../../../src/server.js')>('server');

function makeWorkplace() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'mortise-scaffold-')));
  const cwd = join(root, 'a (b) & c');
  mkdirSync(cwd);
  return { root, cwd, options: { cwd, env: {}, userConfigDir: join(root, 'user') } };
}

const CENTRAL = `<Project>
  <PropertyGroup><ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally></PropertyGroup>
  <ItemGroup><PackageVersion Include="xunit" Version="2.0.0" /></ItemGroup>
</Project>`;

const dotnet = (cwd: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('dotnet', args, { cwd, encoding: 'utf8' });
  return { status, output: stdout + stderr };
};

describeWithSdk('a new plugin in C#', () => {
  const { root, cwd, options } = makeWorkplace();
  let made: NewPlugin;
  beforeAll(async () => {
    // The contract that the project refers to is the host's.
    const script = fileURLToPath(new URL('../../../../../scripts/build-plugin-host.mjs', import.meta.url));
    execFileSync(process.execPath, [script, '--required']);
    // Inside of a tree that manages its package versions centrally; test/packed.slow.test.ts makes one elsewhere.
    writeFileSync(join(root, 'Directory.Packages.props'), CENTRAL);
    made = await newPlugin({ name: '3.d-print', style: 'dotnet' }, options);
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('is a project of its own, and no plugin before it is built', () => {
    expect(made).toMatchObject({ folder: join(cwd, '3.d-print'), toolName: '3.d_print' });
    expect(made.files.filter((file) => !existsSync(file))).toEqual([]);
    const texts = made.files.filter((file) => !/[\\/]lib[\\/]/.test(file)).map((file) => readFileSync(file, 'utf8'));
    expect(texts.join('\n')).not.toMatch(/my.?tool|PLUGIN_FOLDER/i);
    expect(findPlugins(join(cwd, 'plugins'))).toEqual({ candidates: [], problems: [] });
    expect(findPlugins(cwd).candidates).toEqual([]);
    expect(made.notes.join('\n')).toContain('dotnet build 3.d-print');
  });

  it('builds into the plugins folder, and answers a call', async () => {
    expect(dotnet(made.folder, 'build', '--nologo')).toMatchObject({
      status: 0,
      output: expect.stringContaining('0 Warning(s)'),
    });
    expect(findPlugins(cwd).candidates).toEqual([]);
    const host = createServer({
      loaded: await loadSettings({
        ...options,
        env: { Dotnet__Enabled: 'false', Plugins__LoadTimeoutMs: '60000', Plugins__StartWaitMs: '60000' },
      }),
    });
    onTestFinished(() => host.close());
    await host.ready();
    expect(host.plugins()).toMatchObject([{ name: '3.d-print', kind: 'dotnet', problems: [] }]);
    const caller = { signal: new AbortController().signal, clientCapabilities: {}, inputMode: 'retry' as const };
    expect(await host.callTool(made.toolName, { name: 'Ada' }, caller)).toMatchObject({
      kind: 'result',
      result: { content: [{ type: 'text', text: 'Hello, Ada!' }] },
    });
  });

  it('passes its own tests, which fail when its tool changes', () => {
    expect(dotnet(join(made.folder, 'test'), 'test', '--nologo')).toMatchObject({
      status: 0,
      output: expect.stringMatching(/Passed:\s+3/),
    });
    const source = made.files.find((file) => file.endsWith('PrintTool.cs'))!;
    writeFileSync(source, readFileSync(source, 'utf8').replace('{greeting}, {name}', '{name}'));
    expect(dotnet(join(made.folder, 'test'), 'test', '--nologo').status).not.toBe(0);
  });
});
