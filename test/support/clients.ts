import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Client, type ClientOptions, type StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { CheckedHttpTransport, CheckedStdioTransport, checkWire, type WireCheck } from './wire-check.js';
import { BIN, type Finished, type Workplace } from './workplace.js';

/** The two protocol versions that are served. */
export const VERSIONS = ['2025-11-25', '2026-07-28'] as const;
export type Version = (typeof VERSIONS)[number];

export const TRANSPORTS = ['stdio', 'http'] as const;
export type TransportName = (typeof TRANSPORTS)[number];

/** Every way in which a client can be connected: title, transport, version. */
export const WAYS = TRANSPORTS.flatMap((transport) =>
  VERSIONS.map((version) => ({ way: `${transport} ${version}`, transport, version })),
);

export function createClient(version: Version, options: ClientOptions = {}): Client {
  const mode = version === '2025-11-25' ? 'legacy' : { pin: version };
  return new Client({ name: 'mortise-test', version: '1' }, { versionNegotiation: { mode }, ...options });
}

/**
 * What the tests of a `describe` share: opened before the first, ended after the last.
 * @param open hands what ends it to `finished`; the last one is done first
 */
export function shared<T>(open: (finished: Finished) => Promise<T>): () => T {
  let value: T;
  const ends: Parameters<Finished>[0][] = [];
  beforeAll(async () => {
    value = await open((end) => void ends.unshift(end));
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });
  return () => value;
}

/** An official client connected to a real server process on the workplace; both end with the test, or what shares them. */
export async function connect(
  workplace: Workplace,
  { transport, version }: { transport: TransportName; version: Version },
  options?: ClientOptions,
  prepare: (client: Client) => void = () => {},
  flags: string[] = [],
  finished: Finished = onTestFinished,
): Promise<Client> {
  const client = createClient(version, options);
  prepare(client);
  const way =
    transport === 'stdio'
      ? stdioTransport(workplace, flags, checkWire(finished))
      : await httpTransport(workplace, finished);
  finished(() => client.close());
  await client.connect(way);
  return client;
}

/** What the server writes is checked against the schema of the protocol. @param check by default the test fails */
export function stdioTransport(
  { config, env, folder }: Workplace,
  flags: string[] = [],
  check?: WireCheck,
): StdioClientTransport {
  const args = [BIN, 'serve', '--config', config, ...flags];
  return new CheckedStdioTransport({ command: process.execPath, args, env, cwd: folder, stderr: 'pipe' }, check);
}

async function httpTransport(workplace: Workplace, finished: Finished): Promise<StreamableHTTPClientTransport> {
  const { url } = await startHttp(workplace, [], finished);
  return new CheckedHttpTransport(new URL(url), checkWire(finished));
}

/** A server process over HTTP on a free port; it ends with the test. */
export async function startHttp(
  { config, env, folder }: Workplace,
  args: string[] = [],
  finished: Finished = onTestFinished,
): Promise<{ url: string; process: ChildProcess; stderr(): string }> {
  const child = spawn(process.execPath, [BIN, 'serve', '--http', '--port', '0', '--config', config, ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  finished(() => stop(child));
  let stderr = '';
  const lines = createInterface({ input: child.stderr! });
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      stderr += `${line}\n`;
      const found = /http:\/\/[^\s"]+\/mcp/.exec(line);
      if (found) resolve(found[0]);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${stderr}`)));
  });
  return { url, process: child, stderr: () => stderr };
}

/** Ends a process without waiting for running calls, for which a server over HTTP waits at SIGTERM. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGINT');
  await exited;
}
