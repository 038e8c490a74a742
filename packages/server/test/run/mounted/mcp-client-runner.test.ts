import { afterAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../../../../test/support/wait-for.js';
import { openReaper } from '../../open-reaper.js';
import { createChannel } from '../process/plugins.js';
import {
  accepts,
  CLIENT,
  codeOf,
  entry,
  expectLogHeard,
  expectToldOnce,
  hearing,
  LEGACY,
  retries,
  runnersOf,
  textOf,
  WORDS,
} from './mounted-runners.js';

const reaper = openReaper();
afterAll(() => reaper.close());
const createRunner = runnersOf(reaper);

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
  it('goes to the client that called, whatever its level (legacy)', () => expectLogHeard(createRunner(LEGACY)));

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
  it('is told of once when it changes once (legacy)', () => expectToldOnce(createRunner(LEGACY)));
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

  it('is over when it writes no more, although it is alive', async () => {
    const { call } = createRunner(entry('askers'));
    const outcome = await call('closes_output');
    expect(codeOf(outcome)).toBe('PLUGIN_CRASHED');
    expect(JSON.stringify(outcome)).toContain('it writes no more');
  });

  it('says which folder it was to be started in, where there is none', async () => {
    const { call } = createRunner({ ...entry('official'), cwd: '/no/such/folder' });
    const outcome = await call('echo');
    expect(codeOf(outcome)).toBe('PLUGIN_UNAVAILABLE');
    expect(JSON.stringify(outcome)).toContain('/no/such/folder');
  });
});
