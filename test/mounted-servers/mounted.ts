import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Client, ClientOptions } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { connect, shared, stop, VERSIONS, type Version } from '../support/clients.js';
import { createWorkplace, type Finished, ROOT, type Workplace } from '../support/workplace.js';

export const serverFile = (name: string) => `${ROOT}test/mounted-servers/${name}.mjs`;
export const entry = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [serverFile(name), ...args],
});
/** Servers built with the official SDK, by what they speak. */
export const OFFICIAL = { modern: entry('official'), legacy: entry('official', '--legacy') };
export const KINDS = Object.keys(OFFICIAL) as (keyof typeof OFFICIAL)[];

/** The client's version and the mounted server's, in all pairs. */
export const PAIRS = VERSIONS.flatMap((version) => KINDS.map((kind) => ({ version, kind })));

/** What `official.mjs` wants over HTTP. */
export const HEADERS = { Authorization: 'Bearer top-secret-bearer' };

/** A workplace that mounts these servers. */
export const mount = (McpServers: object, plugins: object = {}, finished?: Finished) =>
  createWorkplace({}, { Plugins: { Directory: 'plugins', McpServers, ...plugins } }, finished);

export function open(
  workplace: Workplace,
  version: Version = '2025-11-25',
  options?: ClientOptions,
  prepare?: (client: Client) => void,
  finished?: Finished,
): Promise<Client> {
  return connect(workplace, { transport: 'stdio', version }, options, prepare, [], finished);
}

/** A workplace with these servers and a client of it, for the tests of a `describe` that change nothing in them. */
export const sharedClient = (McpServers: object, version?: Version) =>
  shared(async (finished) => {
    const workplace = mount(McpServers, {}, finished);
    return { workplace, client: await open(workplace, version, {}, undefined, finished) };
  });

/** Calls a tool of the server that is mounted as `m`. */
export const call = (client: Client, name: string, args: Record<string, unknown> = {}, options = {}) =>
  client.callTool({ name: `mcp_m_${name}`, arguments: args }, options);

/** A mounted server over HTTP on the port, or a free one; it ends with the test, or what shares it. */
export const startHttp = (args: string[], port = 0, finished?: Finished) =>
  startServer('official', [`--http=${port}`, ...args], finished);

/** One that prints its port; it ends with the test, or what shares it. `output` is what it wrote to stderr. */
export async function startServer(
  name: string,
  args: string[],
  finished: Finished = onTestFinished,
): Promise<{ process: ChildProcess; port: number; url: string; output(): string }> {
  const child = spawn(process.execPath, [serverFile(name), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  finished(() => stop(child));
  let output = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  const [line] = await once(child.stdout!, 'data');
  const real = Number(String(line));
  return { process: child, port: real, url: `http://127.0.0.1:${real}/mcp`, output: () => output };
}

/** What a client lists now. */
export const toolNames = async (client: Client) =>
  (await client.listTools(undefined, { cacheMode: 'refresh' })).tools.map(({ name }) => name);
