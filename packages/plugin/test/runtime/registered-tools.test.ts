import { fileURLToPath } from 'node:url';
import type { RegisterApi } from '@mortise/plugin';
import { type } from 'arktype';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { channel, codes, FILE, load, names, recordingHost } from './host.js';

const tool = (name: string, run: (...args: never[]) => unknown = () => name) => ({
  name,
  description: 'd',
  inputSchema: { type: 'object' },
  run,
});
const microtasks = () => new Promise((resolve) => setImmediate(resolve));

describe('register', () => {
  it('is found as an export, on the default export with its own `this`, and as a default-exported function', async () => {
    const register = (api: RegisterApi) => void api.registerTool(tool('a'));
    expect(names(await load({ register }))).toEqual(['a']);
    expect(names(await load({ default: { register }, register }))).toEqual(['a']);
    expect(names(await load({ default: register }))).toEqual(['a']);
    const withThis = {
      tools: [tool('b')],
      register(api: RegisterApi) {
        this.tools.forEach((item) => void api.registerTool(item));
      },
    };
    expect(names(await load({ default: withThis }))).toEqual(['b']);
    const anonymous = (
      () => (api: RegisterApi) =>
        void api.registerTool(tool('c'))
    )();
    expect(names(await load({ default: anonymous }))).toEqual(['c']);
    expect(names(await load({ default: anonymous, 'module.exports': anonymous }))).toEqual(['c']);
  });

  it('is not a default-exported function beside tools, of several parameters, or that is a class or a schema', async () => {
    let calls = 0;
    const count = (_: unknown) => void calls++;
    const exported = { ...tool('d'), executeAsync: async () => ({ content: [] }) };
    expect(names(await load({ default: count, exported }))).toEqual(['d']);
    const others = [
      (_a: unknown, _b: unknown) => void calls++,
      class {
        constructor(readonly api: unknown) {}
      },
      type('string'),
    ];
    for (const other of others) expect(codes(await load({ default: other }))).toEqual([]);
    expect(calls).toBe(0);
  });

  it('is awaited', async () => {
    const register = async ({ registerTool }: RegisterApi) => {
      await microtasks();
      registerTool(tool('late'));
    };
    expect(names(await load({ register }))).toEqual(['late']);
  });

  it('defines and registers a tool in one step: plain data, checked arguments', async () => {
    let registration = { remove() {} };
    const register = (api: RegisterApi) => {
      registration = api.defineTool({
        name: 'add',
        description: 'd',
        inputSchema: { a: z.number(), b: z.number().default(1) },
        outputSchema: { sum: z.number() },
        run: ({ a, b }) => ({ sum: a + b }),
      });
    };
    const plugin = await load({ register });
    expect(plugin.definition.tools).toMatchObject([{ name: 'add', origin: 'registerTool', outputSchema: {} }]);
    expect(await plugin.run({ do: 'call', name: 'add', args: { a: 1 } }, channel())).toMatchObject({
      structured: { sum: 2 },
    });
    expect(await plugin.run({ do: 'call', name: 'add', args: { a: 'x' } }, channel())).toMatchObject({
      errors: [{ code: 'INVALID_PARAMS' }],
    });
    registration.remove();
    expect(names(plugin)).toEqual([]);
    const withoutSchema = (api: RegisterApi) =>
      void api.defineTool({ name: 'x', description: 'd', inputSchema: { day: z.date() }, run: () => '' });
    expect(codes(await load({ register: withoutSchema }))).toEqual(['DEFINITION_INVALID']);
  });

  it('has icons; wrong ones are said, with their place', async () => {
    const icons = [
      { src: 'https://example.org/i.png', mimeType: 'image/png', sizes: ['48x48'], theme: 'dark' as const },
    ];
    const good = await load({ register: (api: RegisterApi) => void api.registerTool({ ...tool('a'), icons }) });
    expect(good.definition.tools).toMatchObject([{ icons }]);
    for (const [wrong, fault] of [
      [{ src: 'x' }, 'icons is not a list'],
      [[{ src: 'http://example.org/i.png' }], 'icons[0].src is not an https: or data:image/ URL'],
      [[...icons, { src: 'data:image/png;base64,AA', sizes: ['big'] }], 'icons[1].sizes is not a list of sizes'],
      [[{ src: 'https://e.org/i', theme: 'blue' }], 'icons[0].theme is not light or dark'],
      [[{ src: 'https://e.org/i', onclick: '' }], 'icons[0].onclick is not a member of an icon'],
    ] as const) {
      const register = (api: RegisterApi) => void api.registerTool({ ...tool('a'), icons: wrong as never });
      const { definition } = await load({ register });
      expect(definition.tools).toEqual([]);
      expect(definition.problems[0]!.message).toContain(fault);
    }
  });

  it('counts beside the classes of the module', async () => {
    class Greeting {
      readonly name = 'greeting';
      readonly description = 'd';
      readonly inputSchema = { type: 'object' };
      async executeAsync() {}
    }
    const register = (api: RegisterApi) => {
      api.registerTool(tool('registered'));
      api.registerTool(tool('greeting'));
    };
    const plugin = await load({ Greeting, register });
    expect(plugin.definition.tools).toMatchObject([
      { name: 'greeting', origin: 'class:Greeting' },
      { name: 'registered', origin: 'registerTool' },
    ]);
    expect(plugin.definition.problems).toMatchObject([
      { code: 'TOOL_NAME_DUPLICATE', message: expect.stringMatching(/of registerTool.*class:Greeting/) },
    ]);
  });

  it.each([
    [
      'throws',
      (api: RegisterApi) =>
        fill(api, () => {
          throw new Error('no key');
        }),
    ],
    [
      'rejects',
      async (api: RegisterApi) => {
        await microtasks();
        fill(api, () => {});
        throw new Error('no key');
      },
    ],
  ])('takes everything back when it %s, and only that', async (_, register) => {
    const recorded = recordingHost();
    class Kept {
      readonly name = 'kept';
      readonly description = 'd';
      readonly inputSchema = { type: 'object' };
      async executeAsync() {}
    }
    const plugin = await load({ Kept, register }, recorded);
    expect(plugin.definition).toMatchObject({ tools: [{ name: 'kept' }], resources: [], prompts: [] });
    expect(plugin.definition.problems).toMatchObject([
      {
        severity: 'error',
        code: 'REGISTER_THREW',
        message: 'register(api) threw: no key.',
        location: { file: FILE, subject: 'register' },
      },
    ]);
    expect(recorded.logs.map(({ message }) => message)).toEqual(['disposed']);
    await plugin.dispose();
    expect(recorded.logs).toHaveLength(1);
  });

  function fill(api: RegisterApi, then: () => void) {
    api.onDispose(() => api.logger.info('disposed'));
    api.registerTool(tool('a'));
    api.registerTool({ ...tool('b'), description: '' });
    api.registerResource({ uri: 'test://a', name: 'a', read: () => 'a' });
    api.registerPrompt({ name: 'p', get: () => 'p' });
    then();
  }

  it('after it failed, what it left running can register nothing', async () => {
    const recorded = recordingHost();
    let registerApi: RegisterApi | undefined;
    const plugin = await load(
      {
        register: (api: RegisterApi) => {
          registerApi = api;
          throw new Error('x');
        },
      },
      recorded,
    );
    registerApi?.registerTool(tool('zombie')).remove();
    expect(names(plugin)).toEqual([]);
    expect(recorded.logs).toMatchObject([{ level: 'warn' }]);
  });
});

