import { setTimeout as delay } from 'node:timers/promises';
import type { CallChannel, Outcome } from '@mortise/plugin/runtime';
import { createRedactor } from '@mortise/redact';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { waitFor } from '../../../../../test/support/wait-for.js';
import { DEFAULT_LIMITS } from '../../../src/settings/plugin-limits.js';
import type { McpServerEntry } from '../../../src/settings/settings.js';
import { built } from '../../built.js';
import { createChannel, createPluginHost, EMPTY, quiet } from '../process/plugins.js';

const { MountedRunner } = built<typeof import('../../../src/runners/mcp-client/mcp-client-runner.js')>(
  'runners/mcp-client/mcp-client-runner',
);
const { createRestartBackoff } =
  built<typeof import('../../../src/processes/restart-backoff.js')>('processes/restart-backoff');
const { connectionProblem } = built<typeof import('../../../src/runners/mcp-client/connection-problem.js')>(
  'runners/mcp-client/connection-problem',
);
const { createReaper } = built<typeof import('../../../src/processes/reaper.js')>('processes/reaper');

const reaper = createReaper();
afterAll(() => reaper.close());

const serverFile = (name: string) =>
  new URL(`../../../../../test/mounted-servers/${name}.mjs`, import.meta.url).pathname;
const entry = (name: string, ...args: string[]) => ({ command: process.execPath, args: [serverFile(name), ...args] });
const LEGACY = entry('official', '--legacy');

function createRunner(server: McpServerEntry, idleMs = 60_000) {
  const output: string[] = [];
  const updated: string[] = [];
  let openings = 0;
  const resourceUpdated = (uri: string) => updated.push(uri);
  const host = { ...createPluginHost(), pluginName: 'mcp.m', resourceUpdated };
  const runner = new MountedRunner({
    limits: DEFAULT_LIMITS,
    redactor: createRedactor({ secrets: [] }),
    entry: server,
    lists: { file: '/app/appsettings.json', prefix: 'mcp.m.', origin: 'mounted' },
    host,
    reaper,
    backoff: createRestartBackoff(),
    definition: EMPTY,
    idleMs,
    onOutput: (line) => output.push(line),
    onOpening: () => {
      openings += 1;
    },
    onListed: quiet,
    onEnded: quiet,
    toProblem: (ended) => connectionProblem(server, { file: '/app/appsettings.json' }, ended),
  });
  onTestFinished(() => runner.dispose());
  const call = (name: string, channel: CallChannel = createChannel(), args = {}) =>
    runner.callTool(`mcp.m.${name}`, args, channel);
  return { runner, host, output, updated, openings: () => openings, call };
}

const textOf = (outcome: Outcome) =>
  outcome.kind === 'success' ? (outcome.content[0] as { text: string }).text : outcome;
const codeOf = (outcome: Outcome) => (outcome.kind === 'error' ? outcome.errors[0]!.code : outcome.kind);

const CLIENT = { name: 'a client' };
const accepts = (name: string, client: object = CLIENT): CallChannel => ({
  ...createChannel(),
  client,
  clientCapabilities: { elicitation: { form: {} } },
  requestInput: async (requests) =>
    Object.fromEntries(Object.keys(requests).map((key) => [key, { action: 'accept', content: { name } }])),
});
const retries = (answers: Record<string, unknown> = {}): CallChannel => ({
  ...createChannel(),
  clientCapabilities: { elicitation: { form: {} } },
  inputMode: 'retry',
  answers,
});

describe('a question of a server that does not say which call it belongs to', () => {
  it('goes to the client that called, while several of its calls run', async () => {
    const { call, output } = createRunner(LEGACY);
    const waiting = accepts('Ada') as ReturnType<typeof createChannel>;
    const other = createChannel();
    void call('wait', { ...other, client: CLIENT });
    await waitFor(() => output.includes('waiting'));
    expect(textOf(await call('ask_old', waiting))).toBe('accept Ada, run 1');
    other.end();
  });

  it('is answered although the call that it was asked in ends before the user has answered', async () => {
    const { call } = createRunner(LEGACY);
    const ada = accepts('Ada');
    let hasEnded = false;
    const slow = {
      ...ada,
      requestInput: async (requests: Parameters<CallChannel['requestInput']>[0]) => {
        await waitFor(() => hasEnded);
        return ada.requestInput(requests);
      },
    };
    await call('echo', slow, { text: 'open' });
    const asking = call('ask_old', slow);
    expect(textOf(await call('steps', slow))).toBe('done');
    hasEnded = true;
    expect(textOf(await asking)).toMatch(/^accept Ada/);
  });

  it('is refused while calls of another client run: its user must not answer for someone else', async () => {
    const { call, output } = createRunner(LEGACY);
    const other = createChannel();
    void call('wait', { ...other, client: { name: 'another client' } });
    await waitFor(() => output.includes('waiting'));
    const refused = await call('ask_old', accepts('Ada'));
    expect(codeOf(refused)).toBe('TOOL_ERROR');
    expect(JSON.stringify(refused)).toContain('several clients');
    other.end();
  });
});

