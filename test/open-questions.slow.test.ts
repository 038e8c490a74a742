import { describe, expect, it } from 'vitest';
import { openRaw, type Raw, type RawStdio } from './support/raw-stdio.js';
import { waitFor } from './support/wait-for.js';
import { createWorkplace } from './support/workplace.js';

const PLUGIN = `
const schema = { type: 'object' };
export function register(api) {
  const tool = (name, run, more = {}) => api.registerTool({ name, description: 'd', inputSchema: schema, run, ...more });
  const question = { message: 'Well?', schema };
  tool('asks', async (_, { input }) => (await input.elicit('q', question)).action);
  tool('catches', (_, { input }) => input.elicit('q', question).then(() => 'answered', (error) => 'caught ' + error.name));
  tool('leaves', async (_, { input }) => {
    void input.elicit('q', question).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 50));
    return 'left';
  });
  tool('times_out', async (_, { input }) => {
    await input.elicit('q', question);
    await new Promise(() => {});
  }, { timeoutMs: 2000 });
  tool('holds', (_, { progress, signal }) => {
    progress.report({ done: 1 });
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve('held')));
  });
  tool('quick', () => 'quick');
}`;

const open = (settings: object = {}) =>
  openRaw(
    createWorkplace({ 'plugins/p.mjs': PLUGIN }, { Plugins: { Directory: 'plugins', ...settings } }),
    '2025-11-25',
  );

const isQuestion = ({ method }: Raw) => method === 'elicitation/create';
const questionsOf = ({ received }: RawStdio) => received.filter(isQuestion);
const textOf = ({ result }: Raw): string => result.content[0].text;
const codeOf = ({ result }: Raw): string => result.structuredContent.errors[0].code;
const startCall = (raw: RawStdio, name: string, meta = {}) =>
  raw.start('tools/call', { name, arguments: {}, _meta: meta });
const cancelOf = (raw: RawStdio, { id }: Raw) =>
  raw.find(({ method, params }) => method === 'notifications/cancelled' && params.requestId === id);

/** Questions of sessions: docs/spec/plugin-questions.md#open-questions. */
describe('an open question', () => {
  it('is cancelled at the client when its call is cancelled, and when its call has ended without the answer', async () => {
    const raw = await open();
    const cancelled = startCall(raw, 'asks');
    const first = await raw.find(isQuestion);
    raw.notify('notifications/cancelled', { requestId: cancelled });
    await cancelOf(raw, first);

    raw.clear();
    const left = startCall(raw, 'leaves');
    const second = await raw.find(isQuestion);
    expect(textOf(await raw.response(left))).toBe('left');
    const cancel = await cancelOf(raw, second);
    expect(raw.received.indexOf(cancel)).toBeLessThan(
      raw.received.findIndex(({ id, result }) => id === left && result),
    );
    await raw.close();
  });

  it('takes no slot: other calls of the plugin run, and the call continues behind those that wait', async () => {
    const raw = await open({ MaxConcurrentCalls: 1, MaxQueuedCalls: 1 });
    const asking = startCall(raw, 'asks');
    const question = await raw.find(isQuestion);
    expect(textOf(await raw.request('tools/call', { name: 'quick' }))).toBe('quick');

    const holding = startCall(raw, 'holds', { progressToken: 1 });
    await raw.find(({ method }) => method === 'notifications/progress');
    const queued = startCall(raw, 'quick');
    expect(codeOf(await raw.request('tools/call', { name: 'quick' }))).toBe('TOOL_BUSY');
    raw.answer(question.id, { action: 'decline' });
    // The plugin has one slot, and the call in it ends by its cancel.
    raw.notify('notifications/cancelled', { requestId: holding });
    expect(textOf(await raw.response(asking))).toBe('decline');
    const order = raw.received.map(({ id }) => id).filter((id) => id === queued || id === asking);
    expect(order).toEqual([queued, asking]);
    await raw.close();
  });

  it('suspends the deadline, which continues with the time that is left', async () => {
    const raw = await open();
    // The start of the plugin's process is part of the time of its first call.
    await raw.request('tools/call', { name: 'quick' });
    const call = startCall(raw, 'times_out');
    const question = await raw.find(isQuestion);
    // Longer than the tool's time.
    const asked = performance.now();
    await waitFor(() => performance.now() - asked > 2300);
    expect(raw.received.some(({ id, result }) => id === call && result)).toBe(false);
    raw.answer(question.id, { action: 'decline' });
    expect(codeOf(await raw.response(call))).toBe('OPERATION_TIMEOUT');
    await raw.close();
  });

  it('is one of at most 32 of a plugin: a further one is TOOL_BUSY, which the tool can catch', async () => {
    const raw = await open({ MaxConcurrentCalls: 4 });
    const calls = Array.from({ length: 32 }, () => startCall(raw, 'asks'));
    await waitFor(() => questionsOf(raw).length === 32);
    const refused = await raw.request('tools/call', { name: 'asks' });
    expect(codeOf(refused)).toBe('TOOL_BUSY');
    expect(textOf(refused)).toContain('32 of its questions are open');
    expect(textOf(await raw.request('tools/call', { name: 'catches' }))).toBe('caught QuestionRefusedError');

    const [first, ...others] = questionsOf(raw);
    raw.answer(first!.id, { action: 'decline' });
    await waitFor(() => calls.some((call) => raw.received.some(({ id, result }) => id === call && result)));
    const further = startCall(raw, 'asks');
    const question = await raw.find((message) => isQuestion(message) && message !== first && !others.includes(message));
    for (const { id } of [...others, question]) raw.answer(id, { action: 'accept', content: {} });
    expect(textOf(await raw.response(further))).toBe('accept');
    for (const call of calls) expect(textOf(await raw.response(call))).toMatch(/^(accept|decline)$/);
    await raw.close();
  });
});
