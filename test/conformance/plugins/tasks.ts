import { setTimeout as delay } from 'node:timers/promises';
import type { CallContext, JsonSchema, RegisterApi } from '@mortise/plugin';
import { ask } from './_forms.js';

/** Longer than `Tasks.AfterMs` of run.mjs. */
const LONG_MS = 1_000;
const NONE: JsonSchema = { type: 'object' };

const objectOf = (properties: JsonSchema['properties']): JsonSchema => ({ type: 'object', properties });

/** Tools that become tasks when they take long, and one that never does. */
export function register(api: RegisterApi): void {
  const tool = <Input>(
    name: string,
    description: string,
    inputSchema: JsonSchema,
    run: (input: Input, context: CallContext) => unknown,
    needsTask = false,
  ) => api.registerTool<Input>({ name, description, inputSchema, run, needsTask, timeoutMs: 120_000 });

  tool<{ name: string }>('greet', 'Greets', objectOf({ name: { type: 'string' } }), ({ name }) => `Hello, ${name}!`);
  tool<{ seconds: number; label: string }>(
    'slow_compute',
    'Waits, and returns its label',
    objectOf({ seconds: { type: 'number' }, label: { type: 'string' } }),
    async ({ seconds, label }, { signal }) => {
      await delay(seconds * 1000, undefined, { signal });
      return `${label}: computed`;
    },
  );
  tool(
    'failing_job',
    'Fails after a while',
    NONE,
    async () => {
      await delay(LONG_MS);
      throw new Error('This job intentionally fails');
    },
    true,
  );
  tool('protocol_error_job', 'Asks, after a while, for what the client does not have', NONE, async (_, { input }) => {
    await delay(LONG_MS);
    return input.roots('roots');
  });
  tool<{ filename: string }>(
    'confirm_delete',
    'Asks, after a while, whether to continue',
    objectOf({ filename: { type: 'string' } }),
    async ({ filename }, { input }) => {
      await delay(LONG_MS);
      const { action } = await input.elicit('confirm', ask(`Delete ${filename}?`, 'confirm', 'boolean'));
      return `${filename}: ${action}`;
    },
  );
  tool('multi_input', 'Asks, after a while, two things at once', NONE, async (_, { input }) => {
    await delay(LONG_MS);
    const [first, second] = await Promise.all(
      ['first', 'second'].map((key) => input.elicit(key, ask(`The ${key} name?`, 'name'))),
    );
    return `${first?.action}, ${second?.action}`;
  });
  tool(
    'test_tool_with_task',
    'Asks at once, and takes long after the answer',
    NONE,
    async (_, { input }) => {
      const { content } = await input.elicit('user_name', ask('What is your name?', 'name'));
      await delay(LONG_MS);
      return `Hello, ${content?.name}!`;
    },
    true,
  );
}