describe('registerTool', () => {
  it('refuses a malformed tool with what is wrong and where, and leaves the others', async () => {
    const register = (api: RegisterApi) => {
      const loose = api.registerTool as (tool: unknown) => { remove(): void };
      loose(null).remove();
      loose('tool');
      loose({ ...tool('no-run'), run: 'x' });
      loose({ ...tool('bad name') });
      loose(tool('good'));
      loose(tool('good'));
    };
    const plugin = await load({ register });
    expect(names(plugin)).toEqual(['good']);
    expect(codes(plugin)).toEqual([
      'TOOL_MALFORMED',
      'TOOL_MALFORMED',
      'TOOL_MALFORMED',
      'TOOL_NAME_INVALID',
      'TOOL_NAME_DUPLICATE',
    ]);
    expect(plugin.definition.problems[2]).toMatchObject({
      message: "Tool 'no-run': run must be a function, not a string.",
      location: { file: fileURLToPath(import.meta.url), line: expect.any(Number), subject: 'no-run' },
    });
    expect(plugin.definition.problems[3]?.location.subject).toBe('bad name');
  });

  it('names the method that a tool has in the place of run', async () => {
    const register = (api: RegisterApi) => {
      for (const method of ['handler', 'execute', 'executeAsync']) {
        const { run, ...rest } = tool(`with-${method}`);
        api.registerTool({ ...rest, [method]: run } as never);
      }
    };
    const plugin = await load({ register });
    expect(plugin.definition.problems.map(({ message }) => message)).toEqual([
      "Tool 'with-handler': run must be a function, not undefined. Rename its method handler to run.",
      "Tool 'with-execute': run must be a function, not undefined. Rename its method execute to run.",
      "Tool 'with-executeAsync': run must be a function, not undefined. Rename its method executeAsync to run.",
    ]);
  });

  it('runs with the tool as `this`, sync and async', async () => {
    const sync = {
      ...tool('sync'),
      greeting: 'Hi',
      run(this: { greeting: string }) {
        return this.greeting;
      },
    };
    const plugin = await load({
      register: (api: RegisterApi) => {
        api.registerTool(sync);
        api.registerTool(tool('async', async (input: { a: number }) => ({ content: `a is ${input.a}` })));
      },
    });
    expect(await plugin.run({ do: 'call', name: 'sync', args: {} }, channel())).toMatchObject({
      content: [{ text: 'Hi' }],
    });
    expect(await plugin.run({ do: 'call', name: 'async', args: { a: 1 } }, channel())).toMatchObject({
      content: [{ text: 'a is 1' }],
    });
    expect(await plugin.run({ do: 'call', name: 'none', args: {} }, channel())).toMatchObject({
      errors: [{ code: 'PLUGIN_UNAVAILABLE' }],
    });
  });

  it('after loading changes the definition, and says so once a tick; remove takes back', async () => {
    const recorded = recordingHost();
    let registerApi: RegisterApi | undefined;
    const plugin = await load(
      {
        register: (api: RegisterApi) => {
          registerApi = api;
        },
      },
      recorded,
    );
    const before = plugin.definition;
    const first = registerApi?.registerTool(tool('one'));
    registerApi?.registerTool({ ...tool('two'), description: '' });
    expect(before.tools).toEqual([]);
    await microtasks();
    expect(recorded.changes).toHaveLength(1);
    expect(recorded.changes[0]).toBe(plugin.definition);
    expect(codes(plugin)).toEqual(['DESCRIPTION_MISSING']);
    first?.remove();
    first?.remove();
    await microtasks();
    expect(names(plugin)).toEqual(['two']);
    expect(recorded.changes).toHaveLength(2);
  });

  it('remove of a tool whose name was taken again leaves the new one', async () => {
    let registerApi: RegisterApi | undefined;
    const plugin = await load({
      register: (api: RegisterApi) => {
        registerApi = api;
      },
    });
    const first = registerApi?.registerTool(tool('same'));
    first?.remove();
    registerApi?.registerTool(tool('same'));
    first?.remove();
    expect(names(plugin)).toEqual(['same']);
  });

  it('tells the host nothing while loading, and nothing after disposal', async () => {
    const recorded = recordingHost();
    let registerApi: RegisterApi | undefined;
    const plugin = await load(
      {
        register: (api: RegisterApi) => {
          registerApi = api;
          api.registerTool(tool('a'));
        },
      },
      recorded,
    );
    registerApi?.registerTool(tool('b'));
    await plugin.dispose();
    registerApi?.registerTool(tool('c'));
    await microtasks();
    expect(recorded.changes).toEqual([]);
    expect(names(plugin)).toEqual(['a', 'b']);
  });
});

