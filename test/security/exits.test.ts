import { describe, expect, it } from 'vitest';
import { shared } from '../support/clients.js';
import { COMMANDS, EXITS, openLeakyServer, outputOf, refusedCommands } from './exits/exits.js';
import { leaksIn } from './exits/leaky-files.js';
import { sample } from './secrets/sample.js';

const SECRET = `ghp_${sample('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', 36)}`;
/** One secret as a text and in a value: every row of the corpus is tried in the slow tier. */
const ROWS = [`got ${SECRET}, stored`, { note: { token: SECRET } }].map((input) => ({
  detector: 'github',
  input,
  secrets: [SECRET],
  stays: [],
}));

const server = shared((finished) => openLeakyServer(ROWS, finished));

function expectRedacted(output: string): void {
  expect(output).toContain('[REDACTED]');
  expect(leaksIn(output, ROWS)).toEqual([]);
}

describe('a secret does not leave by', () => {
  it.each(Object.entries(EXITS))('%s', async (_, outputBy) => expectRedacted(await outputBy(server())));

  it.each(COMMANDS.map((args) => [args.join(' '), args] as const))('mortise %s', (_, args) =>
    expectRedacted(outputOf(server().workplace, args)),
  );

  it('arguments that mortise refuses', () => {
    const [args] = refusedCommands(`got ${SECRET}`);
    expectRedacted(outputOf(server().workplace, args!));
  });
});
