import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { Client, ClientOptions } from '@modelcontextprotocol/client';
import { expect, onTestFinished } from 'vitest';
import { createClient, type Version } from './clients.js';
import { CheckedStdioTransport, checkWire } from './wire-check.js';
import { ROOT } from './workplace.js';

export const HOST = `${ROOT}packages/server/plugin-host/Mortise.PluginHost.dll`;

/** Builds the host and the plugins of the tests, unless they are current. */
export function buildPluginHost(): void {
  const script = `${ROOT}scripts/build-plugin-host.mjs`;
  const { status, stderr } = spawnSync(process.execPath, [script, '--required', '--fixtures'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** The folder of a plugin that was built from `dotnet/fixtures`. */
export const fixtureFolder = (name: string): string => `${ROOT}dotnet/dist/fixtures/${name}/release`;
export const fixture = (name: string): string => `${fixtureFolder(name)}/${name}.dll`;

export interface HostOptions {
  version?: Version;
  /** What MORTISE_PLUGIN_CONFIG holds. */
  config?: Record<string, string>;
  client?: ClientOptions;
  prepare?(client: Client): void;
}

/** A host process with one plugin, and an official client of it; both end with the test. */
export interface OpenServer {
  readonly client: Client;
  readonly pid: number;
  /** The notifications of a method so far, as they stood on the wire: their parameters. */
  notified(method: string): Record<string, unknown>[];
  /** What it wrote to stderr so far. */
  stderr(): string;
  /** Waits until stderr has the text. */
  output(text: string): Promise<void>;
  endInput(): void;
  /** The exit code; null when a signal ended it. */
  exited(): Promise<number | null>;
  /** The text of a call's result. */
  call(tool: string, args?: Record<string, unknown>): Promise<string>;
}

export async function openHost(dll: string, options: HostOptions = {}): Promise<OpenServer> {
  const { version = '2025-11-25', config = {}, prepare } = options;
  const client = createClient(version, options.client);
  prepare?.(client);
  const wire = checkWire();
  const lines: string[] = [];
  const received = (line: string) => {
    lines.push(line);
    wire.received(line);
  };
  const env = { ...(process.env as Record<string, string>), MORTISE_PLUGIN_CONFIG: JSON.stringify(config) };
  const server = { command: 'dotnet', args: ['exec', HOST, dll], env, stderr: 'pipe' as const };
  const transport = new CheckedStdioTransport(server, { ...wire, received });
  let stderr = '';
  transport.stderr!.on('data', (chunk) => {
    stderr += String(chunk);
  });
  onTestFinished(() => client.close());
  await client.connect(transport);
  const { _process: child } = transport as unknown as { _process: ChildProcess };
  return {
    client,
    pid: transport.pid!,
    notified: (expectedMethod) =>
      lines
        .map((line) => JSON.parse(line))
        .flatMap(({ method, params }) => (method === expectedMethod ? [params] : [])),
    endInput: () => void child.stdin!.end(),
    exited: () => once(child, 'close').then(([code]) => code as number | null),
    stderr: () => stderr,
    output: (text) => expect.poll(() => stderr).toContain(text),
    call: async (name, args) => textOf(await client.callTool({ name, ...(args && { arguments: args }) })),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the SDK types a result as a union of what several versions have
export const textOf = (result: any): string => result.content.map((block: any) => block.text).join('\n');

/** A problem as the host lists it. */
export interface ListedProblem {
  severity: string;
  code: string;
  message: string;
  hint: string;
  location: { subject?: string; file?: string; line?: number };
}

export async function listProblems(client: Client): Promise<ListedProblem[]> {
  const { _meta } = await client.listTools();
  return (_meta?.['mortise/problems'] as ListedProblem[] | undefined) ?? [];
}
