import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWorkplace } from '../../../../test/support/workplace.js';
import { BROKEN, CARELESS, ECHO, SILENT } from './plugins.js';
import { createQuickWorkplace, record, runMortise, runProcess, startMortise, withoutIsolation } from './run-mortise.js';

describe('mortise list', () => {
  it('shows plugins, their tools and their problems with place and next step', async () => {
    const workplace = createQuickWorkplace({
      'plugins/broken.js': BROKEN,
      'plugins/echo.mjs': ECHO,
      'plugins/silent.cjs': SILENT,
    });
    const { code, stdout, stderr } = await runMortise(workplace, ['list']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const plugins = join(workplace.folder, 'plugins');
    expect(stdout).toMatch(/\n✓ built in {2}1 tool\n {4}builtin_plugins {2}Shows [^.]*\.\n/);
    expect(stdout).toContain(`✗ broken  not loaded  ${join(plugins, 'broken.js')}\n    ✗ Syntax error: `);
    expect(stdout).toContain(`[PLUGIN_SYNTAX_ERROR]\n        ${join(plugins, 'broken.js')}:2:10\n        → Correct`);
    expect(stdout).toContain(
      `✓ echo  5 tools  ${join(plugins, 'echo.mjs')}\n    echo             Gives its arguments back\n`,
    );
    expect(stdout).toContain('    weather_today    Weather\n');
    expect(stdout).toContain(
      `! silent  1 tool  ${join(plugins, 'silent.cjs')}\n    silent\n    ! Tool 'silent' has no description.`,
    );
    expect(stdout).toContain('\n\n3 plugins, 7 tools, 1 error, 2 warnings.\n');
    expect(stdout).toContain(`configuration ${workplace.config}.\n`);
  });

  it('gives one JSON document to machines', async () => {
    const workplace = createQuickWorkplace({ 'plugins/broken.js': BROKEN, 'plugins/echo.mjs': ECHO });
    const { code, stdout } = await runMortise(workplace, ['list', '--json']);
    expect(code).toBe(0);
    const catalog = JSON.parse(stdout);
    expect(catalog).toMatchObject({
      configuration: workplace.config,
      directories: [join(workplace.folder, 'plugins')],
      plugins: [
        { name: 'broken', state: 'failed' },
        { name: 'echo', state: 'loaded' },
      ],
      problems: [{ severity: 'error', code: 'PLUGIN_SYNTAX_ERROR', plugin: 'broken', line: 2, column: 10 }],
    });
    expect(catalog.tools.map((tool: { name: string }) => tool.name)).toContain('weather_today');
  });

  it('ignores the configuration of a folder that is not trusted, and says how to trust it', async () => {
    const { code, stdout } = await runMortise(createWorkplace({ 'plugins/echo.mjs': ECHO }), ['list']);
    expect(code).toBe(0);
    expect(stdout).not.toContain('✓ echo');
    expect(stdout).toMatch(/appsettings\.json is ignored: .* mortise trust /);
  });

  it('says how to make a first plugin where there is none', async () => {
    const workplace = createQuickWorkplace();
    const { stdout } = await runMortise(workplace, ['list']);
    expect(stdout).toContain(`\n→ Create one: mortise new <name> --plugins ${join(workplace.folder, 'plugins')}\n`);
  });

  it('takes plugins from the folder that the command line names', async () => {
    const workplace = withoutIsolation(createWorkplace({ 'elsewhere/echo.mjs': ECHO }));
    const { stdout } = await runMortise(workplace, ['--plugins', 'elsewhere', 'list']);
    expect(stdout).toContain(`✓ echo  5 tools  ${join(workplace.folder, 'elsewhere', 'echo.mjs')}`);
  });

  it('ends although a plugin left timers running, also one that throws', async () => {
    const workplace = createQuickWorkplace({ 'plugins/careless.mjs': CARELESS });
    const { code, stdout } = await runProcess(workplace, ['list']);
    expect(code).toBe(0);
    expect(stdout).toContain('✓ careless');
  });

  it('explains what is wrong with the configuration', async () => {
    const workplace = createQuickWorkplace({}, { Tools: { TimeoutMS2: 1 } });
    const { code, stdout, stderr } = await runMortise(workplace, ['list']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(
      /^mortise: Tools\.TimeoutMS2 is not a setting\.\n {2}.*appsettings\.json:\d+:\d+\n {2}→ Did you mean Tools\.TimeoutMs\?\n$/,
    );
  });

  it('does not mind a reader that goes away', async () => {
    const workplace = createQuickWorkplace({ 'plugins/echo.mjs': ECHO });
    const child = startMortise(workplace, ['list', '--json']);
    child.stdout.destroy();
    const stderr = record(child.stderr);
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(stderr.text()).toBe('');
  });
});
