import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { RegisterApi } from '@mortise/plugin';
import { loadPlugin, type WatchedResource } from '@mortise/plugin/runtime';
import { afterEach, describe, expect, it } from 'vitest';
import type { ChangedList } from '../../../src/core/changed-lists.js';
import type { LoadRunner } from '../../../src/core/plugin-runner.js';
import type { LogLine } from '../../../src/log/log.js';
import { Catalog } from '../../../src/plugins/catalog/catalog.js';
import { fingerprint } from '../../../src/plugins/load/fingerprint.js';
import { withLoadTimeout } from '../../../src/run/shared/with-load-timeout.js';
import type { Settings } from '../../../src/settings/settings.js';
import { makeTree } from '../../make-tree.js';
import { pluginSettingsOf } from '../../plugin-settings.js';

type Register = (api: RegisterApi) => unknown;

interface Setting {
  nameStyle?: 'portable' | 'exact';
  loadTimeoutMs?: number;
  startWaitMs?: number;
  enabled?: boolean;
  directories?: (tree: string) => string[];
  packageJson?: Record<string, object>;
  /** Holds the loading of a plugin back. */
  before?: Record<string, Promise<unknown>>;
}

const open: Catalog[] = [];
afterEach(() => Promise.all(open.splice(0).map((catalog) => catalog.close())));

