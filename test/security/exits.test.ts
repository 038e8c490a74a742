import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, stdioTransport } from '../support/clients.js';
import { logOf, progressOf } from '../support/observe.js';
import { waitFor } from '../support/wait-for.js';
import {
  BIN,
  createWorkplace,
  linkContract,
  makeWorkplace,
  removeWorkplace,
  type Workplace,
} from '../support/workplace.js';
import { LEAKY_SETTINGS, leaksIn, leakyFiles, ROWS, stringsOf, stringsOfLines, TEXTS } from './exits/leaky-files.js';

/**
 * Every exit of a real server process × every secret of the corpus that the redactor finds: what no exit shows was whole when
 * it was redacted.
 */
const workplace: Workplace = makeWorkplace(leakyFiles(), LEAKY_SETTINGS);
linkContract(workplace);
afterAll(() => removeWorkplace(workplace));

/** What the server writes is checked elsewhere: the schemas of the protocol would take most of the time here. */
const NO_CHECK = { sent() {}, received() {}, violations: [] };
const MANY = { timeout: 300_000 };
/** Requests: as many calls as a plugin runs at once. */
const AT_ONCE = 4;
/** Characters that the log takes of one plugin in a second, with room for what a line costs. */
const LOG_CHUNK = 40;

it('the corpus has enough of them', () => {
  expect(ROWS.length).toBeGreaterThan(450);
  expect(new Set(ROWS.map(({ detector }) => detector)).size).toBeGreaterThan(100);
});

describe('no secret leaves by', () => {
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

  const call = (name: string, args: Record<string, unknown> = {}) =>
    client.callTool({ name, arguments: args }, { timeout: 60_000 });
  const item = async (ask: (at: number) => Promise<unknown>) => {
    const output: unknown[] = [];
    const next = async (at: number): Promise<void> => {
      if (at >= ROWS.length) return;
      output.push(await ask(at).catch(errorOf));
      return next(at + AT_ONCE);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, (_, first) => next(first)));
    expect(JSON.stringify(output)).not.toContain('TOOL_BUSY');
    return output;
  };

  it.each(['blocks', 'structured', 'json', 'failed', 'errors'])('a result: %s', MANY, async (name) => {
    expect(leaksIn(stringsOf(await call(name)))).toEqual([]);
    expect(leaksIn(stringsOf(await call(name, { machineReadable: true })))).toEqual([]);
    expect(leaksIn(stringsOf(await call(`mcp_leaky_${name}`).catch(errorOf)))).toEqual([]);
  });

  it('what is thrown', MANY, async () => {
    expect(leaksIn(stringsOf(await item((at) => call('thrown', { at }))))).toEqual([]);
    expect(leaksIn(stringsOf(await item((at) => call('thrown_value', { at }))))).toEqual([]);
    expect(leaksIn(stringsOf(await item((at) => call('mcp_leaky_rejected', { at }))))).toEqual([]);
  });

  it('arguments that do not fit, and unknown names', MANY, async () => {
    const text = (at: number) => TEXTS[at]!;
    expect(leaksIn(stringsOf(await item((at) => call('strict', { choice: ROWS[at]!.input, text: text(at) }))))).toEqual(
      [],
    );
    expect(leaksIn(stringsOf(await item((at) => call('strict', { action: text(at), [text(at)]: 1 }))))).toEqual([]);
    expect(leaksIn(stringsOf(await item((at) => call(text(at)))))).toEqual([]);
    expect(leaksIn(stringsOf(await item((at) => client.readResource({ uri: text(at) }))))).toEqual([]);
    expect(leaksIn(stringsOf(await item((at) => client.getPrompt({ name: text(at) }))))).toEqual([]);
    expect(
      leaksIn(
        stringsOf(
          await item((at) =>
            client.complete({ ref: { type: 'ref/prompt', name: text(at) }, argument: { name: 'x', value: text(at) } }),
          ),
        ),
      ),
    ).toEqual([]);
  });

  it('resources, prompts and lists', MANY, async () => {
    const output = [
      await client.readResource({ uri: 'leaky://all' }),
      await client.getPrompt({ name: 'all' }),
      await client.listTools(),
      await client.listResources(),
      await client.listPrompts(),
      await client.readResource({ uri: 'mortise://plugins' }),
      await call('builtin.plugins', { action: 'List' }).catch(errorOf),
    ];
    expect(JSON.stringify(output)).toContain('listed_0');
    expect(leaksIn(stringsOf(output))).toEqual([]);
  });

  it('progress', MANY, async () => {
    for (let at = 0; at < ROWS.length; at++)
      await client.callTool({ name: 'progress', arguments: { at } }, { onprogress: () => {} });
    expect(progress.length).toBeGreaterThan(ROWS.length / 2);
    expect(leaksIn(stringsOf(progress))).toEqual([]);
  });

  it('the log, as its lines and to the client', MANY, async () => {
    for (const name of ['log', 'print']) {
      for (let from = 0; from < ROWS.length; from += LOG_CHUNK) {
        await call(name, { from, to: Math.min(from + LOG_CHUNK, ROWS.length) });
        // What the log does not take in a second it counts: the next rows wait until it takes a line again.
        await waitFor(async () => {
          const marker = `mark ${name} ${from} ${log().length}`;
          await call('lines_logged', { lines: [marker] });
          return log().includes(marker);
        });
      }
    }
    expect(log().length).toBeGreaterThan(ROWS.length * 100);
    expect(leaksIn(stringsOfLines(log()))).toEqual([]);
    expect(leaksIn(stringsOf(notified))).toEqual([]);
  });

  it('files: the pins', async () => {
    const file = join(workplace.folder, 'mortise.lock.json');
    await waitFor(() => existsSync(file));
    expect(leaksIn(stringsOfLines(readFileSync(file, 'utf8')))).toEqual([]);
    expect(leaksIn(stringsOf(JSON.parse(readFileSync(file, 'utf8'))))).toEqual([]);
  });
});