describe('a server whose questions are not as they should be', () => {
  it('is not asked again and again without a pause when it only wants to be', async () => {
    const { call } = createRunner(entry('askers', '--modern'));
    const channel = createChannel();
    const timesAsked = async () => Number(/\d+/.exec(String(textOf(await call('works'))))![0]);
    expect(await timesAsked()).toBe(0);
    const startedAt = performance.now();
    const waiting = call('again', { ...channel, inputMode: 'retry' });
    const times = await waitFor(async () => {
      const count = await timesAsked();
      return count > 1 && count;
    });
    expect((performance.now() - startedAt) / (times - 1)).toBeGreaterThan(450);
    channel.end();
    expect(codeOf(await waiting)).toBe('OPERATION_CANCELLED');
  });

  it('is told so, and the client hears nothing of it', async () => {
    const questions: unknown[] = [];
    const requestInput = async (requests: object) => {
      questions.push(requests);
      return {};
    };
    const channel = { ...accepts('Ada'), requestInput };
    expect(textOf(await createRunner(entry('askers')).call('malformed', channel))).toBe('refused with -32602');
    const outcome = await createRunner(entry('askers', '--modern')).call('malformed', {
      ...channel,
      inputMode: 'retry',
    });
    expect(outcome).toMatchObject({ kind: 'error', errors: [{ code: 'TOOL_INVALID_RESULT' }] });
    expect(questions).toEqual([]);
  });
});

describe('a log line of a server', () => {
  const WORDS = ['a line of the mounted server', 'a detail'];
  const hearing = (client: object) => {
    const received: string[] = [];
    return {
      received,
      channel: { ...createChannel(), client, log: ({ message }: { message: string }) => received.push(message) },
    };
  };

  it.each([LEGACY, entry('official')])('goes to the client that called, whatever its level: %j', async (server) => {
    const { call, host } = createRunner(server);
    const { received, channel } = hearing(CLIENT);
    await call('log', channel);
    await waitFor(() => received.length === 2);
    expect([received, host.logged]).toEqual([WORDS, []]);
  });

  it('goes to the log alone while calls of several clients run', async () => {
    const { call, host, output } = createRunner(LEGACY);
    const [one, other] = [hearing({}), hearing({})];
    const controller = new AbortController();
    const channel = { ...one.channel, signal: controller.signal };
    const waiting = call('wait', channel);
    await call('log', other.channel);
    await waitFor(() => output.includes(WORDS[0]!));
    expect([one.received, other.received, host.logged]).toEqual([[], [], []]);
    controller.abort();
    await waiting;
  });
});

describe('a resource of a server', () => {
  it.each([LEGACY, entry('official')])('is told of once when it changes once: %j', async (server) => {
    const { runner, call, updated } = createRunner(server);
    runner.watchResource('note://day/friday');
    await runner.readResource('', 'note://today', {}, createChannel());
    await waitFor(async () => {
      await call('touch');
      return updated.length > 0;
    });
    updated.length = 0;
    await call('touch');
    // What the server said before its answer is here by then.
    await call('echo', createChannel(), { text: '' });
    expect(updated).toEqual(['note://today']);
  });

  it('does not start the server again that ended after it was disposed of', async () => {
    const { runner, call, openings } = createRunner(LEGACY);
    runner.watchResource('note://today');
    await call('echo', createChannel(), { text: '' });
    const dying = call('die');
    void runner.dispose();
    expect(codeOf(await dying)).toBe('PLUGIN_CRASHED');
    // It would be started at once.
    await delay(300);
    expect(openings()).toBe(1);
  });
});

describe('progress', () => {
  it('is asked for only where someone listens', async () => {
    const { call } = createRunner(entry('liar'));
    const seen: object[] = [];
    const channel = { ...createChannel(), progress: (report: object) => seen.push(report) };
    expect(textOf(await call('vague', { ...channel, wantsProgress: false }))).toBe('no one listens');
    expect(seen).toEqual([]);
    await call('vague', channel);
    expect(seen).toEqual([{ done: 10 }, { done: 20, total: 30 }]);
  });
});

