import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWorkplace } from '../../../../test/support/workplace.js';
import { checkNode } from '../../src/cli/shared/doctor-checks.js';
import { makeAssembly } from '../plugins/find/make-assembly.js';
import { BROKEN, ECHO } from './plugins.js';
import { createQuickWorkplace, runMortise, withoutIsolation } from './run-mortise.js';

describe('mortise doctor', () => {
  it('has nothing to say against a good installation', async () => {
    const workplace = createQuickWorkplace({ 'plugins/echo.mjs': ECHO });
    const { code, stdout } = await runMortise(workplace, ['doctor']);
    expect(code).toBe(0);
    expect(stdout).toContain(
      `✓ Node.js ${process.versions.node}\n✓ Configuration ${workplace.config}\n✓ Trusted folder ${workplace.folder}\n`,
    );
    expect(stdout).toContain(
      `✓ Plugins folder ${join(workplace.folder, 'plugins')}: 1 plugin\n✓ Plugin echo: 5 tools, loaded in `,
    );
    expect(stdout).toMatch(/\n✓ Cache .*\n\nEverything is in order\.\n$/);
  });

  it('shows what is wrong with a plugin, and ends with 1', async () => {
    const workplace = createQuickWorkplace({ 'plugins/broken.js': BROKEN });
    const { code, stdout } = await runMortise(workplace, ['doctor', '--json']);
    expect(code).toBe(1);
    const { healthy, checks } = JSON.parse(stdout);
    expect(healthy).toBe(false);
    expect(checks.filter((check: { status: string }) => check.status === 'error')).toMatchObject([
      {
        code: 'PLUGIN_SYNTAX_ERROR',
        where: `${join(workplace.folder, 'plugins', 'broken.js')}:2:10`,
        hint: expect.any(String),
      },
    ]);
  });

  it('shows a configuration that is ignored, and what to do', async () => {
    const { code, stdout } = await runMortise(withoutIsolation(createWorkplace()), ['doctor']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^! .*appsettings\.json is ignored: .* mortise trust /m);
    expect(stdout).toMatch(/^· Folder .*: not trusted$/m);
  });

  it('continues when the settings are wrong', async () => {
    const workplace = createQuickWorkplace({}, { Tools: { NameStyle: 'nice' } });
    const { code, stdout } = await runMortise(workplace, ['doctor']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^✓ Node\.js .*\n✗ Tools\.NameStyle /);
    expect(stdout).toContain('\n✓ Cache ');
  });

  it.each([
    [{ Enabled: 'auto' }, '· .NET SDK: dotnet is not on PATH, so its tools are not offered', 0],
    [{ Enabled: true }, '✗ .NET SDK: dotnet is not on PATH\n    → Install it', 1],
    [{ Enabled: false }, '· .NET SDK: switched off', 0],
  ])('looks for the .NET SDK with %j', async (Dotnet, line, expected) => {
    const workplace = createQuickWorkplace({ 'plugins/echo.mjs': ECHO }, { Dotnet });
    const { code, stdout } = await runMortise(workplace, ['doctor'], { env: { PATH: workplace.folder } });
    expect(code).toBe(expected);
    expect(stdout).toContain(line);
  });
});

describe('what doctor says of C# plugins', () => {
  it('is that they are not run, where there is no .NET; an error where there is one', async () => {
    const workplace = createQuickWorkplace({ 'plugins/echo.mjs': ECHO }, {});
    const env = { PATH: workplace.folder };
    const without = await runMortise(workplace, ['doctor'], { env });
    expect(without.stdout).toContain('· C# plugins need .NET: dotnet was not found');
    expect(without.code).toBe(0);
    writeFileSync(
      join(workplace.folder, 'plugins/Weather.dll'),
      makeAssembly({ references: ['McpServer.Plugin.Abstractions'] }),
    );
    const withOne = await runMortise(workplace, ['doctor'], { env });
    expect(withOne.stdout).toMatch(/✗ Plugin Weather has a problem: C# plugins need .NET.* \[DOTNET_NOT_AVAILABLE\]/);
    expect(withOne.code).toBe(1);
  });
});

describe('checkNode', () => {
  it.each([
    ['20.18.9', 'error'],
    ['18.99.0', 'error'],
    ['20.19.0', 'ok'],
    ['22.1.0', 'ok'],
    ['100.0.0', 'ok'],
  ])('%s is %s', (actual, status) => {
    expect(checkNode(actual).status).toBe(status);
  });
});
