import { setTimeout as delay } from 'node:timers/promises';
import type { CallChannel } from '@mortise/plugin/runtime';
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
  LEGACY,
  retries,
  runnersOf,
  textOf,
} from './mounted-runners.js';

const reaper = openReaper();
afterAll(() => reaper.close());
const createRunner = runnersOf(reaper);

describe('a question of a server that does not say which call it belongs to', () => {
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
});

describe('a log line of a server', () => {
  it('goes to the client that called, whatever its level (modern)', () =>
    expectLogHeard(createRunner(entry('official'))));
});

describe('a resource of a server', () => {
  it('is told of once when it changes once (modern)', () => expectToldOnce(createRunner(entry('official'))));

  it('does not start the server again that ended after it was disposed of', async () => {
    const { runner, call, openings } = createRunner(LEGACY);
    runner.watchResource({ key: 'note://today', uri: 'note://today', variables: {} });
    await call('echo', createChannel(), { text: '' });
    const dying = call('die');
    void runner.dispose();
    expect(codeOf(await dying)).toBe('PLUGIN_CRASHED');
    // It would be started at once.
    await delay(300);
    expect(openings()).toBe(1);
  });
});

describe('a call whose client answers by calling again', () => {
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
});

describe('the life of a mounted server', () => {
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

  it('is over when it reads no more, although it is alive', async () => {
    const { call } = createRunner(entry('askers'));
    expect(textOf(await call('closes_input'))).toBe('closed');
    const outcome = await call('works');
    expect(codeOf(outcome)).toBe('PLUGIN_CRASHED');
    expect(JSON.stringify(outcome)).toContain('it reads no more');
  });

  it('completes nothing where the server does not, and does not reject', async () => {
    const { runner } = createRunner(entry('liar'));
    const work = { do: 'complete', ref: { type: 'prompt', name: 'mcp.m.x' }, argument: 'a', value: '' } as const;
    const completing = runner.run({ ...work, knownArguments: {} }, createChannel());
    expect(await completing).toMatchObject({ kind: 'error', errors: [expect.anything()] });
  });
});
