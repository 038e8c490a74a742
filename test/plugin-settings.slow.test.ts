import { describe, expect, it } from 'vitest';
import { record, startMortise } from '../packages/server/test/cli/run-mortise.js';
import { shared } from './support/clients.js';
import {
  makeWrongWorkplace,
  OTHER,
  problems,
  run,
  SECRET,
  WEATHER,
  WRONG,
  WRONG_NAMES,
  workplaceWith,
} from './weather-settings.js';

describe('the settings of a plugin', () => {
  it('come from the environment too, as the types of the schema', async () => {
    const workplace = workplaceWith({ zone: `\${env:ZONE}`, retries: `\${env:TIMES}` });
    const env = { ZONE: SECRET, TIMES: '7', Plugins__Settings__weather__CITIES__0: 'Rome' };
    const { stdout } = await run(workplace, ['call', 'settings', '--structured'], { env });
    expect(JSON.parse(stdout).metadata.config).toEqual({ zone: '[REDACTED]', retries: 7, cities: ['Rome'] });
  });

  describe('where they are wrong', () => {
    const workplace = shared(async (finished) => makeWrongWorkplace(finished));

    it('disables these plugins alone', async () => {
      expect(await run(workplace(), ['call', 'other'])).toMatchObject({ code: 0, stdout: 'other works\n' });
      expect(await run(workplace(), ['call', 'settings'])).toMatchObject({ code: 0 });
      const { code, stderr } = await run(workplace(), ['call', 'setings']);
      expect(code).toBe(3);
      expect(stderr).toMatch(/There is no tool 'setings'\. .*(?:Not loaded|did not load): /);
      const { stdout } = await run(workplace(), ['list']);
      for (const name of WRONG_NAMES) {
        expect(stdout).toContain(`✗ ${name}  not loaded`);
        expect(stdout).toContain(WRONG[name]!.code);
      }
    });
  });

  it('are found under the name that it gives itself', async () => {
    const plugin = WEATHER.replace('definePlugin({', "definePlugin({ name: 'forecast',");
    const workplace = workplaceWith(undefined, { Settings: { forecast: { zone: SECRET } } }, plugin);
    expect((await run(workplace, ['call', 'settings'])).stdout).toContain('it is [REDACTED]');
  });
});

describe('a section of Plugins.Settings that matches no plugin', () => {
  const ERROR = "throw new Error('broken');";
  const unknown = (closest?: string) => ({
    severity: 'warning',
    code: 'SETTING_SECTION_UNKNOWN',
    message: expect.stringMatching(
      closest === undefined ? /^Plugins\.Settings\.\w+ matches no plugin\.$/ : `Did you mean '${closest}'\\?$`,
    ),
    file: expect.stringContaining('appsettings.json'),
  });
  const misspelt = (more: object = {}) => workplaceWith(undefined, { Settings: { wether: { zone: SECRET }, ...more } });

  it('is a warning with the closest name and its place, in validate, list, doctor, the log and builtin.plugins', async () => {
    const workplace = misspelt({ Other: {} });
    expect(await problems(workplace)).toMatchObject([
      { ...unknown('weather'), line: expect.any(Number), column: expect.any(Number) },
      { severity: 'error', plugin: 'weather', code: 'SETTING_MISSING' },
    ]);
    const message = "Plugins.Settings.wether matches no plugin. Did you mean 'weather'?";
    expect((await run(workplace, ['list'])).stdout).toContain(message);
    const { checks } = JSON.parse((await run(workplace, ['doctor', '--json'])).stdout);
    expect(checks).toContainEqual(expect.objectContaining({ status: 'warning', message }));
    const status = await run(workplace, ['call', 'builtin.plugins', '--arg', 'action=Status', '--log-level', 'warn']);
    expect(status.stdout).toContain(`warning SETTING_SECTION_UNKNOWN: ${message}`);
    expect(status.stderr).toContain(message);
  });

  it('is a warning if the plugin has a name of its own, which is suggested', async () => {
    const plugin = WEATHER.replace('definePlugin({', "definePlugin({ name: 'forecast',");
    const workplace = workplaceWith({ zone: SECRET }, {}, plugin);
    expect(await problems(workplace)).toMatchObject([unknown('forecast'), { code: 'SETTING_MISSING' }]);
    expect(await problems(workplaceWith(undefined, { Settings: { forecast: { zone: SECRET } } }, plugin))).toEqual([]);
  });

  it('is a warning without a name where none is close, also from the environment', async () => {
    const workplace = workplaceWith({ zone: SECRET });
    const [found] = await problems(workplace, { env: { Plugins__Settings__elsewhere__key: 'x' } });
    expect(found).toMatchObject(unknown());
    expect(await problems(workplace)).toEqual([]);
  });

  it('is none while a plugin has not loaded, and when one plugin or one folder is checked', async () => {
    const workplace = misspelt();
    workplace.write('plugins/forecast.mjs', ERROR);
    expect(await problems(workplace)).not.toContainEqual(expect.objectContaining(unknown()));
    workplace.write('plugins/forecast.mjs', OTHER.replaceAll('other', 'forecast'));
    workplace.write('more/third.mjs', OTHER);
    for (const path of ['plugins/other.mjs', 'more']) {
      const { stdout } = await run(workplace, ['validate', path, '--json']);
      expect(JSON.parse(stdout).problems.map(({ code }: { code: string }) => code)).not.toContain(
        'SETTING_SECTION_UNKNOWN',
      );
    }
  });
});

