import { generateKeyPairSync } from 'node:crypto';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, stdioTransport } from '../support/clients.js';
import { logOf, progressOf } from '../support/observe.js';
import { waitFor } from '../support/wait-for.js';
import { linkContract, makeWorkplace, removeWorkplace, type Workplace } from '../support/workplace.js';
import { LEAKY_SETTINGS, leakyFiles, stringsOf, stringsOfLines } from './exits/leaky-files.js';

/** A private key that arrives line by line, through every exit of a real server process that takes lines. */
const workplace: Workplace = makeWorkplace(
  { ...leakyFiles(), 'rows.json': JSON.stringify(Array.from({ length: 20 }, (_, at) => `row ${at}`)) },
  LEAKY_SETTINGS,
);
linkContract(workplace);
afterAll(() => removeWorkplace(workplace));

/** A plugin that crashes is started again after pauses. */
const MANY = { timeout: 120_000 };
const NO_CHECK = { sent() {}, received() {}, violations: [] };
const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const key = privateKey.trimEnd().split('\n');
const publicLines = publicKey.trimEnd().split('\n');
const body = key.slice(1, -1);

/** What is sent, line by line: the whole key, its end alone, its beginning alone. */
const PIECES = {
  'a key': ['before', ...key, 'after'],
  'the end of a key': ['before', ...key.slice(-4), 'after'],
  'the beginning of a key': ['before', ...key.slice(0, 12), 'after'],
  'a key with times': key.map((line, at) => `2026-11-24T10:00:${at}Z INFO ${line}`),
};

describe.each(Object.entries(PIECES))('%s', (_name, lines) => {
  let client: Client;
  let log: () => string;
  let progress: object[];
  const notified: unknown[] = [];

  beforeAll(async () => {
    client = createClient('2025-11-25');
    client.fallbackNotificationHandler = async (notification) => void notified.push(notification);
    await client.connect(stdioTransport(workplace, [], NO_CHECK));
    log = logOf(client);
    progress = progressOf(client);
  });
  afterAll(() => client.close());

  const call = (name: string, args: object = {}) =>
    client
      .callTool({ name, arguments: { lines, ...args } }, { onprogress: () => {} })
      .catch((error) => ({ message: String(error), data: error.data }));
  const expectNone = (redacted: string) => expect(body.filter((line) => redacted.includes(line))).toEqual([]);

  it.each([
    'lines_as_blocks',
    'lines_as_list',
    'lines_thrown',
    'lines_reported',
    'lines_logged',
    'lines_in_fields',
    'mcp_leaky_lines_notified',
    'mcp_leaky_lines_printed',
  ])('%s', MANY, async (name) => {
    expectNone(stringsOf(await call(name)));
    expectNone(stringsOf(await call(name, { machineReadable: true })));
  });

  it.each(['log', 'error'])('lines_printed and lines_before_crash by console.%s', MANY, async (to) => {
    expectNone(stringsOf(await call('lines_printed', { to })));
    const crashed = stringsOf(await call('lines_before_crash', { to }));
    expect(crashed).toContain('PLUGIN_CRASHED');
    expectNone(crashed);
  });

  it('a mounted server that crashes', MANY, async () => {
    const crashed = stringsOf(await call('mcp_leaky_lines_before_crash'));
    expect(crashed).toContain('PLUGIN_CRASHED');
    expectNone(crashed);
  });

  it('of all that, nothing is in the log, in progress or among the messages to the client', MANY, async () => {
    await call('lines_logged', { lines: ['the last line'] });
    await waitFor(() => log().includes('the last line'));
    expectNone(stringsOfLines(log()));
    expectNone(stringsOf(progress));
    expectNone(stringsOf(notified));
    expect(log()).toContain('REDACTED');
  });
});

it('a public key line by line stays', MANY, async () => {
  const client = createClient('2025-11-25');
  await client.connect(stdioTransport(workplace, [], NO_CHECK));
  const redacted = stringsOf(await client.callTool({ name: 'lines_as_blocks', arguments: { lines: publicLines } }));
  for (const line of publicLines) expect(redacted).toContain(line);
  await client.close();
});
