import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runMortise } from '../packages/server/test/cli/run-mortise.js';
import { createWorkplace, linkNodeModules, ROOT } from './support/workplace.js';

const page = readFileSync(join(ROOT, 'docs/plugin-configuration.md'), 'utf8');
const examples = [...page.matchAll(/```js\n\/\/ (\S+)\n([\s\S]*?)```/g)].map(
  ([, path, code]) => [path!, code!] as const,
);
const [, settings = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
const [, message = ''] = /```text\n([\s\S]*?)```/.exec(page) ?? [];

function workplace(more: object = {}) {
  const { Plugins } = JSON.parse(settings);
  const place = createWorkplace(Object.fromEntries(examples), {
    Plugins: { Directory: 'plugins', Settings: { ...Plugins.Settings, ...more } },
  });
  linkNodeModules(place);
  return place;
}

it('the plugins of the page work with its settings', async () => {
  expect(examples.map(([path]) => path)).toEqual(['plugins/weather.mjs', 'plugins/notes.mjs', 'test/weather.test.mjs']);
  const place = workplace({ 'my-notes': { token: 'tangerine orange' } });
  const run = (...args: string[]) =>
    runMortise(place, [...args, '--config', place.config], {
      env: { WEATHER_KEY: 'four words long key', Plugins__Settings__weather__retries: '5' },
    });
  expect(JSON.parse((await run('call', 'favourites')).stdout)).toEqual({
    cities: ['Oslo', 'Rome'],
    retries: 5,
    key: 19,
  });
  await run('call', 'add_note', '--arg', 'text=one');
  expect(JSON.parse((await run('call', 'add_note', '--arg', 'text=two')).stdout)).toEqual({ notes: ['one', 'two'] });
});

it('the message of the page is the one that is shown', async () => {
  const place = workplace({ weather: {} });
  const { stdout } = await runMortise(place, ['validate', '--config', place.config]);
  expect(stdout).toContain(message.trim().replace('/home/ada/appsettings.json', place.config));
});

it('the test of the page passes', () => {
  const { folder } = workplace();
  const output = execFileSync(process.execPath, ['--test', join(folder, 'test/weather.test.mjs')], {
    encoding: 'utf8',
  });
  expect(output).toMatch(/^# pass 2$/m);
});
