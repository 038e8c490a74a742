import { assertPlugin, openPlugin } from '@mortise/plugin/testing';
import { describe, expect, it } from 'vitest';
import * as unitConverter from '../plugins/unit-converter.ts';

const plugin = (path: string) => new URL(`../plugins/${path}`, import.meta.url);

describe('each example is a plugin that servers and models can use', () => {
  it.each([
    ['greeting', plugin('greeting.mjs'), { hello: { name: 'Ada' }, welcome: { name: 'Ada' } }],
    ['weather', plugin('weather.cjs'), { 'weather.temperature': [{ city: 'Tokyo' }, { city: 'Atlantis' }] }],
    ['countdown', plugin('countdown/index.js'), { countdown: { from: 2, stepMs: 1 } }],
    ['unit converter', unitConverter, { convert_units: { value: 1, from: 'km', to: 'mile' } }],
  ])('%s', async (_, source, samples) => {
    await assertPlugin(source, { samples });
  });
});

describe('the greeting', () => {
  it('says hello', async () => {
    const { callTool } = await openPlugin(plugin('greeting.mjs'));
    expect((await callTool('hello', { name: 'Ada' })).text).toBe('Hello, Ada!');
  });

  it.each([
    [{ greeting: 'Welcome aboard' }, 'Welcome aboard, Ada!'],
    [{}, 'Welcome, Ada!'],
  ])('welcomes with the configuration %j', async (config, message) => {
    const { callTool } = await openPlugin(plugin('greeting.mjs'), { config });
    const { text, structured } = await callTool('welcome', { name: 'Ada' });
    expect({ text, structured }).toEqual({ text: message, structured: { name: 'Ada', message } });
  });
});

describe('the weather', () => {
  const template = 'weather://stations/{city}';

  it.each([
    [{}, 'London: 19 °C, overcast, humidity 62 %'],
    [{ weather: { unit: 'fahrenheit' } }, 'London: 66 °F, overcast, humidity 62 %'],
  ])('is given with the configuration %j', async (config, text) => {
    const { callTool } = await openPlugin(plugin('weather.cjs'), { config });
    const result = await callTool('weather.temperature', { city: 'london' });
    expect(result.text).toBe(text);
    expect(result.structured).toMatchObject({ metadata: { city: 'London', temperature: 19 } });
  });

  it('of an unknown city is an error that names the known ones', async () => {
    const { callTool } = await openPlugin(plugin('weather.cjs'));
    const { error, structured, text } = await callTool('weather.temperature', { city: 'Atlantis' });
    expect(error).toMatchObject({ code: 'TOOL_ERROR', message: 'Unknown city: Atlantis' });
    expect(structured).toMatchObject({
      metadata: { attempted: 'Atlantis', cities: expect.arrayContaining(['Tokyo']) },
    });
    expect(text).toContain('London, Nairobi');
  });

  it('is a resource too, with completion', async () => {
    const { readResource, complete } = await openPlugin(plugin('weather.cjs'));
    const { contents } = await readResource(template, { variables: { city: 'Tokyo' } });
    expect(contents).toMatchObject([
      { mimeType: 'application/json', text: expect.stringContaining('"temperature":26') },
    ]);
    expect((await readResource(template, { variables: { city: 'Atlantis' } })).error?.message).toContain('Atlantis');
    expect(await complete({ type: 'resource', uriTemplate: template }, 'city', 'n')).toEqual(['Nairobi']);
  });

  it('is the subject of a prompt, with completion', async () => {
    const { getPrompt, complete } = await openPlugin(plugin('weather.cjs'));
    const { messages } = await getPrompt('packing_list', { city: 'Nairobi' });
    expect(messages).toMatchObject([{ role: 'user', content: { text: expect.stringContaining('Nairobi') } }]);
    expect(await complete({ type: 'prompt', name: 'packing_list' }, 'city', 'RE')).toEqual(['Reykjavik']);
  });
});

describe('the countdown', () => {
  it('reports each step', async () => {
    const { callTool } = await openPlugin(plugin('countdown/index.js'));
    const { text, progress } = await callTool('countdown', { from: 4, stepMs: 1 });
    expect(text).toBe('Counted down from 4.');
    expect(progress).toMatchObject([
      { percent: 0, message: '4 to go' },
      { percent: 25, message: '3 to go' },
      { percent: 50, message: '2 to go' },
      { percent: 75, message: '1 to go' },
      { percent: 100, message: 'Lift-off' },
    ]);
  });

  it('stops when it is cancelled', async () => {
    const { callTool } = await openPlugin(plugin('countdown/index.js'));
    const cancel = new AbortController();
    const call = callTool('countdown', { from: 100, stepMs: 1000 }, { signal: cancel.signal });
    cancel.abort();
    const { isError, progress } = await call;
    expect({ isError, steps: progress.length }).toEqual({ isError: true, steps: 1 });
  });
});

describe('the unit converter', () => {
  it.each([
    [{ value: 26.2, from: 'mile', to: 'km' }, 42.1648128],
    [{ value: 2, from: 'pound', to: 'g' }, 907.18474],
    [{ value: -1, from: 'm', to: 'mm' }, -1000],
    [{ value: 0.3, from: 'm', to: 'm' }, 0.3],
  ])('converts %j to %d', async (args, value) => {
    const { structured } = await (await openPlugin(unitConverter)).callTool('convert_units', args);
    expect(structured).toEqual({ value, unit: args.to });
  });

  it('refuses to turn a mass into a length, and says what is possible', async () => {
    const { callTool } = await openPlugin(unitConverter);
    const { error } = await callTool('convert_units', { value: 1, from: 'kg', to: 'km' });
    expect(error).toMatchObject({
      code: 'UNITS_INCOMPATIBLE',
      category: 'Tool',
      hint: expect.stringContaining('g, kg, pound'),
    });
  });
});
