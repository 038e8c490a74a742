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
