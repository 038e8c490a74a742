import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CallContext, defineTool, fail, type ITool, ok, PluginContext, type RegisterApi } from '@mortise/plugin';
import { assertPlugin, checkPlugin, openPlugin, runTool } from '@mortise/plugin/testing';
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'mortise-testing-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

class Greeting implements ITool {
  readonly name = 'greeting';
  readonly title = 'Greeting';
  readonly description = 'Says hello.';
  readonly inputSchema = { type: 'object', properties: { name: { type: 'string', description: 'Whom to greet.' } } };
  constructor(readonly context: PluginContext) {}
  async executeAsync(args: Record<string, unknown> | null) {
    return ok(`${this.context.getConfig('word') ?? 'Hello'} ${args?.name ?? 'you'}`);
  }
}

describe('runTool', () => {
  it('runs a class with configuration', async () => {
    const result = await runTool(Greeting, { name: 'Ada' }, { config: { word: 'Hi' } });
    expect(result).toEqual({
      isError: false,
      text: 'Hi Ada',
      content: [{ type: 'text', text: 'Hi Ada' }],
      errors: [],
      progress: [],
      logs: [],
    });
  });

  it('runs an object and a registered tool, and records progress and log lines', async () => {
    expect((await runTool(new Greeting(new PluginContext()))).text).toBe('Hello you');
    const result = await runTool({
      name: 'work',
      run: (_: unknown, { progress, logger }) => {
        progress.report(50, 'half');
        progress.report(100);
        progress.report({ done: 3, total: 4 });
        progress.report({ done: 5 });
        logger.info('done', { n: 1 });
        return { a: 1 };
      },
    });
    expect(result).toMatchObject({
      text: '{\n  "a": 1\n}',
      structured: { content: '{\n  "a": 1\n}', metadata: { a: 1 } },
      progress: [
        { percent: 50, done: 50, total: 100, message: 'half' },
        { percent: 100 },
        { percent: 75, done: 3, total: 4 },
        { done: 5 },
      ],
      logs: [{ level: 'info', message: 'done', fields: { n: 1 } }],
    });
  });

  it('tells the tool who calls', async () => {
    const who = { name: 'who', run: (_: unknown, { caller }: CallContext) => caller };
    expect((await runTool(who)).structured).toMatchObject({
      metadata: { client: { name: 'test', version: '1' }, requestId: '1' },
    });
    expect((await runTool(who, {}, { caller: { principal: 'ci' } })).structured).toMatchObject({
      metadata: { principal: 'ci', requestId: '1' },
    });
  });

  it('shows structured content as a client sees it', async () => {
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
    const blocks = await runTool({
      name: 'b',
      run: () => ({ content: [{ type: 'text', text: 't' }, image], metadata: { a: 1 } }),
    });
    expect(blocks.structured).toEqual({
      content: [
        { type: 'text', text: 't' },
        { type: 'image', mimeType: 'image/png' },
      ],
      metadata: { a: 1 },
    });
    const typed = await runTool({ name: 'b', outputSchema: { type: 'object' }, run: () => ({ a: 1 }) });
    expect(typed.structured).toEqual({ a: 1 });
  });

  it('shows a failure as an ErrorResponse', async () => {
    const result = await runTool({
      name: 'f',
      run: () => fail('no', { code: 'NO', structured: { tried: 1 }, metadata: { m: 1 } }),
    });
    expect(result).toMatchObject({ isError: true, text: 'no', error: { code: 'NO' } });
    expect(result.structured).toEqual({
      tried: 1,
      success: false,
      errors: result.errors,
      exitCode: -1,
      metadata: { m: 1 },
    });
    expect((await runTool({ name: 'f', run: () => ({ error: { a: 1 } }) })).error?.message).toBe('{"a":1}');
  });

  it('passes the signal', async () => {
    const result = await runTool(
      { name: 's', run: (_: unknown, { signal }) => `${signal.aborted}` },
      {},
      { signal: AbortSignal.abort() },
    );
    expect(result.error).toMatchObject({ code: 'OPERATION_CANCELLED', rawOutput: 'true' });
  });

  it('says why a tool cannot be loaded', async () => {
    await expect(runTool({ name: 'bad name', run: () => '' })).rejects.toThrow(/TOOL_NAME_INVALID.*Use 1 to 128/s);
  });

  const asking = {
    name: 'ask',
    run: async (_: unknown, { input }: import('@mortise/plugin').CallContext) => {
      const first = await input.elicit('first', { message: 'First?', schema: { type: 'object' } });
      const second = await input.elicit('second', {
        message: `After ${first.content?.v}?`,
        schema: { type: 'object' },
      });
      return `${first.content?.v} ${second.action}`;
    },
  };

  it.each(['ask', 'retry'] as const)('answers questions in mode %s, by value or by function', async (inputMode) => {
    const result = await runTool(
      asking,
      {},
      {
        inputMode,
        answers: {
          first: { action: 'accept', content: { v: 1 } },
          second: ({ message }) => ({ action: message === 'After 1?' ? 'decline' : 'cancel' }),
        },
      },
    );
    expect(result.text).toBe('1 decline');
    await expect(runTool(asking, {}, { inputMode })).rejects.toThrow(
      "The tool asked 'first' (elicitation/create), and the test has no answer",
    );
  });

  it('ends a tool that asks forever', async () => {
    let n = 0;
    const restless = {
      name: 'r',
      run: async (_: unknown, { input }: import('@mortise/plugin').CallContext) => input.roots(`k${n++}`),
    };
    const answers = new Proxy(
      {},
      {
        getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true, value: { roots: [] } }),
        get: () => ({ roots: [] }),
      },
    );
    await expect(runTool(restless, {}, { inputMode: 'retry', answers })).rejects.toThrow('still asks after 20 rounds');
  });

  it('shows what a client lacks', async () => {
    const result = await runTool(asking, {}, { clientCapabilities: {} });
    expect(result).toMatchObject({
      error: { code: 'CAPABILITY_NOT_AVAILABLE' },
      requiredCapabilities: { elicitation: { form: {} } },
    });
  });
});

