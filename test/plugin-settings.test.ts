import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type RunOptions, record, runMortise, startMortise } from '../packages/server/test/cli/run-mortise.js';
import { shared } from './support/clients.js';
import { createWorkplace, linkContract, type Workplace } from './support/workplace.js';

/** Its value looks like no secret: only the mark in the schema tells. */
const SECRET = 'tangerine orange lemon';

const WEATHER = `
import { definePlugin, secretString } from '@mortise/plugin';
export default definePlugin({
  config: {
    type: 'object',
    properties: {
      zone: secretString({ description: 'From your account.' }),
      retries: { type: 'integer', default: 3, minimum: 1 },
      cities: { type: 'array', items: { type: 'string' } },
      nested: { type: 'object', properties: { fast: { type: 'boolean' } } },
    },
    required: ['zone'],
  },
  register(api, config) {
    console.log('printed', config.zone);
    console.error('printed', config.zone);
    api.logger.info('logged ' + config.zone);
    api.registerTool({
      name: 'settings',
      description: 'Shows the settings of ' + config.zone,
      inputSchema: { type: 'object' },
      run: (_, { logger, progress }) => {
        logger.info('called with ' + config.zone);
        progress.report(10, config.zone);
        return { config, length: config.zone.length, text: 'it is ' + config.zone };
      },
    });
  },
});`;
const OTHER = `export function register(api) {
  api.registerTool({ name: 'other', description: 'd', inputSchema: { type: 'object' }, run: () => 'other works' });
}`;

function workplaceWith(weather: object | undefined, more: object = {}, plugin = WEATHER): Workplace {
  const Settings = weather === undefined ? {} : { Settings: { weather } };
  const workplace = createWorkplace(
    { 'plugins/weather.mjs': plugin, 'plugins/other.mjs': OTHER },
    { Plugins: { Directory: 'plugins', ...Settings, ...more } },
  );
  linkContract(workplace);
  return workplace;
}

const run = (workplace: Workplace, args: string[], options?: RunOptions) =>
  runMortise(workplace, [...args, '--config', workplace.config], options);

async function problems(workplace: Workplace, options?: RunOptions) {
  const { stdout } = await run(workplace, ['validate', '--json'], options);
  return (JSON.parse(stdout).problems as Record<string, unknown>[]).filter(
    ({ code }) => String(code).startsWith('SETTING') || String(code).startsWith('PLUGIN_NAME'),
  );
}