/** A catalog of plugins whose modules are here instead of in files: `{name: register}`. */
function catalogOf(plugins: Record<string, Register>, setting: Setting = {}) {
  const tree = makeTree({
    'plugins/.keep': '',
    ...Object.fromEntries(Object.keys(plugins).map((name) => [`plugins/${name}/index.js`, ''])),
    ...Object.fromEntries(
      Object.entries(setting.packageJson ?? {}).map(([name, json]) => [
        `plugins/${name}/package.json`,
        JSON.stringify(json),
      ]),
    ),
  });
  const logged: LogLine[] = [];
  const at = (level: LogLine['level']) => (message: string, fields?: Record<string, unknown>) =>
    logged.push({ level, message, ...(fields && { fields }) });
  const updated: string[] = [];
  const watched: string[] = [];
  const loadRunner: LoadRunner = async (candidate, host) => {
    await setting.before?.[candidate.name];
    const runner = await loadPlugin(
      { register: plugins[candidate.name]! },
      {
        file: candidate.entry,
        host: {
          ...host,
          server: { name: 'test', version: '0' },
          processes: { environment: {}, own: () => ({ remove() {} }) },
        },
      },
    );
    const watchResource = ({ uri }: WatchedResource) => void watched.push(uri);
    const resource = { key: 'test://watched', uri: 'test://watched', variables: {} };
    Object.defineProperty(runner, 'watched', { value: [resource] });
    return {
      runner: Object.assign(runner, { watchResource }),
      fingerprint: fingerprint(candidate),
    };
  };
  const catalog = new Catalog({
    settings: {
      Plugins: {
        Enabled: setting.enabled ?? true,
        Directory: setting.directories?.(tree) ?? [join(tree, 'plugins')],
        LoadTimeoutMs: setting.loadTimeoutMs ?? 5_000,
        StartWaitMs: setting.startWaitMs ?? 60_000,
      },
      Tools: { NameStyle: setting.nameStyle ?? 'portable' },
    } as unknown as Settings,
    log: { trace: at('trace'), debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
    pluginSettings: pluginSettingsOf({ key: 'value' }),
    loadRunner: withLoadTimeout(loadRunner, {
      loadTimeoutMs: setting.loadTimeoutMs ?? 5_000,
      hint: 'Raise Plugins.LoadTimeoutMs.',
    }),
  });
  catalog.start({
    onLog: (plugin, entry) => logged.push({ level: entry.level, message: `${plugin}: ${entry.message}` }),
    onResourceUpdated: (uri) => updated.push(uri),
  });
  open.push(catalog);
  return { catalog, logged, updated, watched, tree };
}

const tool = (name: string, more: object = {}) => ({
  name,
  description: name,
  inputSchema: { type: 'object' },
  run: () => name,
  ...more,
});
const offering =
  (...names: string[]): Register =>
  (api) => {
    for (const name of names) api.registerTool(tool(name));
  };
const wireNames = (catalog: Catalog) => catalog.snapshot().tools.map(({ wireName }) => wireName);
const statusOf = (catalog: Catalog, name: string) => catalog.snapshot().plugins.find((plugin) => plugin.name === name)!;

/** A catalog of one plugin that registers nothing yet; `api` is what it was given. */
function catalogOfOne() {
  const apis: RegisterApi[] = [];
  const { catalog } = catalogOf({ a: (api) => apis.push(api) });
  return { catalog, api: () => apis[0]! };
}

function deferred() {
  let resolve!: () => void;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** The next change that the catalog tells of. */
function nextChange(catalog: Catalog): Promise<readonly ChangedList[]> {
  return new Promise((resolve) => {
    const stop = catalog.onChange((lists) => {
      stop();
      resolve(lists);
    });
  });
}

describe('a snapshot', () => {
  it('has the tools in the order of their wire names, and finds them by either spelling', async () => {
    const { catalog } = catalogOf({ b: offering('weather.now', 'add'), a: offering('zip') });
    await catalog.ready();
    const snapshot = catalog.snapshot();
    expect(wireNames(catalog)).toEqual(['add', 'weather_now', 'zip']);
    expect(snapshot.findTool('weather.now')).toBe(snapshot.findTool('weather_now'));
    expect(snapshot.findTool('weather-now')).toBeUndefined();
    expect(snapshot.findTool('constructor')).toBeUndefined();
    expect(snapshot.findTool('zip')).toMatchObject({
      name: 'zip',
      wireName: 'zip',
      plugin: 'a',
      definition: { origin: 'registerTool' },
    });
  });

  it('is the same one until something changes', async () => {
    const { catalog } = catalogOf({ a: offering('one') });
    await catalog.ready();
    expect(catalog.snapshot()).toBe(catalog.snapshot());
  });

  it('shows names as they are in style exact, and still finds the portable spelling', async () => {
    const { catalog } = catalogOf({ a: offering('weather.now') }, { nameStyle: 'exact' });
    await catalog.ready();
    expect(wireNames(catalog)).toEqual(['weather.now']);
    expect(catalog.snapshot().findTool('weather_now')?.name).toBe('weather.now');
  });

  it('lets a plugin choose its own style', async () => {
    const packageJson = { a: { mortise: { nameStyle: 'exact' } } };
    const { catalog } = catalogOf({ a: offering('a.x'), b: offering('b.x') }, { packageJson });
    await catalog.ready();
    expect(wireNames(catalog)).toEqual(['a.x', 'b_x']);
  });

  it('advertises an output schema that errors fit too', async () => {
    const { catalog } = catalogOf({
      a: (api) => api.registerTool(tool('a', { outputSchema: { type: 'object', required: ['n'] } })),
    });
    await catalog.ready();
    expect(catalog.snapshot().findTool('a')?.advertisedOutputSchema).toMatchObject({
      type: 'object',
      anyOf: [{ required: ['n'] }, {}],
    });
  });

  it('has resources, templates and prompts', async () => {
    const register: Register = (api) => {
      api.registerResource({ uri: 'test://b', name: 'b', read: () => 'b' });
      api.registerResource({ uri: 'test://a', name: 'a', read: () => 'a' });
      api.registerResource({ uriTemplate: 'test://{id}', name: 't', read: () => 't' });
      api.registerPrompt({ name: 'ask', get: () => 'ask' });
    };
    const { catalog } = catalogOf({ a: register });
    await catalog.ready();
    const { resources, templates, prompts, findPrompt } = catalog.snapshot();
    expect(resources.map(({ definition }) => definition.uri)).toEqual(['test://a', 'test://b']);
    expect(templates.map(({ definition }) => definition.uriTemplate)).toEqual(['test://{id}']);
    expect(findPrompt('ask')).toBe(prompts[0]);
    expect(statusOf(catalog, 'a')).toMatchObject({
      state: 'loaded',
      resources: ['test://a', 'test://b', 'test://{id}'],
      prompts: ['ask'],
    });
  });
});

describe('two of one name', () => {
  it('the first in the order of plugin names stays, the later is refused with both origins', async () => {
    const later = deferred();
    const registerFirst: Register = (api) => {
      offering('same', 'other')(api);
      later.resolve();
    };
    const { catalog, tree, logged } = catalogOf(
      { b: registerFirst, a: offering('same') },
      { before: { a: later.promise } },
    );
    await catalog.ready();
    expect(catalog.snapshot().findTool('same')?.plugin).toBe('a');
    expect(statusOf(catalog, 'a')).toMatchObject({ tools: ['same'], problems: [] });
    const { problems, tools, state } = statusOf(catalog, 'b');
    expect({ tools, state }).toEqual({ tools: ['other'], state: 'loaded' });
    const file = (name: string) => join(tree, 'plugins', name, 'index.js');
    expect(problems).toMatchObject([
      {
        severity: 'error',
        code: 'TOOL_NAME_DUPLICATE',
        hint: expect.stringContaining('Rename'),
        location: { file: file('b'), subject: 'same' },
      },
    ]);
    expect(problems[0]!.message).toContain(file('a'));
    expect(problems[0]!.message).toContain(file('b'));
    expect(logged.filter(({ fields }) => fields?.code === 'TOOL_NAME_DUPLICATE')).toMatchObject([
      { level: 'error', fields: { plugin: 'b' } },
    ]);
  });

  it.each([
    ['spelled apart, seen as one', offering('x.y'), offering('x_y')],
    ['spelled alike', offering('x.y'), offering('x.y')],
  ])('counts names that clients see as the same: %s', async (_, a, b) => {
    const { catalog } = catalogOf({ a, b });
    await catalog.ready();
    expect(wireNames(catalog)).toEqual(['x_y']);
    expect(statusOf(catalog, 'b')).toMatchObject({ state: 'failed', problems: [{ code: 'TOOL_NAME_DUPLICATE' }] });
  });

  it('counts the authors’ names, too, where styles differ', async () => {
    const packageJson = { a: { mortise: { nameStyle: 'exact' } } };
    const { catalog } = catalogOf({ a: offering('x.y'), b: offering('x.y') }, { packageJson });
    await catalog.ready();
    expect(wireNames(catalog)).toEqual(['x.y']);
    expect(statusOf(catalog, 'b').problems).toMatchObject([{ code: 'TOOL_NAME_DUPLICATE' }]);
  });

  it('does not take a dotted and an underscored name for one in style exact', async () => {
    const { catalog } = catalogOf({ a: offering('x.y', 'x_y') }, { nameStyle: 'exact' });
    await catalog.ready();
    expect(wireNames(catalog)).toEqual(['x.y', 'x_y']);
    expect(catalog.snapshot().findTool('x_y')?.name).toBe('x_y');
  });

  it('holds for resources, templates and prompts', async () => {
    const register: Register = (api) => {
      api.registerResource({ uri: 'test://a', name: 'a', read: () => 'a' });
      api.registerResource({ uriTemplate: 'test://{id}', name: 't', read: () => 't' });
      api.registerPrompt({ name: 'ask', get: () => 'ask' });
    };
    const { catalog } = catalogOf({ a: register, b: register });
    await catalog.ready();
    const codes = statusOf(catalog, 'b').problems.map(({ code }) => code);
    expect(codes).toEqual(['RESOURCE_DUPLICATE', 'RESOURCE_DUPLICATE', 'PROMPT_DUPLICATE']);
    expect(catalog.snapshot().resources).toHaveLength(1);
  });
});

describe('loading', () => {
  it('gives each plugin its folder, its configuration and ways out', async () => {
    const seen: unknown[] = [];
    const register: Register = (api) => {
      seen.push(api.getPluginsDir(), api.getConfig('key'));
      api.logger.info('hello');
      api.resourceUpdated('test://a');
    };
    const { catalog, tree, logged, updated } = catalogOf({ a: register });
    await catalog.ready();
    expect(seen).toEqual([join(tree, 'plugins'), 'value']);
    expect(logged).toContainEqual({ level: 'info', message: 'a: hello' });
    expect(updated).toEqual(['test://a']);
  });

  it('lists a plugin without tools, and not as an error', async () => {
    const { catalog, logged } = catalogOf({ a: () => {} });
    await catalog.ready();
    expect(statusOf(catalog, 'a')).toMatchObject({ state: 'no tools', problems: [], loadMs: expect.any(Number) });
    expect(logged).toEqual([]);
  });

  it('shows a plugin as loading until it is loaded', async () => {
    const { catalog } = catalogOf({ a: offering('one') });
    expect(statusOf(catalog, 'a').state).toBe('loading');
    await catalog.ready();
    expect(statusOf(catalog, 'a').state).toBe('loaded');
  });

  it('waits for a plugin no longer than its time, and lets it join later', async () => {
    const afterTimeout = deferred();
    const { catalog } = catalogOf(
      { slow: offering('slow'), quick: offering('quick') },
      { loadTimeoutMs: 500, before: { slow: afterTimeout.promise } },
    );
    await catalog.ready();
    expect(wireNames(catalog)).toEqual(['quick']);
    expect(statusOf(catalog, 'slow')).toMatchObject({
      state: 'failed',
      problems: [
        {
          code: 'PLUGIN_LOAD_TIMEOUT',
          message: expect.stringContaining('500 ms'),
          hint: expect.stringContaining('Plugins.LoadTimeoutMs'),
        },
      ],
    });
    const change = nextChange(catalog);
    afterTimeout.resolve();
    expect(await change).toEqual(['tools']);
    expect(wireNames(catalog)).toEqual(['quick', 'slow']);
    expect(statusOf(catalog, 'slow')).toMatchObject({ state: 'loaded', problems: [] });
  });

  it('answers lists after the wait at the start, and lets others join by one change', async () => {
    const hanging = deferred();
    const slow = deferred();
    const { catalog, logged } = catalogOf(
      { hanging: offering('h'), quick: offering('q'), slow: offering('s', 'same'), slower: offering('same', 't') },
      {
        startWaitMs: 100,
        loadTimeoutMs: 60_000,
        before: { hanging: hanging.promise, slow: slow.promise, slower: slow.promise },
      },
    );
    let isReady = false;
    void catalog.ready().then(() => {
      isReady = true;
    });
    await catalog.listed();
    expect(isReady).toBe(false);
    expect(wireNames(catalog)).toEqual(['q']);
    expect(statusOf(catalog, 'hanging').state).toBe('loading');
    expect(logged).toContainEqual(
      expect.objectContaining({ level: 'warn', fields: { plugins: ['hanging', 'slow', 'slower'] } }),
    );
    const changes: (readonly ChangedList[])[] = [];
    catalog.onChange((lists) => changes.push(lists));
    const change = nextChange(catalog);
    slow.resolve();
    expect(await change).toEqual(['tools']);
    expect(wireNames(catalog)).toEqual(['q', 's', 'same', 't']);
    expect(changes).toEqual([['tools']]);
    const last = nextChange(catalog);
    hanging.resolve();
    expect(await last).toEqual(['tools']);
    await catalog.ready();
    expect(wireNames(catalog)).toEqual(['h', 'q', 's', 'same', 't']);
  });

  it('does not let a late plugin take a name away', async () => {
    const afterTimeout = deferred();
    const { catalog } = catalogOf(
      { a: offering('same', 'more'), b: offering('same') },
      { loadTimeoutMs: 30, before: { a: afterTimeout.promise } },
    );
    await catalog.ready();
    const change = nextChange(catalog);
    afterTimeout.resolve();
    await change;
    expect(catalog.snapshot().findTool('same')?.plugin).toBe('b');
    expect(statusOf(catalog, 'a')).toMatchObject({ tools: ['more'], problems: [{ code: 'TOOL_NAME_DUPLICATE' }] });
  });

  it('does not wait for a plugin whose loader fails', async () => {
    const failing = Promise.reject(new Error('spawn E2BIG'));
    failing.catch(() => {});
    const { catalog } = catalogOf({ a: offering('one'), b: offering('two') }, { before: { a: failing } });
    await catalog.ready();
    expect(wireNames(catalog)).toEqual(['two']);
    expect(statusOf(catalog, 'a')).toMatchObject({
      state: 'failed',
      problems: [{ message: expect.stringContaining('spawn E2BIG') }],
    });
  });

  it('gives up plugins that never load', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `p${i}`);
    const never = new Promise(() => {});
    const plugins = Object.fromEntries(names.map((name) => [name, offering(name)]));
    const { catalog } = catalogOf(plugins, {
      loadTimeoutMs: 100,
      before: Object.fromEntries(names.map((name) => [name, never])),
    });
    await catalog.ready();
    expect(wireNames(catalog)).toEqual([]);
  });
});