/** What lists may not give. */
const LISTS = {
  throws: () => {
    throw new Error('no database');
  },
  text: () => 'text',
  nameless: () => [{ uri: 'nameless://1' }],
  elsewhere: () => [{ uri: 'other://1', name: 'Other' }],
};

describe('openPlugin', () => {
  const register = (api: RegisterApi) => {
    api.registerTool({
      name: 'a',
      description: 'd',
      inputSchema: { type: 'object' },
      run: () => api.reloadPlugins().then(() => 'reloaded'),
    });
    api.registerResource({
      uriTemplate: 'notes://{day}',
      name: 'notes',
      read: (uri) => {
        api.resourceUpdated(uri);
        return uri;
      },
      list: () => {
        api.resourceListChanged();
        return [{ uri: 'notes://monday', name: 'Monday' }];
      },
    });
    for (const [scheme, list] of Object.entries(LISTS))
      api.registerResource({ uriTemplate: `${scheme}://{id}`, name: scheme, read: () => null, list: list as never });
    api.registerPrompt({
      name: 'p',
      arguments: [{ name: 'x', complete: (value) => [`${value}!`] }],
      get: ({ x }) => ({ description: 'd', messages: [{ role: 'user', content: { type: 'text', text: x ?? '' } }] }),
    });
    api.onDispose(() => api.logger.info('disposed'));
  };

  it('runs watch of a resource while somebody is subscribed, and logs what it throws', async () => {
    const events: string[] = [];
    const plugin = await openPlugin({
      register(api: RegisterApi) {
        api.registerResource({
          uriTemplate: 'room://{id}',
          name: 'room',
          read: () => '',
          watch(uri, { id }, { signal }) {
            if (id === 'broken') throw new Error('no sensor');
            events.push(`begin ${id}`);
            api.resourceUpdated(uri);
            signal.addEventListener('abort', () => events.push(`end ${id}`));
          },
        });
        api.registerResource({ uri: 'still://life', name: 'still', read: () => '' });
      },
    });
    const end = await plugin.subscribe('room://7');
    await plugin.subscribe('room://7');
    await plugin.subscribe('still://life');
    expect([events, plugin.updatedResources]).toEqual([['begin 7'], ['room://7']]);
    end();
    await plugin.subscribe('room://8');
    await plugin.subscribe('room://broken');
    await plugin.dispose();
    expect(events).toEqual(['begin 7', 'end 7', 'begin 8', 'end 8']);
    expect(plugin.logs).toMatchObject([{ level: 'error', message: 'watch of room://broken threw: no sensor' }]);
    await expect(plugin.subscribe('hall://1')).rejects.toThrow('The plugin has no resource hall://1.');
  });

  it('lists the resources of a template, and says what is wrong with a list', async () => {
    const plugin = await openPlugin({ register });
    const listed = await plugin.listResources('notes://{day}');
    expect(listed).toMatchObject({ resources: [{ uri: 'notes://monday', name: 'Monday' }] });
    expect(listed.error).toBeUndefined();
    expect(plugin.resourceListChanges).toBe(1);
    const messageOf = async (scheme: string) => (await plugin.listResources(`${scheme}://{id}`)).error?.message;
    expect(await messageOf('throws')).toBe('no database');
    expect(await messageOf('text')).toBe('it returned a string');
    expect(await messageOf('nameless')).toBe('Resource nameless://1 has no name.');
    expect(await messageOf('elsewhere')).toBe('"other://1" does not fit elsewhere://{id}');
    expect(await messageOf('unknown')).toContain('no longer provides the list of unknown://{id}');
  });

  it('gives tools, resources, prompts and completion of a namespace', async () => {
    const plugin = await openPlugin({ register });
    expect(plugin.tools.map(({ name }) => name)).toEqual(['a']);
    expect(plugin.problems).toEqual([]);
    expect((await plugin.callTool('a')).text).toBe('reloaded');
    expect(plugin.reloads).toBe(1);
    expect((await plugin.readResource('notes://{day}', { variables: { day: 'to day' } })).contents).toMatchObject([
      { uri: 'notes://to%20day', text: 'notes://to%20day' },
    ]);
    expect(plugin.updatedResources).toEqual(['notes://to%20day']);
    expect(await plugin.getPrompt('p', { x: 'y' })).toMatchObject({
      description: 'd',
      messages: [{ content: { text: 'y' } }],
    });
    expect(await plugin.complete({ type: 'prompt', name: 'p' }, 'x', 'v')).toEqual(['v!']);
    expect((await plugin.getPrompt('none')).error?.code).toBe('PLUGIN_UNAVAILABLE');
    expect((await plugin.readResource('none://')).error?.code).toBe('RESOURCE_NOT_FOUND');
    await expect(plugin.callTool('b')).rejects.toThrow("no tool 'b': its tools are a");
    await plugin.dispose();
    expect(plugin.logs).toMatchObject([{ message: 'disposed' }]);
  });

  it('imports a path or a URL, CommonJS and ESM', async () => {
    const cjs = join(folder, 'plugin.cjs');
    writeFileSync(
      cjs,
      "module.exports.register = (api) => { api.registerTool({ name: 'cjs', description: 'd', run: () => 'from cjs' }); };",
    );
    const esm = join(folder, 'plugin.mjs');
    writeFileSync(
      esm,
      "export class Esm { name = 'esm'; description = 'd'; inputSchema = { type: 'object' }; async executeAsync() { return 'x'; } }",
    );
    expect((await (await openPlugin(cjs)).callTool('cjs')).text).toBe('from cjs');
    expect((await openPlugin(pathToFileURL(esm))).tools).toMatchObject([{ name: 'esm', origin: 'class:Esm' }]);
    expect((await openPlugin(pathToFileURL(esm).href)).problems).toEqual([]);
  });

  it('says what cannot be imported', async () => {
    await expect(openPlugin(join(folder, 'none.mjs'))).rejects.toThrow(/none\.mjs cannot be imported/);
    const broken = join(folder, 'broken.mts');
    writeFileSync(broken, 'export enum E { A = }');
    await expect(openPlugin(broken)).rejects.toThrow(/broken\.mts cannot be imported/);
  });
});

