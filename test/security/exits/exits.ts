import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { createClient, stdioTransport } from '../../support/clients.js';
import { logOf, progressOf } from '../../support/observe.js';
import { waitFor } from '../../support/wait-for.js';
import { BIN, createWorkplace, type Finished, linkContract, type Workplace } from '../../support/workplace.js';
import type { SecretRow } from '../secrets/rows.js';
import { LEAKY_SETTINGS, leakyFiles, stringsOf, stringsOfLines, textOf } from './leaky-files.js';

/** A server process whose plugins say these rows, and its client. */
interface LeakyServer {
  readonly rows: readonly SecretRow[];
  readonly workplace: Workplace;
  readonly client: Client;
  log(): string;
  readonly progress: readonly object[];
  /** Every notification but those of progress. */
  readonly notified: readonly unknown[];
}

/** What the server writes is checked elsewhere: the schemas of the protocol would take most of the time here. */
const NO_CHECK = { sent() {}, received() {}, violations: [] };
const CALL = { timeout: 300_000 };
/** Requests: as many calls as a plugin runs at once. */
const AT_ONCE = 4;
/** Characters that the log takes of one plugin in a second, with room for what a line costs. */
const LOG_CHUNK = 40;

export async function openLeakyServer(rows: readonly SecretRow[], finished: Finished): Promise<LeakyServer> {
  const workplace = createWorkplace(leakyFiles(rows), LEAKY_SETTINGS, finished);
  linkContract(workplace);
  const notified: unknown[] = [];
  const client = createClient('2025-11-25');
  client.fallbackNotificationHandler = async (notification) => void notified.push(notification);
  await client.connect(stdioTransport(workplace, [], NO_CHECK));
  finished(() => client.close());
  return { rows, workplace, client, log: logOf(client), progress: progressOf(client), notified };
}

const call = ({ client }: LeakyServer, name: string, args: Record<string, unknown> = {}) =>
  client.callTool({ name, arguments: args }, CALL);

/** What comes of asking for each row. */
async function each(server: LeakyServer, ask: (at: number, text: string) => Promise<unknown>): Promise<string> {
  const output: unknown[] = [];
  const next = async (at: number): Promise<void> => {
    const row = server.rows[at];
    if (row === undefined) return;
    output.push(await ask(at, textOf(row)).catch(errorOf));
    return next(at + AT_ONCE);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, first) => next(first)));
  expect(JSON.stringify(output)).not.toContain('TOOL_BUSY');
  return stringsOf(output);
}

/** What an official client makes of a JSON-RPC error. */
function errorOf(error: unknown) {
  const { message, data, code } = error as { message: string; data?: unknown; code?: unknown };
  return { message, data, code };
}

async function logged(server: LeakyServer, name: string): Promise<string> {
  const { rows, log } = server;
  for (let from = 0; from < rows.length; from += LOG_CHUNK) {
    await call(server, name, { from, to: Math.min(from + LOG_CHUNK, rows.length) });
    // What the log does not take in a second it counts: the next rows wait until it takes a line again.
    await waitFor(async () => {
      const marker = `mark ${name} ${from} ${log().length}`;
      await call(server, 'lines_logged', { lines: [marker] });
      return log().includes(marker);
    });
  }
  return stringsOfLines(log()) + stringsOf(server.notified);
}

const result = async (server: LeakyServer, name: string): Promise<string> =>
  stringsOf([
    await call(server, name),
    await call(server, name, { machineReadable: true }),
    await call(server, `mcp_leaky_${name}`).catch(errorOf),
  ]);

/** Everything that came out by each exit of a server process. */
export const EXITS: Readonly<Record<string, (server: LeakyServer) => Promise<string>>> = {
  'a result of blocks': (server) => result(server, 'blocks'),
  'a result with structured content': (server) => result(server, 'structured'),
  'a result that is JSON': (server) => result(server, 'json'),
  'a result that failed': (server) => result(server, 'failed'),
  'a result with errors': (server) => result(server, 'errors'),
  'what is thrown': (server) => each(server, (at) => call(server, 'thrown', { at })),
  'a value that is thrown': (server) => each(server, (at) => call(server, 'thrown_value', { at })),
  'an error of a mounted server': (server) => each(server, (at) => call(server, 'mcp_leaky_rejected', { at })),
  'arguments of a wrong value': (server) =>
    each(server, (at, text) => call(server, 'strict', { choice: server.rows[at]!.input, text })),
  'arguments of a wrong name': (server) =>
    each(server, (_, text) => call(server, 'strict', { action: text, [text]: 1 })),
  'an unknown tool': (server) => each(server, (_, text) => call(server, text)),
  'an unknown resource': (server) => each(server, (_, uri) => server.client.readResource({ uri })),
  'an unknown prompt': (server) => each(server, (_, name) => server.client.getPrompt({ name })),
  'an unknown completion': (server) =>
    each(server, (_, text) =>
      server.client.complete({ ref: { type: 'ref/prompt', name: text }, argument: { name: 'x', value: text } }),
    ),
  'a completion': async ({ client }) =>
    stringsOf(
      await client.complete({ ref: { type: 'ref/prompt', name: 'completed' }, argument: { name: 'x', value: '' } }),
    ),
  'a resource': async ({ client }) => stringsOf(await client.readResource({ uri: 'leaky://all' })),
  'a prompt': async ({ client }) => stringsOf(await client.getPrompt({ name: 'all' })),
  lists: async ({ client }) => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('listed_0');
    return stringsOf([tools, await client.listResources(), await client.listPrompts()]);
  },
  'the state of plugins': async (server) =>
    stringsOf([
      await server.client.readResource({ uri: 'mortise://plugins' }),
      await call(server, 'builtin.plugins', { action: 'List' }).catch(errorOf),
    ]),
  progress: async ({ client, rows, progress }) => {
    for (let at = 0; at < rows.length; at++)
      await client.callTool({ name: 'progress', arguments: { at } }, { ...CALL, onprogress: () => {} });
    expect(progress.length).toBeGreaterThan(rows.length / 2);
    return stringsOf(progress);
  },
  'the log, as its lines and to the client': (server) => logged(server, 'log'),
  'what is printed': (server) => logged(server, 'print'),
  'the file of pins': async ({ workplace }) => {
    const file = join(workplace.folder, 'mortise.lock.json');
    await waitFor(() => existsSync(file));
    const text = readFileSync(file, 'utf8');
    return stringsOfLines(text) + stringsOf(JSON.parse(text));
  },
};

/** Commands that show what plugins say. */
export const COMMANDS: readonly string[][] = [
  ['list'],
  ['list', '--json'],
  ['validate'],
  ['validate', '--json'],
  ['doctor', '--json'],
  ['call', 'blocks'],
];

/** Everything that a command wrote. */
export function outputOf({ config, folder, env }: Workplace, args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, [BIN, ...args, '--config', config], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  return stringsOfLines(`${stdout}\n${stderr}\n${stdout.replaceAll('\n', ' ')}`) + stringsOf(stdout);
}

/** Commands with arguments that are refused. */
export function refusedCommands(text: string): string[][] {
  return [
    ['call', text],
    // --arg splits at the first '=': a secret that holds one is two texts then, and neither has its format.
    ...(text.includes('=') ? [] : [['call', 'strict', '--arg', text]]),
    ['call', 'strict', '--arg', `text=${text}`],
  ];
}
