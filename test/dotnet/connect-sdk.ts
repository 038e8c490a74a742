import { chmodSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Client, ClientOptions } from '@modelcontextprotocol/client';
import { createClient, stdioTransport, type Version } from '../support/clients.js';
import { realDotnet } from '../support/dotnet-program.js';
import { expectAnswer, useRecordedDotnet } from '../support/recorded-dotnet/index.js';
import { createWireCheck, expectValid } from '../support/wire-check.js';
import type { Workplace } from '../support/workplace.js';
import { type Called, sdkEnvironment } from './sdk-server.js';

export interface SdkConnectionOptions {
  version?: Version;
  /** Instead of those of the workplace. */
  settings?: object;
  env?: Record<string, string | undefined>;
  client?: ClientOptions;
  prepare?: (client: Client) => void;
}

/** A server of its own on a workplace that others may use too, and an official client of it. */
export interface SdkConnection {
  readonly client: Client;
  /** Of the server. */
  readonly pid: number;
  call(tool: string, args?: Record<string, unknown>): Promise<Called>;
  /** Everything that the server wrote so far: its messages and its log. */
  errorOutput(): string;
  /** Ends the client and the server; the workplace stays. */
  close(): Promise<void>;
}

const CALL_TIMEOUT_MS = 120_000;

export async function connectSdk(
  workplace: Workplace,
  { version = '2025-11-25', settings, env, client: options, prepare }: SdkConnectionOptions = {},
): Promise<SdkConnection> {
  const plugins = { Plugins: { Directory: 'plugins' } };
  const config = settings
    ? workplace.write(`settings-${Math.random()}.json`, JSON.stringify({ ...plugins, ...settings }))
    : workplace.config;
  const client = createClient(version, options);
  prepare?.(client);
  const wire = createWireCheck();
  let errorOutput = '';
  const transport = stdioTransport({ ...workplace, config, env: sdkEnvironment(workplace, env) }, [], {
    ...wire,
    received(line) {
      errorOutput += `${line}\n`;
      wire.received(line);
    },
  });
  transport.stderr?.on('data', (chunk) => {
    errorOutput += String(chunk);
  });
  await client.connect(transport);
  return {
    client,
    pid: transport.pid!,
    async call(tool, args = {}) {
      const answered = expectAnswer(workplace, tool, args);
      const result = await client.callTool({ name: tool, arguments: args }, { timeout: CALL_TIMEOUT_MS });
      answered(result.isError === true, result.structuredContent);
      const content = result.content as { type: string; text?: string; uri?: string }[];
      return {
        text: content.flatMap(({ type, text = '' }) => (type === 'text' ? [text] : [])).join('\n'),
        data: result.structuredContent,
        isError: result.isError === true,
        links: content.flatMap(({ uri }) => uri ?? []),
      };
    },
    errorOutput: () => errorOutput,
    async close() {
      await client.close();
      expectValid(wire);
    },
  };
}

/** Puts a `dotnet` first on PATH that records its arguments and then is the real one. */
export function recordCommands(workplace: Workplace): { env: { PATH: string }; recorded(): string[] } {
  useRecordedDotnet(workplace);
  const record = workplace.write('record.txt', '');
  const env = putFirst(workplace, `printf '%s\\n' "$*" >> '${record}'\nexec '${realDotnet(workplace.env.PATH)}' "$@"`);
  return { env, recorded: () => readFileSync(record, 'utf8').split('\n').filter(Boolean) };
}

/** Puts a `dotnet` first on PATH that is the real one and keeps what a command printed to stdout. */
export function recordOutput(workplace: Workplace): { env: { PATH: string }; outputOf(command: string): string } {
  useRecordedDotnet(workplace);
  const folder = dirname(
    workplace.write('printed/README.txt', 'The output of each command, by the id of its process.'),
  );
  const file = `'${folder}'/"$1.$$.txt"`;
  const env = putFirst(workplace, `'${realDotnet(workplace.env.PATH)}' "$@" | tee ${file}\nexit "\${PIPESTATUS[0]}"`);
  return {
    env,
    outputOf(command) {
      const files = readdirSync(folder).filter((name) => name.startsWith(`${command}.`));
      const output = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
      for (const name of files) rmSync(join(folder, name));
      return output;
    },
  };
}

function putFirst(workplace: Workplace, script: string): { PATH: string } {
  const program = workplace.write('bin/dotnet', `#!/usr/bin/env bash\n${script}\n`);
  chmodSync(program, 0o755);
  return { PATH: [dirname(program), workplace.env.PATH!].join(delimiter) };
}
