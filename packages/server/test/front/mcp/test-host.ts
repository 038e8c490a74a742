import { EventEmitter } from 'node:events';
import type { JsonObject } from '@mortise/plugin';
import { createRedactor } from '@mortise/redact';
import { ClientRoots } from '../../../src/core/client-roots.js';
import type {
  Answer,
  CallAnswer,
  Caller,
  ListedTool,
  McpLists,
  ServerApi,
  ServerEvents,
} from '../../../src/core/server-api.js';
import type { Log, LogLine } from '../../../src/log/log.js';
import { loadSettings, type SettingsOverrides } from '../../../src/settings/load.js';
import type { Settings } from '../../../src/settings/settings.js';

type ToolRun = (args: Record<string, unknown>, caller: Caller) => Promise<CallAnswer>;
type Text = string | JsonObject;

const text = (value: Text): CallAnswer => ({
  kind: 'result',
  result: { content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }] },
});

/** Asks as the host does: a request to the client, or one more round. */
async function ask(caller: Caller, requests: Parameters<NonNullable<Caller['requestInput']>>[0]) {
  if (caller.inputMode === 'ask') return { answers: await caller.requestInput!(requests, caller.signal) };
  const missing = Object.entries(requests).filter(([key]) => !Object.hasOwn(caller.answers ?? {}, key));
  if (missing.length > 0) return { open: { kind: 'input_required' as const, requests: Object.fromEntries(missing) } };
  return { answers: caller.answers ?? {} };
}

export const elicit = (message: string) => ({
  method: 'elicitation/create' as const,
  params: { message, requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } } as JsonObject,
});
const sample = {
  method: 'sampling/createMessage' as const,
  params: {
    messages: [{ role: 'user', content: { type: 'text', text: 'Capital of France?' } }],
    maxTokens: 10,
  } as JsonObject,
};
const roots = { method: 'roots/list' as const, params: {} };

const asking =
  (...rounds: Parameters<typeof ask>[1][]): ToolRun =>
  async (_args, caller) => {
    const all: JsonObject = {};
    for (const requests of rounds) {
      const { open, answers } = await ask(caller, requests);
      if (open) return open;
      for (const key of Object.keys(requests)) all[key] = answers[key] as JsonObject;
    }
    return text(all);
  };

/** A real host of the smallest kind: no plugins, a few tools that do what the tests want to see. */
export class TestHost implements ServerApi {
  refused() {}

  callRefused() {}

  counts() {
    return { processes: 0, running: 0, waiting: 0, crashes: 0, reloads: 0 };
  }

  instructions() {
    return '';
  }

  readonly version = '1.2.3';
  readonly settings: Settings;
  /** What happened, in order. */
  readonly events: string[] = [];
  /** The resources that clients want to hear of. */
  readonly roots = new ClientRoots();
  readonly watched: string[] = [];
  readonly redact = createRedactor({ secrets: [] }).value;
  readonly #emitter = new EventEmitter();
  readonly #tools = new Map<string, ToolRun>();
  #mcpLists: McpLists;
  #ready: Promise<void> = Promise.resolve();