describe('a call whose client answers by calling again', () => {
  it('continues where it was, and does nothing twice', async () => {
    const { call } = createRunner(LEGACY);
    const first = await call('ask_old', retries());
    if (first.kind !== 'input_required') throw new Error(JSON.stringify(first));
    const [key] = Object.keys(first.requests);
    expect(first.requests[key!]).toMatchObject({ method: 'elicitation/create', params: { message: 'Who?' } });
    const answer = { [key!]: { action: 'accept', content: { name: 'Ada' } } };
    expect(textOf(await call('ask_old', retries(answer)))).toBe('accept Ada, run 1');
  });

  it('begins again with answers that no one asked for, or to another call', async () => {
    const { call } = createRunner(LEGACY);
    const first = await call('ask_old', retries());
    const [key] = Object.keys(first.kind === 'input_required' ? first.requests : {});
    const answer = { action: 'accept', content: { name: 'Eve' } };
    expect((await call('ask_old', retries({ 'guess:0:question': answer }))).kind).toBe('input_required');
    expect((await call('ask', retries({ [key!]: answer }))).kind).toBe('input_required');
  });

  it('answers for another one of its client, although the server has ended it meanwhile', async () => {
    const { call } = createRunner(LEGACY);
    const channel = (answers?: Record<string, unknown>) => ({ ...retries(answers), client: CLIENT });
    for (const [input, received] of [
      [{ action: 'accept', content: { name: 'Ada' } }, /accept Ada/],
      ['nonsense', /The call whose client was asked has ended/],
    ] as const) {
      await call('echo', channel(), { text: 'open' });
      const asking = call('ask_old', channel());
      const questions = await call('gate', channel());
      const [key] = Object.keys(questions.kind === 'input_required' ? questions.requests : {});
      await call('open_gate', channel());
      await call('echo', channel(), { text: 'the server has ended it' });
      expect(textOf(await call('gate', channel({ [key!]: input })))).toBe('through');
      expect(JSON.stringify(await asking)).toMatch(received);
    }
  });

  it('ends with PLUGIN_CRASHED when the server has died meanwhile, and begins again', async () => {
    const { call } = createRunner(LEGACY);
    const first = await call('ask_old', retries());
    const [key] = Object.keys(first.kind === 'input_required' ? first.requests : {});
    expect(codeOf(await call('die'))).toBe('PLUGIN_CRASHED');
    const answer = { [key!]: { action: 'accept', content: { name: 'Ada' } } };
    expect(codeOf(await call('ask_old', retries(answer)))).toBe('PLUGIN_CRASHED');
    expect(codeOf(await call('ask_old', retries()))).toBe('input_required');
  });
});

describe('the life of a mounted server', () => {
  it('ends without a call, and begins again with one', async () => {
    const { call, host, output } = createRunner(entry('liar'), 50);
    // It ends at the first question, and is started once more for the old handshake.
    const starts = () => output.filter((line) => line.startsWith('Welcome')).length / 2;
    expect(textOf(await call('good'))).toBe('good');
    expect(starts()).toBe(1);
    await waitFor(() => output.includes('Goodbye'));
    expect(textOf(await call('good'))).toBe('good');
    expect(starts()).toBe(2);
    expect(host.logged.filter(({ message }) => message.includes('ended'))).toEqual([]);
  });

  it('is not tried again at each call when it does not start', async () => {
    const script = 'console.error("started"); process.exit(3)';
    const { call, output } = createRunner({ command: process.execPath, args: ['-e', script] });
    const codes: string[] = [];
    for (let i = 0; i < 50; i++) codes.push(codeOf(await call('any')));
    expect(new Set(codes)).toEqual(new Set(['PLUGIN_UNAVAILABLE']));
    expect(output.length).toBeLessThan(20);
  });

  it('ends what it printed on its protocol in the log', async () => {
    const { call, output } = createRunner(entry('liar'));
    await call('good');
    expect(output).toContain('Welcome to the liar!');
  });

  it('is over when it writes no more, although it is alive', async () => {
    const { call } = createRunner(entry('askers'));
    const outcome = await call('closes_output');
    expect(codeOf(outcome)).toBe('PLUGIN_CRASHED');
    expect(JSON.stringify(outcome)).toContain('it writes no more');
  });

  it('is over when it reads no more, although it is alive', async () => {
    const { call } = createRunner(entry('askers'));
    expect(textOf(await call('closes_input'))).toBe('closed');
    const outcome = await call('works');
    expect(codeOf(outcome)).toBe('PLUGIN_CRASHED');
    expect(JSON.stringify(outcome)).toContain('it reads no more');
  });

  it('says which folder it was to be started in, where there is none', async () => {
    const { call } = createRunner({ ...entry('official'), cwd: '/no/such/folder' });
    const outcome = await call('echo');
    expect(codeOf(outcome)).toBe('PLUGIN_UNAVAILABLE');
    expect(JSON.stringify(outcome)).toContain('/no/such/folder');
  });

  it('completes nothing where the server does not, and does not reject', async () => {
    const { runner } = createRunner(entry('liar'));
    expect(
      await runner.complete(
        { ref: { type: 'prompt', name: 'mcp.m.x' }, argument: 'a', value: '', knownArguments: {} },
        createChannel(),
      ),
    ).toEqual({
      values: [],
    });
  });
});