describe('no secret leaves by the command line:', () => {
  const runIn = ({ config, folder, env }: Workplace, ...args: string[]) => {
    const { stdout, stderr } = spawnSync(process.execPath, [BIN, ...args, '--config', config], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    return stringsOfLines(`${stdout}\n${stderr}\n${stdout.replaceAll('\n', ' ')}`) + stringsOf(stdout);
  };
  const run = (...args: string[]) => runIn(workplace, ...args);

  it.each([
    ['list'],
    ['list', '--json'],
    ['validate'],
    ['validate', '--json'],
    ['doctor', '--json'],
    ['call', 'blocks'],
  ])('mortise %s %s', MANY, (...args) => {
    expect(leaksIn(run(...args.filter((arg) => arg !== undefined)))).toEqual([]);
  });

  it('arguments that it refuses', MANY, () => {
    // Without the plugins whose definitions take long to read.
    const { 'plugins/leaky.cjs': leaky, 'rows.json': json } = leakyFiles();
    const small = createWorkplace({ 'plugins/leaky.cjs': leaky!, 'rows.json': json! });
    linkContract(small);
    const rows = ROWS.filter(({ input }, at) => typeof input === 'string' && !/[\n\r]/.test(input) && at % 200 === 0);
    for (const row of rows) {
      const text = row.input as string;
      expect(leaksIn(runIn(small, 'call', text), [row])).toEqual([]);
      // --arg splits at the first '=': a secret that holds one is two texts then, and neither has its format.
      if (!text.includes('=')) expect(leaksIn(runIn(small, 'call', 'strict', '--arg', text), [row])).toEqual([]);
      expect(leaksIn(runIn(small, 'call', 'strict', '--arg', `text=${text}`), [row])).toEqual([]);
    }
  });
});

/** What an official client makes of a JSON-RPC error. */
const errorOf = (error: unknown) => {
  const { message, data, code } = error as { message: string; data?: unknown; code?: unknown };
  return { message, data, code };
};
