import { type CallContext, defineTool, type IProgressReporter, ok, PluginContext } from '@mortise/plugin';
import { describe, expect, it } from 'vitest';
import { channel, codes, FILE, load, names, recordingHost } from './host.js';

const inputSchema = { type: 'object' };

class Greeting {
  readonly name: string = 'greeting';
  readonly description = 'Says hello.';
  readonly inputSchema = inputSchema;
  async executeAsync(args: Record<string, unknown> | null) {
    return ok(`Hello ${args?.name}`);
  }
}

/** Modules as Node gives them, from source text. */
const importText = (source: string): Promise<object> => import(`data:text/javascript,${encodeURIComponent(source)}`);

describe('which exports are tools', () => {
  it('classes with executeAsync on their prototype chain, also inherited', async () => {
    class Base {
      readonly description = 'd';
      readonly inputSchema = inputSchema;
      async executeAsync() {
        return ok('base');
      }
    }
    class Child extends Base {
      readonly name = 'child';
    }
    expect(names(await load({ Child, Greeting }))).toEqual(['child', 'greeting']);
  });

  it('classes whose source names executeAsync: class fields, their own or inherited, minified too', async () => {
    const plugin = await load(
      await importText(`
        export class Field { name='field';description='d';inputSchema={};executeAsync=async()=>'f' }
        class Parent { description='d';inputSchema={};constructor(){this.executeAsync=async()=>'p'} }
        export class Heir extends Parent { name='heir' }
        export class e{name="min";description="d";inputSchema={};"executeAsync"=async()=>"m"}
      `),
    );
    expect(names(plugin).sort()).toEqual(['field', 'heir', 'min']);
  });

  it('not what only calls executeAsync of something else, and not other functions and values', async () => {
    const plugin = await load(
      await importText(`
        export class Runner { constructor(a, b) {} run(tool) { return tool.executeAsync() ?? tool?.executeAsync(); } }
        export function helper(tool) { const executeAsync = tool.executeAsync; return executeAsync(); }
        export const arrow = () => {}, text = 'x', nothing = null, list = [1];
      `),
    );
    expect(plugin.definition).toEqual({ tools: [], resources: [], prompts: [], problems: [] });
  });

  it('functions of compiled classes', async () => {
    function Old(this: Record<string, unknown>) {
      this.name = 'old';
      this.description = 'd';
      this.inputSchema = inputSchema;
    }
    Old.prototype.executeAsync = async () => ok('old');
    expect(names(await load({ Old }))).toEqual(['old']);
  });

  it('objects with the four members, and members of a default-exported object or array', async () => {
    const tool = { name: 'object', description: 'd', inputSchema, executeAsync: async () => ok('o') };
    expect(names(await load({ tool }))).toEqual(['object']);
    expect(names(await load({ default: { Greeting, tool } }))).toEqual(['greeting', 'object']);
    expect(names(await load({ default: [Greeting, tool] }))).toEqual(['greeting', 'object']);
    expect(names(await load({ default: { default: { Greeting }, __esModule: true } }))).toEqual(['greeting']);
    expect(names(await load({ config: { Greeting } }))).toEqual([]);
  });

  it('one value under several names once, as CommonJS shows it', async () => {
    const plugin = await load({ Greeting, Again: Greeting, default: { Greeting }, 'module.exports': { Greeting } });
    expect(names(plugin)).toEqual(['greeting']);
    expect(codes(plugin)).toEqual([]);
  });

  it('what defineTool made, exported and registered, once', async () => {
    const tool = defineTool({
      name: 'both',
      title: 'Both',
      description: 'd',
      inputSchema: { type: 'object' },
      run: () => 'ran',
    });
    const plugin = await load({
      tool,
      register: (api: { registerTool(tool: object): void }) => api.registerTool(tool),
    });
    expect(names(plugin)).toEqual(['both']);
    expect(codes(plugin)).toEqual([]);
    expect(await plugin.run({ do: 'call', name: 'both', args: {} }, channel())).toMatchObject({ kind: 'success' });
  });
});