describe('the settings of a plugin', () => {
  it('reach it as they are, with defaults, and its secrets are shown nowhere', async () => {
    const workplace = workplaceWith({ zone: SECRET, cities: ['Oslo', 'Rome'], nested: { fast: true } });
    const called = await run(workplace, ['call', 'settings', '--structured', '--log-level', 'trace']);
    expect(JSON.parse(called.stdout).metadata).toMatchObject({
      config: { zone: '[REDACTED]', retries: 3, cities: ['Oslo', 'Rome'], nested: { fast: true } },
      length: SECRET.length,
      text: 'it is [REDACTED]',
    });
    const listed = await run(workplace, ['list', '--json']);
    expect(listed.stdout).toContain('Shows the settings of [REDACTED]');
    // Another start, where the list is remembered and the plugin's process starts at the call.
    const again = await run(workplace, ['call', 'settings', '--log-level', 'trace']);
    for (const text of [called, listed, again].flatMap(({ stdout, stderr }) => [stdout, stderr]))
      expect(text).not.toContain(SECRET);
    expect(again.stderr.match(/\[REDACTED\]/g)?.length).toBeGreaterThanOrEqual(3);
    const lock = join(workplace.folder, 'mortise.lock.json');
    expect(readFileSync(lock, 'utf8')).not.toContain(SECRET);
  });

  it('come from the environment too, as the types of the schema', async () => {
    const workplace = workplaceWith({ zone: `\${env:ZONE}`, retries: `\${env:TIMES}` });
    const env = { ZONE: SECRET, TIMES: '7', Plugins__Settings__weather__CITIES__0: 'Rome' };
    const { stdout } = await run(workplace, ['call', 'settings', '--structured'], { env });
    expect(JSON.parse(stdout).metadata.config).toEqual({ zone: '[REDACTED]', retries: 7, cities: ['Rome'] });
  });

  describe('where they are wrong', () => {
    const WRONG: Record<string, { settings?: object; code: string; message: RegExp }> = {
      missing: {
        code: 'SETTING_MISSING',
        message: /^Plugins\.Settings\.missing\.zone is missing: add it to .*appsettings\.json\.$/,
      },
      wrong: {
        settings: { zone: SECRET, retries: 0 },
        code: 'SETTING_INVALID',
        message: /^Plugins\.Settings\.wrong\.retries is wrong: must be at least 1\.$/,
      },
      text_for_number: {
        settings: { zone: SECRET, retries: '5' },
        code: 'SETTING_INVALID',
        message: /text_for_number\.retries is wrong: must be integer\.$/,
      },
      not_set: {
        settings: { zone: `\${env:NOT_SET_ANYWHERE}` },
        code: 'SETTING_UNAVAILABLE',
        message: /^Plugins\.Settings\.not_set\.zone: \$\{env:NOT_SET_ANYWHERE\} names/,
      },
    };
    const MISSPELT = { zone: SECRET, retires: 4 };
    const names = Object.keys(WRONG);
    /** A plugin for each, one whose settings are only misspelt, and one without settings. */
    const workplace = shared(async (finished) => {
      const plugins = Object.fromEntries([...names, 'misspelt'].map((name) => [`plugins/${name}.mjs`, WEATHER]));
      const Settings = {
        ...Object.fromEntries(names.map((name) => [name, WRONG[name]!.settings])),
        misspelt: MISSPELT,
      };
      const made = createWorkplace(
        { ...plugins, 'plugins/other.mjs': OTHER },
        { Plugins: { Directory: 'plugins', Settings } },
        finished,
      );
      linkContract(made);
      return made;
    });
    let validated: ReturnType<typeof problems> | undefined;
    const found = () => (validated ??= problems(workplace()));

    it.each(names)('says so with the place: %s', async (name) => {
      const { code, message } = WRONG[name]!;
      const own = (await found()).filter(({ plugin }) => plugin === name);
      expect(own).toMatchObject([{ severity: 'error', code, message: expect.stringMatching(message) }]);
      expect(JSON.stringify(own)).toContain('appsettings.json');
    });

    it('warns of one that it does not know, with the nearest name', async () => {
      expect((await found()).filter(({ plugin }) => plugin === 'misspelt')).toMatchObject([
        { severity: 'warning', code: 'SETTING_UNKNOWN', hint: 'Did you mean retries?' },
      ]);
    });

    it('disables these plugins alone', async () => {
      expect(await run(workplace(), ['call', 'other'])).toMatchObject({ code: 0, stdout: 'other works\n' });
      expect(await run(workplace(), ['call', 'settings'])).toMatchObject({ code: 0 });
      const { code, stderr } = await run(workplace(), ['call', 'setings']);
      expect(code).toBe(3);
      expect(stderr).toContain(`Not loaded: ${[...names].sort().join(', ')}`);
      const { stdout } = await run(workplace(), ['list']);
      for (const name of names) {
        expect(stdout).toContain(`✗ ${name}  not loaded`);
        expect(stdout).toContain(WRONG[name]!.code);
      }
    });
  });

  it('of another plugin are not given to it', async () => {
    const plugin = WEATHER.replace('definePlugin({', "definePlugin({ name: 'other',");
    expect(await problems(workplaceWith({ zone: SECRET }, {}, plugin))).toMatchObject([
      { severity: 'error', code: 'PLUGIN_NAME_DUPLICATE' },
    ]);
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
    expect((await call()).error).toBeDefined();

    write({ zone: 'another long phrase', retries: 8 });
    await reloaded();
    expect((await call()).result.structuredContent.metadata.config.retries).toBe(8);
  });
});

describe('the data folder of a plugin', () => {
  const COUNTER = `
import { readFileSync, writeFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
export function register(api) {
  api.registerTool({ name: 'count', description: 'd', inputSchema: { type: 'object' }, run() {
    const file = join(api.dataDir, 'count.txt');
    const count = existsSync(file) ? Number(readFileSync(file, 'utf8')) + 1 : 1;
    writeFileSync(file, String(count));
    return count + ' ' + api.dataDir;
  } });
}`;

  it('is made when it is first asked for, for its owner alone, and kept over restarts', async () => {
    const workplace = workplaceWith(undefined, {}, COUNTER);
    await run(workplace, ['list']);
    expect(existsSync(join(workplace.folder, 'home/.local'))).toBe(false);
    const [first, second] = [await run(workplace, ['call', 'count']), await run(workplace, ['call', 'count'])];
    const [count, folder = ''] = second.stdout.trim().split(/ (.*)/);
    expect(count).toBe('2');
    expect(first.stdout).toBe(`1 ${folder}\n`);
    expect(folder).toContain(join(workplace.folder, 'home'));
    expect(folder).not.toContain(join(workplace.folder, 'plugins'));
    if (process.platform !== 'win32') expect(statSync(folder).mode & 0o777).toBe(0o700);
  });
});
