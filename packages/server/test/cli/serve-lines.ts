import { waitFor } from '../../../../test/support/wait-for.js';
import { expectValidWire } from '../../../../test/support/wire-check.js';
import type { Workplace } from '../../../../test/support/workplace.js';
import { type Finished, finish, record, startMortise } from './run-mortise.js';

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
export const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };
export const callOf = (id: number, name: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: {} },
});
export const lines = (...messages: object[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join('');

export const idsIn = (text: string): unknown[] =>
  text
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => JSON.parse(line).id ?? []);

/**
 * Serves these lines over stdio, and ends the input when all are answered. What comes out is checked against the schema
 * of the protocol.
 */
export async function serveLines(workplace: Workplace, stdin: string, flags: string[] = []): Promise<Finished> {
  const child = startMortise(workplace, ['serve', ...flags]);
  const finished = finish(child);
  const stdout = record(child.stdout);
  child.stdin.write(stdin);
  await waitFor(() => idsIn(stdout.text()).length === idsIn(stdin).length || child.exitCode !== null);
  child.stdin.end();
  const end = await finished;
  expectValidWire(stdin, end.stdout);
  return end;
}
