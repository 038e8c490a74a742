import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PluginDefinition } from '@mortise/plugin/runtime';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PIN_FILE } from '../../../src/plugins/pins/pin-file.js';
import { Pins, type PinsOptions } from '../../../src/plugins/pins/pins.js';
import { asIs, offering, temporaryFolder, tool } from './tools.js';

const FINE = { problems: [], isBlocked: false };

function setUp(onChange: PinsOptions['onChange'] = 'warn') {
  const folder = temporaryFolder();
  const file = join(folder, PIN_FILE);
  mkdirSync(join(folder, 'plugins'));
  const trustCommand = (name: string) => `mortise trust ${name} --config /c.json`;
  const plugin = (name: string) => {
    const path = join(folder, 'plugins', `${name}.mjs`);
    writeFileSync(path, '');
    return { name, path };
  };
  /** A start of the server. */
  const start = () => {
    const pins = new Pins({ file, onChange, redact: asIs, report: () => {}, trustCommand });
    onTestFinished(() => pins.close());
    return pins;
  };
  const pinned = () => JSON.parse(readFileSync(file, 'utf8')).plugins;
  return { folder, file, plugin, start, pinned };
}

const codes = ({ problems }: { problems: readonly { code: string }[] }) => problems.map(({ code }) => code);

describe.each(['warn', 'refuse'] as const)('a name that is pinned to one plugin, with OnChange %s,', (onChange) => {
  async function pinnedTo(name: string, definition = offering(tool('weather.today'))) {
    const folder = setUp(onChange);
    const owner = folder.plugin(name);
    const pins = folder.start();
    expect(pins.review(owner, definition)).toEqual(FINE);
    await pins.close();
    return { ...folder, owner };
  }

  it.each(['weather.today', 'weather_today'])('is not given to another as %s, whoever loads first', async (name) => {
    const { start, plugin, owner } = await pinnedTo('weather');
    const pins = start();
    const review = pins.review(plugin('aaa'), offering(tool(name), tool('other')));
    expect(review).toMatchObject({ isBlocked: false, withheld: new Set([name]) });
    expect(review.problems).toMatchObject([
      {
        severity: 'error',
        code: 'NAME_PINNED',
        message: `The tool '${name}' of ./plugins/aaa.mjs is refused: the name is pinned to ./plugins/weather.mjs`,
        hint: expect.stringContaining('`mortise trust aaa --config /c.json`'),
      },
    ]);
    expect(pins.review(owner, offering(tool('weather.today')))).toEqual(FINE);
  });

  it('stays so, start after start, when its plugin is gone; both places and the command are shown', async () => {
    const { start, plugin, owner } = await pinnedTo('weather');
    rmSync(owner.path);
    for (let item = 0; item < 2; item++) {
      const pins = start();
      const { problems, withheld } = pins.review(plugin('thief'), offering(tool('weather_today'), tool('other')));
      expect(withheld).toEqual(new Set(['weather_today']));
      expect(problems.map(({ message }) => message)).toEqual([
        "The tool 'weather_today' of ./plugins/thief.mjs is refused: the name is pinned to ./plugins/weather.mjs, which no longer exists",
      ]);
      expect(problems[0]!.hint).toContain('`mortise trust thief --config /c.json`');
      await pins.close();
    }
  });

  it('is given to it by trust, and is no longer the other one’s', async () => {
    const { start, plugin, owner, pinned } = await pinnedTo('weather');
    const pins = start();
    const heir = plugin('heir');
    pins.review(heir, offering(tool('weather.today')));
    expect(await pins.trust('heir')).toMatchObject({
      plugins: [{ name: 'heir', tools: 1, changes: [{ label: 'weather.today', kind: 'added' }] }],
    });
    expect(pins.review(heir, offering(tool('weather.today')))).toEqual(FINE);
    await pins.close();
    expect(Object.keys(pinned()['./plugins/heir.mjs'].tools)).toEqual(['weather.today']);
    expect(Object.keys(pinned()['./plugins/weather.mjs'].tools)).toEqual([]);
    const next = start();
    expect(next.review(heir, offering(tool('weather.today')))).toEqual(FINE);
    expect(codes(next.review(owner, offering(tool('weather.today'))))).toEqual(['NAME_PINNED']);
  });

  it('is withheld from a plugin that comes while the server runs', async () => {
    const { start, plugin } = setUp(onChange);
    const pins = start();
    expect(pins.review(plugin('one'), offering(tool('same')))).toEqual(FINE);
    // Whoever loads at the same start is settled by its order, as a duplicate.
    expect(pins.review(plugin('two'), offering(tool('same')))).toEqual(FINE);
    pins.settle();
    expect(codes(pins.review(plugin('three'), offering(tool('same'))))).toEqual(['NAME_PINNED']);
  });

  it('counts for prompts, resources and templates too', async () => {
    const definition: PluginDefinition = {
      tools: [],
      resources: [
        { uri: 'a://b', name: 'b', completes: [] },
        { uriTemplate: 'a://{c}', name: 'c', completes: [] },
      ],
      prompts: [{ name: 'p', arguments: [], completes: [] }],
      problems: [],
    };
    const { start, plugin } = await pinnedTo('notes', definition);
    const { withheld } = start().review(plugin('other'), definition);
    expect(withheld).toEqual(new Set(['resource a://b', 'resource a://{c}', 'prompt p']));
  });

  it('is a mounted server’s own below its prefix, whatever plugin had it', async () => {
    const { start } = await pinnedTo('thief', offering(tool('mcp_bank_transfer')));
    expect(start().review({ name: 'mcp.bank' }, offering(tool('mcp.bank.transfer')))).toEqual(FINE);
  });
});

