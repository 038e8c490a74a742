import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { askInTerminal } from '../../../src/cli/call/ask-in-terminal.js';
import { createStyle } from '../../../src/cli/shared/style.js';
import type { Terminal } from '../../../src/cli/shared/terminal.js';
import { record } from '../run-mortise.js';

const REQUESTS = {
  who: {
    method: 'elicitation/create' as const,
    params: {
      message: 'Who are you?',
      requestedSchema: {
        type: 'object',
        properties: { name: { type: 'string' }, age: { type: 'integer' } },
        required: ['name', 'age'],
      },
    },
  },
};

/** A terminal at which a test types. */
function atTerminal() {
  const keys = new PassThrough();
  const screen = new PassThrough();
  const terminal = {
    stdin: keys,
    stderr: screen,
    style: createStyle({ hasUnicode: true, hasColour: false }),
    err: (lines: string) => void screen.write(`${lines}\n`),
  } as unknown as Terminal;
  return { keys, screen: record(screen), terminal };
}

describe('askInTerminal', () => {
  it('asks again until each answer fits', async () => {
    const { keys, screen, terminal } = atTerminal();
    const answers = askInTerminal(REQUESTS, { terminal, signal: new AbortController().signal, onInterrupt: () => {} });
    await screen.untilOutput('name: ');
    keys.write('Ada\r');
    await screen.untilOutput('age (whole number): ');
    keys.write('old\r');
    await screen.untilOutput('Enter a whole number.');
    keys.write('36\r');
    expect(await answers).toEqual({ who: { action: 'accept', content: { name: 'Ada', age: 36 } } });
  });

  it('takes Ctrl+D for a cancel', async () => {
    const { keys, screen, terminal } = atTerminal();
    const answers = askInTerminal(REQUESTS, { terminal, signal: new AbortController().signal, onInterrupt: () => {} });
    await screen.untilOutput('name: ');
    keys.write('\u0004');
    expect(await answers).toEqual({ who: { action: 'cancel' } });
  });

  it('passes Ctrl+C on', async () => {
    const { keys, screen, terminal } = atTerminal();
    const cancel = new AbortController();
    const answers = askInTerminal(REQUESTS, { terminal, signal: cancel.signal, onInterrupt: () => cancel.abort() });
    await screen.untilOutput('name: ');
    keys.write('\u0003');
    expect(await answers).toEqual({ who: { action: 'cancel' } });
    expect(cancel.signal.aborted).toBe(true);
  });

  it('ends with the call', async () => {
    const { screen, terminal } = atTerminal();
    const cancel = new AbortController();
    const answers = askInTerminal(REQUESTS, { terminal, signal: cancel.signal, onInterrupt: () => {} });
    await screen.untilOutput('name: ');
    cancel.abort();
    expect(await answers).toEqual({ who: { action: 'cancel' } });
  });
});

describe('askInTerminal for a page', () => {
  const page = {
    pay: {
      method: 'elicitation/create' as const,
      params: { mode: 'url', message: 'Pay', url: 'https://example.org/pay', elicitationId: 'e1' },
    },
  };

  it.each([
    ['accept\r', 'accept'],
    ['Y\r', 'accept'],
    ['decline\r', 'decline'],
    ['n\r', 'decline'],
    ['cancel\r', 'cancel'],
    ['\u0004', 'cancel'],
  ])('shows the URL, and takes %j for %s', async (typed, action) => {
    const { keys, screen, terminal } = atTerminal();
    const answers = askInTerminal(page, { terminal, signal: new AbortController().signal, onInterrupt: () => {} });
    expect(await screen.untilOutput('(accept or decline): ')).toMatch(/^Pay .*\n {2}https:\/\/example\.org\/pay\n/);
    keys.write(typed);
    expect(await answers).toEqual({ pay: { action } });
  });

  it('asks again for any other answer', async () => {
    const { keys, screen, terminal } = atTerminal();
    const answers = askInTerminal(page, { terminal, signal: new AbortController().signal, onInterrupt: () => {} });
    await screen.untilOutput('(accept or decline): ');
    keys.write('perhaps\r');
    await screen.untilOutput('Enter accept or decline.');
    keys.write('d\r');
    expect(await answers).toEqual({ pay: { action: 'decline' } });
  });
});