describe('changes', () => {
  it('tells which lists did change, once for all of one tick', async () => {
    const { catalog, api } = catalogOfOne();
    await catalog.ready();
    const changes: (readonly ChangedList[])[] = [];
    catalog.onChange((lists) => changes.push(lists));
    const change = nextChange(catalog);
    api().registerTool(tool('one'));
    api().registerTool(tool('two'));
    api().registerPrompt({ name: 'ask', get: () => 'ask' });
    await change;
    expect(changes).toEqual([['tools', 'prompts']]);
    expect(wireNames(catalog)).toEqual(['one', 'two']);
  });

  it('keeps quiet when nothing did change in the end', async () => {
    const { catalog, api } = catalogOfOne();
    await catalog.ready();
    const changes: unknown[] = [];
    catalog.onChange((lists) => changes.push(lists));
    api().registerTool(tool('one')).remove();
    // Changes are told of in the same turn.
    await setTimeout(20);
    expect(changes).toEqual([]);
  });

  it('gives a name that became free to the one that was refused', async () => {
    let registration: { remove(): void } | undefined;
    const first: Register = (api) => {
      registration = api.registerTool(tool('same', { description: 'of a' }));
    };
    const { catalog } = catalogOf({ a: first, b: offering('same') });
    await catalog.ready();
    const change = nextChange(catalog);
    registration?.remove();
    expect(await change).toEqual(['tools']);
    expect(catalog.snapshot().findTool('same')?.plugin).toBe('b');
    expect(statusOf(catalog, 'b').problems).toEqual([]);
  });
});