  constructor(settings: SettingsOverrides = {}) {
    this.settings = testSettings(settings);
    this.#mcpLists = {
      tools: [],
      toolsOfAnyOutput: [],
      resources: [
        { uri: 'test://broken', name: 'broken' },
        { uri: 'test://one', name: 'one', mimeType: 'text/plain' },
      ],
      templates: [{ uriTemplate: 'test://item/{id}', name: 'item' }],
      prompts: [{ name: 'greet', arguments: [{ name: 'name', required: true }] }, { name: 'interview' }],
    };
    for (const [name, run] of Object.entries(TOOLS)) this.add({ name, inputSchema: { type: 'object' } }, run);
    this.add(
      {
        name: 'route',
        inputSchema: {
          type: 'object',
          properties: {
            region: { type: 'string', 'x-mcp-header': 'Region' },
            options: { type: 'object', properties: { count: { type: 'integer', 'x-mcp-header': 'Count' } } },
          },
        },
      },
      async () => text('routed'),
    );
  }

  /** Holds ready() back until the returned function is called. */
  holdReady(): () => void {
    let release!: () => void;
    this.#ready = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  }

  add(tool: ListedTool, run: ToolRun): void {
    this.#tools.set(tool.name, run);
    const tools = [...this.#mcpLists.tools, tool].sort((a, b) => (a.name < b.name ? -1 : 1));
    this.#mcpLists = { ...this.#mcpLists, tools };
  }

  remove(name: string): void {
    this.#tools.delete(name);
    this.#mcpLists = { ...this.#mcpLists, tools: this.#mcpLists.tools.filter((tool) => tool.name !== name) };
  }

  /** Everyone may hear of it. */
  emit<E extends Exclude<keyof ServerEvents, 'settingsReloaded'>>(event: E, what: ServerEvents[E][0]): void {
    this.#emitter.emit(event, what, () => true);
  }

  listed(): Promise<void> {
    return this.#ready;
  }

  ready(): Promise<void> {
    return this.#ready;
  }

  async finishLoading() {}

  mcpLists(): McpLists {
    return { ...this.#mcpLists, toolsOfAnyOutput: this.#mcpLists.tools };
  }

  templateResources() {
    return undefined;
  }

  plugins() {
    return [];
  }

  inputSchemaOf(name: string) {
    return this.#mcpLists.tools.find((tool) => tool.name === name)?.inputSchema;
  }

  async callTool(name: string, args: unknown, caller: Caller): Promise<CallAnswer> {
    const run = this.#tools.get(name);
    if (!run) return { kind: 'unknown_tool', suggestions: [...this.#tools.keys()].filter((key) => key[0] === name[0]) };
    this.events.push(`start ${name}`);
    caller.signal.addEventListener('abort', () => this.events.push(`abort ${name}`));
    return run(args as Record<string, unknown>, caller);
  }

  async readResource(uri: string, caller: Caller): Promise<Answer<{ contents: { uri: string; text: string }[] }>> {
    if (uri === 'test://ask') {
      const { open, answers } = await ask(caller, { who: elicit('Who?') });
      return open ?? { kind: 'result', contents: [{ uri, text: JSON.stringify(answers.who) }] };
    }
    if (uri === 'test://broken') throw new Error('secret insides of the host');
    const id = /^test:\/\/(?:one$|item\/(\w+))/.exec(uri);
    if (!id) return { kind: 'error', code: -32002, message: `Resource not found: ${uri}`, data: { uri } };
    return { kind: 'result', contents: [{ uri, text: id[1] ?? 'one' }] };
  }

  resourceAudience() {
    return () => true;
  }

  async watchResource(uri: string): Promise<boolean> {
    this.watched.push(uri);
    return uri !== 'test://none';
  }

  async getPrompt(name: string, args: Record<string, string>, caller: Caller): ReturnType<ServerApi['getPrompt']> {
    if (name === 'interview') {
      const { open, answers } = await ask(caller, { who: elicit('Who?') });
      return open ?? { kind: 'result', messages: [message(JSON.stringify(answers.who))] };
    }
    if (name !== 'greet') return { kind: 'error', code: -32602, message: `Unknown prompt: ${name}` };
    return { kind: 'result', description: 'A greeting', messages: [message(`Hello, ${args.name}!`)] };
  }

  async complete(
    ...[{ ref, argument, value, knownArguments }]: Parameters<ServerApi['complete']>
  ): ReturnType<ServerApi['complete']> {
    if (ref.type === 'prompt' && ref.name !== 'greet')
      return { kind: 'error', code: -32602, message: 'Unknown prompt' };
    const key = ref.type === 'prompt' ? ref.name : ref.uriTemplate;
    const values = [
      `${key}:${argument}:${value}`,
      ...Object.entries(knownArguments).map(([name, text]) => `${name}=${text}`),
    ];
    return { kind: 'result', values, total: values.length, hasMore: false };
  }

  on<E extends keyof ServerEvents>(event: E, listener: (...args: ServerEvents[E]) => void): () => void {
    this.#emitter.on(event, listener as (...args: unknown[]) => void);
    return () => this.#emitter.off(event, listener as (...args: unknown[]) => void);
  }

  listeners(): number {
    return this.#emitter.eventNames().reduce((sum, name) => sum + this.#emitter.listenerCount(name), 0);
  }

  async idle(): Promise<void> {}

  async close(): Promise<void> {}
}

const message = (value: string) => ({ role: 'user' as const, content: { type: 'text' as const, text: value } });

const TOOLS: Record<string, ToolRun> = {
  echo: async (args = { none: true }) => text(args as JsonObject),
  progress: async (_args, caller) => {
    for (const value of [0, 50, 100])
      caller.progress?.({ done: value, total: 100, ...(value === 50 && { message: 'half' }) });
    setTimeout(() => caller.progress?.({ done: 101, message: 'too late' }), 5);
    return text(caller.progress ? 'told' : 'silent');
  },
  /** With pauses: the official client loses what comes in one piece with the response. */
  steps: async (_args, caller) => {
    for (const value of [30, 60, 90]) {
      caller.progress?.({ done: value, total: 100 });
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    return text('done');
  },
  log: async (_args, caller) => {
    const line = (level: LogLine['level'], fields?: LogLine['fields']) =>
      caller.log?.({ level, message: `a ${level}`, logger: 'demo', ...(fields && { fields }) });
    line('trace');
    line('info', { count: 2 });
    line('warn');
    line('error');
    return text('logged');
  },
  slow: (_args, caller) =>
    new Promise((resolve) => {
      caller.progress?.({ done: 1 });
      caller.signal.addEventListener('abort', () => resolve({ kind: 'cancelled', result: { content: [] } }));
    }),
  later: async (args) => {
    await new Promise((resolve) => setTimeout(resolve, Number(args.ms)));
    return text('done');
  },
  capabilities: async (_args, caller) => text({ mode: caller.inputMode, has: Object.keys(caller.clientCapabilities) }),
  ask_one: asking({ user: elicit('Your name?') }),
  ask_all: asking({ user: elicit('Your name?'), city: sample, where: roots }),
  ask_twice: asking({ first: elicit('First?') }, { second: elicit('Second?') }),
  needs_sampling: async () => ({ kind: 'missing_capability', required: { sampling: {} } }),
  boom: async () => {
    throw new Error('secret insides of the host');
  },
};

/** The defaults, of a folder without settings. */
const { settings: DEFAULTS } = await loadSettings({
  cwd: import.meta.dirname,
  env: {},
  userConfigDir: import.meta.dirname,
});

/** With these; Http.Port is 0 for tests that run at the same time. */
function testSettings({ Http, ...override }: SettingsOverrides): Settings {
  const sections = { ...DEFAULTS, Http: { ...DEFAULTS.Http, Port: 0, ...Http } };
  return Object.fromEntries(
    Object.entries(sections).map(([name, section]) => [
      name,
      { ...section, ...override[name as keyof typeof override] },
    ]),
  ) as unknown as Settings;
}

/** A log that keeps its lines. */
export function recordLog(): Log & { lines: { level: string; message: string; fields?: Record<string, unknown> }[] } {
  const lines: { level: string; message: string; fields?: Record<string, unknown> }[] = [];
  const at = (level: string) => (text: string, fields?: Record<string, unknown>) =>
    void lines.push({ level, message: text, ...(fields && { fields }) });
  return { lines, trace: at('trace'), debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
