import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { assertPlugin, openPlugin, runTool } from '@mortise/plugin/testing';
import { describe, expect, it } from 'vitest';
import { Greeting } from './fixtures/readme/greeting.js';
import * as weather from './fixtures/readme/weather.js';

const folder = new URL('./fixtures/readme/', import.meta.url);
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const examples = [...readme.matchAll(/```(?:js|ts)\n(\/\/ (\S+)\n[\s\S]*?)```/g)].map(([, code, name]) => [name, code]);

describe('the README', () => {
  it('quotes the files that run here, all of them and nothing else', () => {
    const files = readdirSync(folder).sort();
    expect(examples.map(([name]) => name).sort()).toEqual(files);
    expect(readme.match(/```(?:js|ts)\n/g)).toHaveLength(files.length);
  });

  it.each(examples)('quotes %s as it is', (name, code) => {
    expect(code).toBe(readFileSync(new URL(name!, folder), 'utf8'));
  });

  it('has a class tool that works', async () => {
    const result = await runTool(Greeting, { person: 'Ada' }, { config: { word: 'Hi' } });
    expect(result).toMatchObject({ text: 'Hi, Ada!', structured: { person: 'Ada' }, progress: [{ percent: 50 }] });
    expect((await runTool(Greeting, { person: ' ' })).error).toMatchObject({
      code: 'TOOL_ERROR',
      hint: expect.any(String),
    });
    await assertPlugin({ Greeting }, { samples: { greeting: { person: 'Ada' } } });
  });

  it('has defined tools that work', async () => {
    const plugin = await openPlugin(weather);
    expect((await plugin.callTool('weather', { city: 'Oslo' })).structured).toMatchObject({
      city: 'Oslo',
      degrees: 21,
    });
    expect((await plugin.callTool('forecast', { city: 'Oslo' })).text).toBe('Oslo: sun for 3 days');
    expect((await plugin.callTool('forecast', { city: 'Oslo', days: 9 })).error?.code).toBe('INVALID_PARAMS');
    const warm = await openPlugin(weather, { config: { unit: 'fahrenheit' } });
    expect((await warm.callTool('weather', { city: 'Oslo' })).structured).toMatchObject({ degrees: 70 });
    await assertPlugin(weather, { samples: { weather: { city: 'Oslo' }, forecast: { city: 'Oslo', days: 2 } } });
  });

  it('has tests that pass with the runner of Node.js and the built package', () => {
    const output = execFileSync(process.execPath, ['--test', fileURLToPath(new URL('notes.test.mjs', folder))], {
      encoding: 'utf8',
    });
    expect(output).toMatch(/^# pass 3$/m);
  });
});