describe('a reload', () => {
  const touch = (tree: string, plugin: string, text = '//') =>
    writeFileSync(join(tree, 'plugins', plugin, 'index.js'), text);

  it('leaves a name to the plugin that has it', async () => {
    let name = 'other';
    const { catalog, tree } = catalogOf({ a: (api) => void api.registerTool(tool(name)), b: offering('same') });
    await catalog.ready();
    name = 'same';
    touch(tree, 'a');
    expect(await catalog.reload()).toMatchObject({ changed: ['a'] });
    expect(catalog.snapshot().findTool('same')?.plugin).toBe('b');
    touch(tree, 'b');
    expect(await catalog.reload()).toMatchObject({ changed: ['b'] });
    expect(catalog.snapshot().findTool('same')?.plugin).toBe('b');
    expect(statusOf(catalog, 'a')).toMatchObject({ tools: [], problems: [{ code: 'TOOL_NAME_DUPLICATE' }] });
  });

  it('is not undone by older code that took longer to load', async () => {
    const afterTimeout = deferred();
    const before: Record<string, Promise<unknown>> = { a: afterTimeout.promise };
    const disposed: string[] = [];
    const names = ['new', 'old'];
    const a: Register = (api) => {
      const name = names.shift()!;
      api.registerTool(tool(name));
      api.onDispose(() => void disposed.push(name));
    };
    const { catalog, tree } = catalogOf({ a }, { loadTimeoutMs: 50, before });
    await catalog.ready();
    delete before.a;
    touch(tree, 'a');
    await catalog.reload();
    expect(wireNames(catalog)).toEqual(['new']);
    afterTimeout.resolve();
    await expect.poll(() => disposed).toEqual(['old']);
    expect(wireNames(catalog)).toEqual(['new']);
    expect(statusOf(catalog, 'a')).toMatchObject({ state: 'loaded', problems: [] });
  });

  it('lets a plugin continue whose package.json is broken or names another entry that does not load yet', async () => {
    const { catalog, tree } = catalogOf({ a: offering('one') }, { packageJson: { a: { main: 'index.js' } } });
    await catalog.ready();
    const changes: unknown[] = [];
    catalog.onChange((lists) => changes.push(lists));
    const manifest = join(tree, 'plugins/a/package.json');
    writeFileSync(manifest, '{');
    expect(await catalog.reload()).toEqual({ added: [], changed: [], removed: [], failed: ['a'] });
    expect(wireNames(catalog)).toEqual(['one']);
    expect(statusOf(catalog, 'a')).toMatchObject({ state: 'loaded', problems: [{ severity: 'error' }] });
    writeFileSync(join(tree, 'plugins/a/other.js'), '');
    writeFileSync(manifest, JSON.stringify({ main: 'other.js' }));
    expect(await catalog.reload()).toEqual({ added: [], changed: ['a'], removed: [], failed: [] });
    expect(statusOf(catalog, 'a')).toMatchObject({ state: 'loaded', problems: [] });
    expect(changes).toEqual([]);
  });
});