describe('the pins of a plugin', () => {
  const full = (more: Partial<PluginDefinition> = {}): PluginDefinition => ({
    tools: [tool('t')],
    resources: [
      { uri: 'a://b', name: 'b', description: 'd', completes: [] },
      { uriTemplate: 'a://{c}', name: 'c', completes: ['c'] },
    ],
    prompts: [{ name: 'p', description: 'd', arguments: [{ name: 'x' }], completes: [] }],
    problems: [],
    ...more,
  });

  async function changed(more: Partial<PluginDefinition>) {
    const { start, plugin } = setUp();
    const weather = plugin('weather');
    const first = start();
    first.review(weather, full());
    await first.close();
    return start().review(weather, full(more));
  }

  it.each<[string, Partial<PluginDefinition>, string]>([
    [
      'a resource',
      { resources: [{ uri: 'a://b', name: 'b', description: 'evil', completes: [] }, full().resources[1]!] },
      '~ resource a://b (description)',
    ],
    ['a template', { resources: [full().resources[0]!] }, '- resource a://{c} (gone)'],
    [
      'a prompt',
      { prompts: [{ name: 'p', description: 'd', arguments: [{ name: 'x', required: true }], completes: [] }] },
      '~ prompt p (arguments)',
    ],
    ['the instructions of a server', { instructions: 'Use t first.' }, 'file (instructions)'],
    ['_meta of a tool', { tools: [tool('t', { _meta: { ui: { resourceUri: 'ui://t' } } })] }, '~ t (_meta)'],
    [
      'annotations of a resource',
      { resources: [{ ...full().resources[0]!, annotations: { priority: 1 } }, full().resources[1]!] },
      '~ resource a://b (annotations)',
    ],
  ])('cover %s', async (_, more, line) => {
    const { problems } = await changed(more);
    expect(problems).toMatchObject([{ code: 'PLUGIN_DEFINITION_CHANGED' }]);
    expect(problems[0]!.message).toMatch(/^(?:Its definition is|Its tools are) not what was pinned/);
    expect(problems[0]!.message).toContain(line);
  });

  it('do not cover the size of a resource, nor when it was changed last', async () => {
    const { start, plugin } = setUp();
    const weather = plugin('weather');
    const at = (size: number, lastModified: string) =>
      full({ resources: [{ ...full().resources[0]!, size, annotations: { priority: 1, lastModified } }] });
    const first = start();
    first.review(weather, at(1, '2026-01-01T00:00:00Z'));
    await first.close();
    expect(start().review(weather, at(2, '2026-01-02T00:00:00Z'))).toEqual(FINE);
  });

  it('do not cover what can be completed, which no one reads', async () => {
    expect(await changed({ prompts: [{ ...full().prompts[0]!, completes: ['x'] }] })).toEqual(FINE);
  });

  it('cover the file that the definition came from', async () => {
    const { folder, start, pinned } = setUp();
    const path = join(folder, 'plugins', 'weather');
    const weather = (file: string) => ({ name: 'weather', path, entry: join(path, file) });
    const first = start();
    first.review(weather('index.mjs'), full());
    await first.close();
    expect(pinned()['./plugins/weather'].file.definition).toEqual({ path: './plugins/weather/index.mjs' });
    const { problems } = start().review(weather('evil.mjs'), full());
    expect(problems[0]!.message).toContain('/path: "./plugins/weather/index.mjs" → "./plugins/weather/evil.mjs"');
    expect(start().review(weather('index.mjs'), full())).toEqual(FINE);
  });

  it('of a former version, which are of tools alone, are fine, and are completed', async () => {
    const { file, start, plugin, pinned } = setUp('refuse');
    const weather = plugin('weather');
    const first = start();
    first.review(weather, full());
    await first.close();
    const { tools } = pinned()['./plugins/weather.mjs'];
    writeFileSync(file, JSON.stringify({ version: 1, plugins: { './plugins/weather.mjs': { tools } } }));
    const next = start();
    expect(next.review(weather, full())).toEqual(FINE);
    await next.close();
    expect(Object.keys(pinned()['./plugins/weather.mjs'].resources)).toEqual(['a://b', 'a://{c}']);
    expect(start().review(weather, full({ prompts: [] })).isBlocked).toBe(true);
  });

  it('of a former version still show which tools changed', async () => {
    const { file, start, plugin, pinned } = setUp('refuse');
    const weather = plugin('weather');
    const first = start();
    first.review(weather, full());
    await first.close();
    const { tools } = pinned()['./plugins/weather.mjs'];
    writeFileSync(file, JSON.stringify({ version: 1, plugins: { './plugins/weather.mjs': { tools } } }));
    const { problems } = start().review(weather, full({ tools: [tool('t', { title: 'Evil' })] }));
    expect(problems[0]!.message).toMatch(/^Its tools are not what was pinned: 1 changed\n/);
  });
});
