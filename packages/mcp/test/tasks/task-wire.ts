import type { HandlerResult, McpServerOptions, RequestContext, TaskOptions } from '@mortise/mcp';
import { CancelSource } from '@mortise/mcp/util';
import { waitFor } from '../../../../test/support/wait-for.js';
import { declaration, StdioWire, type Wire } from '../stdio/stdio-wire.js';

/** The `_meta` of a client that knows tasks. */
export const TASKS = declaration({
  'io.modelcontextprotocol/clientCapabilities': {
    elicitation: {},
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  },
});

export const textResult = (text: string, more: object = {}) => ({
  content: [{ type: 'text' as const, text }],
  ...more,
});

/** A run of the handler, which the test ends. */
export interface Run {
  readonly context: RequestContext;
  end(result: HandlerResult<'tools/call'>): void;
  fail(error: unknown): void;
}

/** A server over stdio whose calls of tools end when the test wants it, or as soon as they are cancelled (tool `heeds`). */
export class TaskWire extends StdioWire {
  readonly runs: Run[];
  readonly errors: unknown[];
  #id = 0;

  constructor(tasks: TaskOptions = {}, options: Partial<McpServerOptions> = {}) {
    const runs: Run[] = [];
    const errors: unknown[] = [];
    super(
      {
        'tools/call': ({ name }, context) =>
          new Promise((end, fail) => {
            runs.push({ context, end, fail });
            if (name === 'heeds')
              context.signal.addEventListener('abort', () => end(textResult('x', { isError: true })));
          }),
      },
      { tasks: { afterMs: 1, ...tasks }, onError: (error) => errors.push(error), ...options },
    );
    this.runs = runs;
    this.errors = errors;
  }

  /** Sends a request of a client that knows tasks, and returns its id. */
  start(method: string, params: object = {}, meta: object = TASKS): number {
    this.#id += 1;
    this.send({ id: this.#id, method, params: { ...params, _meta: meta } });
    return this.#id;
  }

  /** The response to such a request. */
  ask(method: string, params?: object, meta?: object): Promise<Wire> {
    return this.response(this.start(method, params, meta));
  }

  /** Calls a tool, and resolves with what has become of it. */
  call(name = 'waits'): Promise<Wire> {
    return this.ask('tools/call', { name });
  }

  /** Calls a tool that becomes a task. */
  async task(name?: string): Promise<{ taskId: string; run: Run }> {
    const { result } = await this.call(name);
    return { taskId: result.taskId, run: this.runs.at(-1)! };
  }

  async get(taskId: string): Promise<Wire> {
    return (await this.ask('tasks/get', { taskId })).result;
  }

  /** The task once it has the status. */
  reaches(taskId: string, status: string): Promise<Wire> {
    return waitFor(async () => {
      const task = await this.get(taskId);
      return task.status === status && task;
    });
  }
}

/** A promise that a test keeps when it wants to. */
export function createEvent(): { readonly happened: Promise<void>; happen(): void } {
  const source = new CancelSource();
  return {
    happened: new Promise((resolve) => source.addEventListener('abort', () => resolve())),
    happen: () => source.abort(),
  };
}
