import { join } from 'node:path';
import { expect } from 'vitest';
import { CAPABILITIES, openRaw, type Raw, type RawStdio, requestMeta } from './support/raw-stdio.js';
import { waitFor } from './support/wait-for.js';
import { createWorkplace, type Finished, type Workplace } from './support/workplace.js';

/** The tools that the tests of tasks call. */
export const PLUGIN = `
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
const schema = { type: 'object' };
export function register(api) {
  const tool = (name, run, more = {}) => api.registerTool({ name, description: 'd', inputSchema: schema, run, ...more });
  const appears = async (file) => {
    while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  // Each waits until the test makes a file.
  const waiting = (name, run) => tool(name, async ({ file }, context) => {
    context.progress.report({ done: 1, total: 4, message: 'begun' });
    await appears(file);
    return run(context, file);
  });
  waiting('waits', () => 'version one');
  waiting('fails', () => { throw new Error('It failed'); });
  waiting('crashes', () => process.exit(7));
  waiting('asks', async ({ input, protocolVersion }, file) => {
    appendFileSync(file, 'run ' + protocolVersion + ';');
    const { action, content } = await input.elicit('name', { message: 'Name?', schema: { type: 'object', properties: { name: { type: 'string' } } } });
    return action + ' ' + content?.name;
  });
  tool('ends', ({ file }, { progress, signal }) => new Promise((resolve) => {
    progress.report({ done: 1, total: 4, message: 'begun' });
    signal.addEventListener('abort', () => {
      writeFileSync(file, '');
      resolve('ended');
    });
  }));
  tool('silent', async ({ file }) => {
    await appears(file);
    return 'silent';
  });
  tool('quick', () => 'quick');
  tool('needs', () => 'done', { needsTask: true });
}`;

export const EXTENSION = 'io.modelcontextprotocol/tasks';
export const WITH_TASKS = { ...CAPABILITIES, extensions: { [EXTENSION]: {} } };

interface Tasks {
  readonly raw: RawStdio;
  readonly workplace: Workplace;
  /** A file that is not there. */
  readonly file: string;
  /** Makes the file. */
  go(): void;
  /** Calls a tool that becomes a task, and has begun. */
  create(name: string): Promise<Raw>;
  /** The response to a call of a client without tasks. */
  call(name: string, args?: object): Promise<Raw>;
  get(taskId: string): Promise<Raw>;
  /** The task once it has the status. */
  reaches(taskId: string, status: string): Promise<Raw>;
}

interface TaskServer {
  readonly raw: RawStdio;
  readonly workplace: Workplace;
}

/** A server whose calls become tasks after a millisecond. */
export async function openServer(
  settings: object,
  capabilities: object = WITH_TASKS,
  finished?: Finished,
): Promise<TaskServer> {
  const workplace = createWorkplace(
    { 'plugins/p.mjs': PLUGIN },
    { Tasks: { AfterMs: 1 }, Plugins: { Directory: 'plugins' }, Dotnet: { Enabled: false }, ...settings },
    finished,
  );
  return { workplace, raw: await openRaw(workplace, '2026-07-28', capabilities) };
}

let files = 0;

/** The tasks of one test on a server. */
export function tasksOf({ raw, workplace }: TaskServer): Tasks {
  files += 1;
  const name = `go-${files}`;
  const file = join(workplace.folder, name);
  const tasks: Tasks = {
    raw,
    workplace,
    file,
    go: () => void workplace.write(name, ''),
    async create(tool) {
      const { result } = await raw.request('tools/call', { name: tool, arguments: { file } });
      expect(result?.resultType).toBe('task');
      await waitFor(async () => (await tasks.get(result.taskId)).statusMessage === '25 %: begun');
      return result;
    },
    call: (tool, args = {}) => raw.request('tools/call', { name: tool, arguments: args, _meta: requestMeta() }),
    get: async (taskId) => (await raw.request('tasks/get', { taskId })).result,
    reaches: (taskId, status) =>
      waitFor(async () => {
        const task = await tasks.get(taskId);
        return task.status === status && task;
      }),
  };
  return tasks;
}

/** Runs a test with a server of its own. */
export async function withTasks(settings: object, run: (tasks: Tasks) => Promise<void>, capabilities?: object) {
  const server = await openServer(settings, capabilities);
  try {
    await run(tasksOf(server));
  } finally {
    await server.raw.close();
  }
}