describe('what is refused', () => {
  const loadProblemOf = async (moduleNamespace: object) => {
    const plugin = await load({ ...moduleNamespace, Greeting });
    expect(names(plugin), 'one bad class takes no other along').toEqual(['greeting']);
    expect(plugin.definition.problems).toHaveLength(1);
    return plugin.definition.problems[0];
  };

  it('a constructor with two parameters, as a warning that names the class and both shapes', async () => {
    class Wants extends Greeting {
      constructor(
        readonly a: unknown,
        readonly b: unknown,
      ) {
        super();
      }
    }
    expect(await loadProblemOf({ Wants })).toMatchObject({
      severity: 'warning',
      code: 'CLASS_CONSTRUCTOR_SHAPE',
      message: expect.stringMatching(/Wants has 2 parameters.*new Wants\(\).*new Wants\(context: PluginContext\)/),
      location: { file: FILE, subject: 'Wants' },
    });
  });

  it('a constructor that throws, with the place when the stack shows the file', async () => {
    class Throws extends Greeting {
      constructor() {
        super();
        const error = new Error('api_key must be set');
        error.stack = `Error: api_key must be set\n    at new Throws (file://${FILE}?v=2:12:7)`;
        throw error;
      }
    }
    expect(await loadProblemOf({ Throws })).toMatchObject({
      severity: 'error',
      code: 'CLASS_CONSTRUCTOR_THREW',
      message: expect.stringContaining('api_key must be set'),
      location: { file: FILE, line: 12, column: 7, subject: 'Throws' },
    });
  });

  it('a getter that throws, and a member that is missing', async () => {
    class Lacks {
      readonly name = 'lacks';
      async executeAsync() {}
    }
    const plugin = await importText(
      "export class Getter { get name() { throw new Error('no name today') } get description() { return 'd' } get inputSchema() { return {} } async executeAsync() {} }",
    );
    expect(await loadProblemOf(plugin)).toMatchObject({
      code: 'TOOL_MALFORMED',
      message: expect.stringContaining('no name today'),
    });
    expect(await loadProblemOf({ Lacks })).toMatchObject({
      code: 'CLASS_MEMBER_MISSING',
      message: 'Lacks has executeAsync but lacks description, inputSchema.',
    });
    expect(await loadProblemOf({ lacks: { name: 'x', executeAsync() {} } })).toMatchObject({
      code: 'CLASS_MEMBER_MISSING',
    });
  });

  it('an export that throws when it is read', async () => {
    const exports = Object.defineProperty({}, 'lazy', {
      enumerable: true,
      get: () => {
        throw new Error('gone');
      },
    });
    expect(await loadProblemOf({ default: exports })).toMatchObject({
      code: 'TOOL_MALFORMED',
      message: "Reading the export 'lazy' threw: gone.",
    });
  });

  it('a default export whose members cannot be listed', async () => {
    const ownKeys = () => {
      throw new Error('no keys');
    };
    expect(await loadProblemOf({ default: new Proxy({}, { ownKeys }) })).toMatchObject({
      code: 'TOOL_MALFORMED',
      message: "Reading the export 'default' threw: no keys.",
    });
  });

  it('the later of two tools of one name, with both origins', async () => {
    class Other extends Greeting {}
    const plugin = await load({ Greeting, Other });
    expect(plugin.definition.tools).toMatchObject([{ name: 'greeting', origin: 'class:Greeting' }]);
    expect(plugin.definition.problems).toMatchObject([
      {
        code: 'TOOL_NAME_DUPLICATE',
        message: "Tool 'greeting' of class:Other is refused: class:Greeting already has that name.",
      },
    ]);
  });

  it('not a base class that lacks a member, wants arguments or throws, when another exported tool extends it', async () => {
    const plugin = await load(
      await importText(`
        export class Base { description='d'; inputSchema={type:'object'}; async executeAsync() { return this.name } }
        export class Abstract extends Base { constructor(a) { super(); if (new.target === Abstract) throw new Error('abstract'); } }
        export class Wide extends Abstract { constructor(a, b) { super(a) } }
        export class Real extends Wide { name='real'; constructor(context) { super(context, 1) } }
      `),
    );
    expect(names(plugin)).toEqual(['real']);
    expect(codes(plugin)).toEqual([]);
  });

  it('not even exotic exports can stop the loading', async () => {
    const hostile = new Proxy(class {}, {
      get: () => {
        throw new Error('trap');
      },
      getPrototypeOf: () => {
        throw new Error('trap');
      },
    });
    const plugin = await load({
      hostile,
      strange: new Proxy(
        {},
        {
          has: () => {
            throw new Error('trap');
          },
        },
      ),
      Greeting,
    });
    expect(names(plugin)).toEqual(['greeting']);
  });
});

describe('a class tool', () => {
  it('gets a context whose logger is scoped to the class, and whose getConfig reads Plugins.Config', async () => {
    let context: PluginContext | undefined;
    class Configured extends Greeting {
      constructor(pluginContext: PluginContext) {
        super();
        context = pluginContext;
        pluginContext.logger.info('made', { key: pluginContext.getConfig('API_KEY') });
      }
    }
    const recorded = recordingHost({ api_key: 'k' });
    await load({ Configured }, recorded);
    expect(context).toBeInstanceOf(PluginContext);
    expect(recorded.logs).toEqual([{ level: 'info', message: 'made', fields: { key: 'k' }, scope: 'Configured' }]);
  });

  it('is called with arguments, progress, signal and context, and `this` is the instance', async () => {
    const seen: unknown[] = [];
    class Curious extends Greeting {
      readonly greeting = 'Hi';
      override async executeAsync(
        args: Record<string, unknown> | null,
        progress?: IProgressReporter,
        signal?: AbortSignal,
        context?: CallContext,
      ) {
        seen.push(args, signal, context?.signal);
        progress?.report(50, 'half');
        context?.logger.debug('called');
        return ok(this.greeting);
      }
    }
    const plugin = await load({ Curious });
    const call = channel();
    expect(await plugin.run({ do: 'call', name: 'greeting', args: { a: 1 } }, call)).toMatchObject({
      content: [{ text: 'Hi' }],
    });
    expect(seen).toEqual([{ a: 1 }, call.signal, call.signal]);
    expect(call.reports).toEqual([{ done: 50, total: 100, message: 'half' }]);
    expect(call.entries).toEqual([{ level: 'debug', message: 'called', scope: 'Curious' }]);
  });

  it('is disposed once; what dispose throws is logged', async () => {
    let disposed = 0;
    class Disposable extends Greeting {
      async dispose() {
        disposed++;
        throw new Error('stuck');
      }
    }
    const recorded = recordingHost();
    const plugin = await load({ Disposable }, recorded);
    await Promise.all([plugin.dispose(), plugin.dispose()]);
    expect(disposed).toBe(1);
    expect(recorded.logs).toMatchObject([{ level: 'error', message: 'dispose threw: stuck' }]);
  });
});