describe('checkPlugin', () => {
  const good = defineTool({
    name: 'good',
    title: 'Good',
    description: 'Does good.',
    inputSchema: {
      type: 'object',
      properties: { city: { type: 'string', description: 'A city.' } },
      required: ['city'],
    },
    outputSchema: { type: 'object', required: ['city'] },
    run: ({ city }) => ({ city }),
  });

  it('finds nothing in a good plugin, and assertPlugin passes', async () => {
    expect(await checkPlugin({ Greeting, good }, { samples: { good: [{ city: 'Oslo' }, { city: 'Rome' }] } })).toEqual(
      [],
    );
    await assertPlugin({ Greeting });
  });

  /** Ends after the test: until then the process is ended if it does not return to the event loop for long. */
  const hang = () => new Promise((end) => void hanging.push(end));
  const hanging: ((value: unknown) => void)[] = [];
  afterEach(() => {
    for (const end of hanging.splice(0)) end('x');
  });

  const rulesOf = async (tool: object, options: object = {}) => {
    const full = { name: 't', title: 'T', description: 'd', inputSchema: { type: 'object' }, run: () => 'x', ...tool };
    const issues = await checkPlugin(
      { register: (api: RegisterApi) => void api.registerTool(full) },
      { timeoutMs: 500, ...options },
    );
    return issues.map(({ rule }) => rule);
  };

  it.each<[string, object, object?]>([
    ['load', { inputSchema: undefined }],
    ['title', { title: undefined }],
    ['parameter', { inputSchema: { type: 'object', properties: { a: { type: 'string' } } } }],
    ['schema', { inputSchema: { type: 'object', properties: {}, required: ['a'] } }],
    ['schema', { inputSchema: { type: 'object', properties: { a: { type: 'text', description: 'd' } } } }],
    ['schema', { inputSchema: { type: 'object', properties: { a: { description: 'd', items: { enum: 'x' } } } } }],
    ['schema', { inputSchema: { type: 'object', properties: { a: { description: 'd', pattern: '(' } } } }],
    ['schema', { inputSchema: { type: 'object', additionalProperties: 5 } }],
    ['schema', { outputSchema: { type: 'object', properties: [] }, run: () => ({ a: 1 }) }],
    ['output', { outputSchema: { type: 'object', properties: { a: {} }, required: ['a'] }, run: () => ({ b: 1 }) }],
    ['output', { outputSchema: { type: 'object' }, run: () => 'text' }],
    [
      'throws',
      {
        run: () => {
          throw new Error('x');
        },
      },
    ],
    ['result', { run: (_: unknown, { signal }: { signal: AbortSignal }) => (signal.aborted ? 'x' : undefined) }],
    ['hang', { run: (_: unknown, { signal }: { signal: AbortSignal }) => (signal.aborted ? 'x' : hang()) }],
    ['signal', { run: (_: unknown, { signal }: { signal: AbortSignal }) => (signal.aborted ? hang() : 'x') }],
    [
      'result',
      {
        run: async (_: unknown, { input, signal }: import('@mortise/plugin').CallContext) =>
          signal.aborted ? 'x' : input.roots('k'),
      },
    ],
  ])('finds %s in %o', async (rule, tool) => {
    expect(await rulesOf(tool)).toContain(rule);
    expect(await rulesOf(tool, { except: [rule] })).not.toContain(rule);
  });

  it('finds nothing wrong with a tool that throws when its signal has fired', async () => {
    expect(
      await rulesOf({ run: (_: unknown, { signal }: { signal: AbortSignal }) => signal.throwIfAborted() ?? 'x' }),
    ).toEqual([]);
  });

  it('finds an empty plugin, and a dispose that throws or hangs', async () => {
    expect(await checkPlugin({})).toMatchObject([
      { rule: 'load', message: expect.stringContaining('exports nothing') },
    ]);
    expect(await checkPlugin({ version: 1 })).toMatchObject([
      { rule: 'load', message: expect.stringContaining('offers nothing') },
    ]);
    const disposing = (dispose: () => void) => ({ Greeting, register: (api: RegisterApi) => api.onDispose(dispose) });
    expect(
      await checkPlugin(
        disposing(() => {
          throw new Error('stuck');
        }),
      ),
    ).toMatchObject([{ rule: 'dispose', message: 'dispose threw: stuck' }]);
    expect(
      await checkPlugin(
        disposing(() => new Promise(() => {}) as never),
        { timeoutMs: 50 },
      ),
    ).toMatchObject([{ rule: 'dispose' }]);
  });

  it('finds an effect before the last question, and none after it', async () => {
    const asking = (effectFirst: boolean) => (api: RegisterApi) => {
      let booked = 0;
      api.registerTool({
        name: 'book',
        title: 'Book',
        description: 'd',
        inputSchema: { type: 'object' },
        run: async (_, { input }) => {
          if (effectFirst) booked += 1;
          await input.elicit('ok', { message: 'Sure?', schema: { type: 'object' } });
          if (!effectFirst) booked += 1;
          return `${booked} booked`;
        },
      });
    };
    const answers = { ok: { action: 'accept', content: {} } };
    expect(await checkPlugin({ register: asking(false) }, { answers })).toEqual([]);
    expect(await checkPlugin({ register: asking(true) }, { answers })).toEqual([
      {
        rule: 'input',
        tool: 'book',
        message:
          'A call with {} returned "1 booked" when its questions were answered during the call, but "2 booked" when it ran again from its start with the answers. Move effects after the last question, or into context.once.',
      },
    ]);
  });

  it('finds a question whose key changes, and a call that does not end when it runs again', async () => {
    // The calls end after the test: a call that is open is watched, and would end the process during a later test.
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    onTestFinished(end);
    const asking = (keyOf: (runs: number) => string | undefined) => (api: RegisterApi) => {
      let runs = 0;
      const run = async (_: unknown, { input }: CallContext) => {
        const key = keyOf(runs++);
        if (key === undefined) return ended;
        await input.elicit(key, { message: 'Sure?', schema: { type: 'object' } });
        return 'done';
      };
      api.registerTool({ name: 'ask', title: 'Ask', description: 'd', inputSchema: { type: 'object' }, run });
    };
    const answer = { action: 'accept', content: {} };
    const answers = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, answer]));
    expect(await checkPlugin({ register: asking((runs) => `k${runs}`) }, { answers })).toMatchObject([
      { rule: 'input', message: expect.stringMatching(/^A call with \{\}: The call still asks after 20 rounds\./) },
    ]);
    const endless = asking((runs) => (runs === 0 ? 'k0' : undefined));
    expect(await checkPlugin({ register: endless }, { answers, timeoutMs: 2_000 })).toMatchObject([
      { rule: 'hang', message: 'A call with {} did not end within 2000 ms when it ran again.' },
      { rule: 'signal' },
    ]);
  });

  it('cannot compare results that differ from call to call', async () => {
    const register = (api: RegisterApi) =>
      api.registerTool({
        name: 'id',
        title: 'T',
        description: 'd',
        inputSchema: { type: 'object' },
        run: async (_, { input }) => {
          await input.roots('roots');
          return randomUUID();
        },
      });
    expect(
      await checkPlugin({ register: (api: RegisterApi) => void register(api) }, { answers: { roots: { roots: [] } } }),
    ).toEqual([]);
  });

  it('finds a port and a timer that are left open after dispose', async () => {
    const opened: (() => void)[] = [];
    const register = (isClosed: boolean) => async (api: RegisterApi) => {
      const server = createServer().listen(0);
      await once(server, 'listening');
      const timer = setInterval(() => {}, 60_000);
      const close = () => {
        clearInterval(timer);
        server.close();
      };
      if (isClosed) api.onDispose(close);
      else opened.push(close);
    };
    const messages = async (isClosed: boolean) =>
      (await checkPlugin({ Greeting, register: register(isClosed) })).map(({ message }) => message);
    expect(await messages(true)).toEqual([]);
    expect(await messages(false)).toEqual([
      'Still open after dispose: 1 timer, 1 port. Close them in dispose() or api.onDispose.',
    ]);
    for (const close of opened) close();
  });

  it('assertPlugin throws a list that reads well', async () => {
    await expect(assertPlugin({ Greeting, good: { ...good, title: undefined } })).rejects.toThrow(
      "The plugin does not conform:\n- [title] TITLE_MISSING: Tool 'good' has no title. Give the tool a title that users read, for example title: 'Get weather'.",
    );
  });
});