describe('a mounted server whose settings refer to what is not set', () => {
  it('is disabled alone', async () => {
    const server = { command: 'node', args: ['server.mjs'], env: { KEY: `\${env:NOT_SET_ANYWHERE}` } };
    const workplace = workplaceWith({ zone: SECRET }, { McpServers: { notes: server } });
    expect(await run(workplace, ['call', 'other'])).toMatchObject({ code: 0 });
    expect(await problems(workplace)).toMatchObject([
      {
        severity: 'error',
        plugin: 'mcp.notes',
        code: 'SETTING_UNAVAILABLE',
        message: expect.stringContaining('Plugins.McpServers.notes.env.KEY'),
      },
    ]);
  });
});

describe('changed settings', () => {
  it('reach a running plugin under --watch, and are repaired as they were broken', async () => {
    const workplace = workplaceWith({ zone: SECRET });
    const child = startMortise(workplace, ['serve', '--watch', '--config', workplace.config]);
    const log = record(child.stderr);
    const results = record(child.stdout);
    let id = 0;
    const send = (method: string, params: object) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`);
    send('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '0' },
    });
    await results.untilOutput('"id":1');
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    const call = async () => {
      send('tools/call', { name: 'settings', arguments: {} });
      return JSON.parse(
        (await results.untilOutput(`"id":${id}`)).split('\n').find((line) => line.includes(`"id":${id}`))!,
      );
    };
    expect((await call()).result.structuredContent).toMatchObject({ metadata: { config: { retries: 3 } } });
    const write = (weather: object) =>
      workplace.write(
        'appsettings.json',
        JSON.stringify({ Plugins: { Settings: { weather } }, Dotnet: { Enabled: false } }),
      );
    const reloadsSoFar = () => log.text().match(/plugins reloaded/g)?.length ?? 0;
    let seen = 0;
    const reloaded = async () => {
      await expect.poll(reloadsSoFar).toBeGreaterThan(seen);
      seen = reloadsSoFar();
    };

    write({ zone: 'another long phrase', retries: 5 });
    await reloaded();
    const changed = await call();
    expect(changed.result.structuredContent.metadata).toMatchObject({
      config: { zone: '[REDACTED]', retries: 5 },
      length: 'another long phrase'.length,
    });

    write({ zone: 'another long phrase', retries: 'x' });
    await reloaded();
    expect(await log.untilOutput('SETTING_INVALID')).not.toContain('another long phrase');
    expect((await call()).result.structuredContent.errors).toMatchObject([{ code: 'PLUGIN_UNAVAILABLE' }]);

    write({ zone: 'another long phrase', retries: 8 });
    await reloaded();
    expect((await call()).result.structuredContent.metadata.config.retries).toBe(8);
  });
});