describe('the rest of the api', () => {
  it('gives folder, configuration, logger and updates', async () => {
    const recorded = recordingHost({ Key: 'v' });
    const seen: unknown[] = [];
    await load(
      {
        register: (api: RegisterApi) => {
          seen.push(api.getPluginsDir(), api.getConfig('key'), api.getConfig('none'));
          api.resourceUpdated('test://a');
          api.logger.warn('careful', { n: 1 });
        },
      },
      recorded,
    );
    expect(seen).toEqual(['/plugins', 'v', null]);
    expect(recorded.updates).toEqual(['test://a']);
    expect(recorded.logs).toEqual([{ level: 'warn', message: 'careful', fields: { n: 1 } }]);
  });

  it('reloadPlugins inside register resolves at once: waiting would wait for this very load', async () => {
    const recorded = recordingHost();
    let reloads = 0;
    recorded.host.reloadPlugins = () => {
      reloads++;
      return new Promise(() => {});
    };
    await load(
      {
        register: async (api: RegisterApi) => {
          await api.reloadPlugins();
        },
      },
      recorded,
    );
    expect(reloads).toBe(1);
  });

  it('onDispose runs the last first, continues after one that throws, and wants functions', async () => {
    const recorded = recordingHost();
    const order: number[] = [];
    const plugin = await load(
      {
        register: (api: RegisterApi) => {
          api.onDispose(() => void order.push(1));
          api.onDispose(() => {
            throw new Error('stuck');
          });
          api.onDispose(async () => void order.push(3));
          expect(() => api.onDispose('x' as never)).toThrow('onDispose expects a function');
        },
      },
      recorded,
    );
    await plugin.dispose();
    expect(order).toEqual([3, 1]);
    expect(recorded.logs).toMatchObject([{ message: 'dispose threw: stuck' }]);
  });
});
