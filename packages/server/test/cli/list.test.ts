import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWorkplace } from '../../../../test/support/workplace.js';
import { BROKEN, CARELESS, ECHO, SILENT } from './plugins.js';
import {
  createQuickWorkplace,
  createTrustedWorkplace,
  record,
  runMortise,
  runProcess,
  startMortise,
  withoutIsolation,
} from './run-mortise.js';

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

  it('shows one plugin, or one tool in either spelling of its name, alone', async () => {
    const workplace = createQuickWorkplace({ 'plugins/echo.mjs': ECHO, 'plugins/silent.cjs': SILENT });
    const plugin = await runMortise(workplace, ['list', 'silent']);
    const file = join(workplace.folder, 'plugins', 'silent.cjs');
    expect(plugin).toMatchObject({ code: 0, stderr: '' });
    expect(plugin.stdout).toMatch(/^! silent {2}1 tool .*\n {4}silent\n {4}! Tool 'silent' has no description\./);
    expect(plugin.stdout).not.toContain('echo');
    expect(plugin.stdout).toContain(file);

    const tool = await runMortise(workplace, ['list', 'weather.today']);
    expect(tool.stdout).toBe(
      `✓ echo  1 tool  ${join(workplace.folder, 'plugins', 'echo.mjs')}\n    weather_today  Weather\n`,
    );
    const json = await runMortise(workplace, ['list', 'silent', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      plugins: [{ name: 'silent' }],
      tools: [{ name: 'silent' }],
      problems: [{ plugin: 'silent' }, { plugin: 'silent' }],
    });
    expect(await runMortise(workplace, ['list', 'ehco'])).toMatchObject({
      code: 3,
      stderr: "mortise: There is no plugin or tool 'ehco'.\n  → Did you mean echo?\n",
    });
  });

  it('prints the JSON Schemas of a tool', async () => {
    const workplace = createQuickWorkplace({ 'plugins/echo.mjs': ECHO });
    const { code, stdout } = await runMortise(workplace, ['list', 'weather_today', '--schema']);
    expect({ code, schemas: JSON.parse(stdout) }).toEqual({
      code: 0,
      schemas: { weather_today: { inputSchema: { type: 'object', properties: { days: { type: 'integer' } } } } },
    });
  });

  it('loads again only the plugin whose own settings have changed', async () => {
    const plugin = "console.log('loaded ' + import.meta.url.split('/').pop());\n";
    const workplace = createTrustedWorkplace({
      'plugins/a.mjs': plugin + ECHO,
      'plugins/b.mjs': plugin + ECHO.replaceAll("name: '", "name: 'b."),
    });
    const loaded = async () => (await runMortise(workplace, ['list'])).stderr.match(/loaded \w/g) ?? [];
    expect((await loaded()).sort()).toEqual(['loaded a', 'loaded b']);
    expect(await loaded()).toEqual([]);
    const settings = { Plugins: { Settings: { a: { word: 'Hi' }, b: {} } } };
    workplace.write('appsettings.json', JSON.stringify(settings, null, 2));
    expect(await loaded()).toEqual(['loaded a']);
    workplace.write('appsettings.json', `\n${JSON.stringify(settings, null, 4)}`);
    expect(await loaded()).toEqual([]);
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
