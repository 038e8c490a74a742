import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shared } from './support/clients.js';
import {
  makeWrongWorkplace,
  problems,
  run,
  SECRET,
  WEATHER,
  WRONG,
  WRONG_NAMES,
  workplaceWith,
} from './weather-settings.js';

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

  describe('where they are wrong', () => {
    const workplace = shared(async (finished) => makeWrongWorkplace(finished));

    let validated: ReturnType<typeof problems> | undefined;
    const found = () => (validated ??= problems(workplace()));

    it.each(WRONG_NAMES)('says so with the place: %s', async (name) => {
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
  });

  it('of another plugin are not given to it', async () => {
    const plugin = WEATHER.replace('definePlugin({', "definePlugin({ name: 'other',");
    expect(await problems(workplaceWith({ zone: SECRET }, {}, plugin))).toMatchObject([
      { severity: 'error', code: 'PLUGIN_NAME_DUPLICATE' },
    ]);
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