describe('the folders', () => {
  it('are left alone when plugins are switched off', async () => {
    const { catalog } = catalogOf({ a: offering('one') }, { enabled: false });
    await catalog.ready();
    expect(catalog.snapshot().plugins).toEqual([]);
  });

  it('are read once each, and a missing one is a warning', async () => {
    const directories = (tree: string) => [join(tree, 'plugins'), join(tree, 'plugins'), join(tree, 'none')];
    const { catalog, logged, tree } = catalogOf({ a: offering('one') }, { directories });
    await catalog.ready();
    expect(catalog.snapshot().plugins).toHaveLength(1);
    expect(catalog.problems()).toMatchObject([
      { code: 'PLUGIN_UNREADABLE', severity: 'warning', location: { file: join(tree, 'none') } },
    ]);
    expect(logged).toMatchObject([
      { level: 'warn', fields: { code: 'PLUGIN_UNREADABLE', hint: expect.stringContaining('mortise new') } },
    ]);
  });
});

it('the newer code of a plugin watches the resources that its older code watched', async () => {
  const { catalog, watched } = catalogOf({ a: offering('a') });
  await catalog.ready();
  expect(watched).toEqual([]);
  await catalog.reload([], 'a');
  expect(watched).toEqual(['test://watched']);
});

describe('close', () => {
  it('disposes of every plugin', async () => {
    const disposed: string[] = [];
    const disposing =
      (name: string): Register =>
      (api) =>
        api.onDispose(() => void disposed.push(name));
    const { catalog } = catalogOf({ a: disposing('a'), b: disposing('b') });
    await catalog.ready();
    await catalog.close();
    expect(disposed.sort()).toEqual(['a', 'b']);
  });

  it('does not wait for a plugin that never ends', async () => {
    const { catalog } = catalogOf({ a: (api) => api.onDispose(() => new Promise(() => {})) });
    await catalog.ready();
    await catalog.close();
  });

  it('waits for nothing that is still loading', async () => {
    const loading = deferred();
    const before = {
      get a() {
        loading.resolve();
        return new Promise(() => {});
      },
    };
    const { catalog } = catalogOf({ a: offering('one') }, { before, loadTimeoutMs: 60_000 });
    await loading.promise;
    await catalog.close();
    await catalog.ready();
    expect(wireNames(catalog)).toEqual([]);
  });

  it('disposes of what loads afterwards', async () => {
    const afterTimeout = deferred();
    const disposed = deferred();
    const { catalog } = catalogOf(
      { a: (api) => api.onDispose(disposed.resolve) },
      { before: { a: afterTimeout.promise }, loadTimeoutMs: 20 },
    );
    await catalog.ready();
    await catalog.close();
    afterTimeout.resolve();
    await disposed.promise;
    expect(wireNames(catalog)).toEqual([]);
  });
});
