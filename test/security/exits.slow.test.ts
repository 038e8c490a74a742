import { describe, expect, it } from 'vitest';
import { shared } from '../support/clients.js';
import { createWorkplace, linkContract } from '../support/workplace.js';
import { COMMANDS, EXITS, openLeakyServer, outputOf, refusedCommands } from './exits/exits.js';
import { leaksIn, leakyFiles, ROWS } from './exits/leaky-files.js';

/**
 * Every exit of a real server process × every secret of the corpus that the redactor finds: what no exit shows was whole when
 * it was redacted.
 */
const server = shared((finished) => openLeakyServer(ROWS, finished));

it('the corpus has enough of them', () => {
  expect(ROWS.length).toBeGreaterThan(450);
  expect(new Set(ROWS.map(({ detector }) => detector)).size).toBeGreaterThan(100);
});

describe('no secret leaves by', () => {
  it.each(Object.entries(EXITS))('%s', async (_, outputBy) => {
    expect(leaksIn(await outputBy(server()))).toEqual([]);
  });

  it('the log, which has all of them', () => {
    expect(server().log().length).toBeGreaterThan(ROWS.length * 100);
  });
});

describe('no secret leaves by the command line:', () => {
  it.each(COMMANDS.map((args) => [args.join(' '), args] as const))('mortise %s', (_, args) => {
    expect(leaksIn(outputOf(server().workplace, args))).toEqual([]);
  });

  it('arguments that it refuses', () => {
    // This workplace leaves out the plugins whose definitions take long to read.
    const { 'plugins/leaky.cjs': leaky, 'rows.json': json } = leakyFiles();
    const small = createWorkplace({ 'plugins/leaky.cjs': leaky!, 'rows.json': json! });
    linkContract(small);
    const rows = ROWS.filter(({ input }, at) => typeof input === 'string' && !/[\n\r]/.test(input) && at % 200 === 0);
    for (const row of rows) {
      for (const args of refusedCommands(row.input as string))
        expect(leaksIn(outputOf(small, args), [row])).toEqual([]);
    }
  });
});
