import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { PROPERTIES } from '../../packages/dotnet/test/sdk.js';
import { createClient, stdioTransport } from '../support/clients.js';
import { compilerServer } from '../support/compiler-server.js';
import { expectAnswer, isReplaying, useRecordedDotnet } from '../support/recorded-dotnet/index.js';
import { createWireCheck, expectValid, type WireCheck } from '../support/wire-check.js';
import { makeWorkplace, removeWorkplace, type Workplace } from '../support/workplace.js';

/** What a call came back with: its text, and its data. */
export interface Called {
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape that it asks for
  readonly data: any;
  readonly isError: boolean;
  readonly links: readonly string[];
}

/** A real server with the real SDK on a workplace, and an official client of it. */
export interface SdkServer {
  readonly workplace: Workplace;
  readonly client: Client;
  /** Calls a tool, and looks that the result is one of the contract: text, data, isError only on failures. */
  call(tool: string, args?: Record<string, unknown>, options?: Parameters<Client['callTool']>[1]): Promise<Called>;
  /** `dotnet_project` alone. */
  project(action: string, args?: Record<string, unknown>, options?: Parameters<Client['callTool']>[1]): Promise<Called>;
  /** What the server sent as progress since the last look, as it stood on the wire: clients drop what comes late. */
  progress(): { progress: number; total?: number; message?: string }[];
  close(): Promise<void>;
}

/** Longer than any call of a test takes on a busy machine. */
const CALL_TIMEOUT_MS = 120_000;

/** A machine may switch the build servers off, as no user does; builds take half as long again then. */
const SWITCHES = ['MSBUILDDISABLENODEREUSE', 'UseSharedCompilation', 'DOTNET_CLI_USE_MSBUILD_SERVER'];

/** For tests that are about workloads. */
export const WITH_WORKLOADS = { MSBuildEnableWorkloadResolver: undefined };

/** For tests that are about the build servers of ours: they start the compiler too. */
export const OWN_COMPILER = { CustomBeforeMicrosoftCommonProps: undefined };

/** What the SDK needs of the machine's environment, and the packages that were downloaded already. */
export function sdkEnvironment(workplace: Workplace, more: Record<string, string | undefined> = {}) {
  useRecordedDotnet(workplace);
  const isOfSdk = (name: string) => /^(?:DOTNET_|NUGET_|MSBUILD|SSL_)/.test(name) && !SWITCHES.includes(name);
  const own = Object.entries(process.env).filter(([name]) => isOfSdk(name));
  const all = {
    ...PROPERTIES,
    ...(isReplaying() ? {} : compilerServer()),
    ...Object.fromEntries(own),
    ...workplace.env,
    NUGET_PACKAGES: process.env.NUGET_PACKAGES ?? join(homedir(), '.nuget/packages'),
    // Whether code is loaded in time depends on the machine, so only the tests of repairs wait for code fixes.
    Dotnet__FixWaitMs: '0',
    ...more,
  };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

type Variables = Record<string, string | undefined>;

/** @param env added to that of the server, or what makes it of the workplace; undefined takes a variable away */
export async function startSdkServer(
  files: Record<string, string> = {},
  settings: object = {},
  env: Variables | ((workplace: Workplace) => Variables) = {},
): Promise<SdkServer> {
  const workplace = makeWorkplace(files, { Dotnet: { Enabled: true }, ...settings });
  useRecordedDotnet(workplace);
  const more = typeof env === 'function' ? env(workplace) : env;
  const client = createClient('2025-11-25');
  const wire = createWireCheck();
  let progress: ReturnType<SdkServer['progress']> = [];
  const watch: WireCheck = {
    ...wire,
    received(line) {
      wire.received(line);
      const { method, params } = JSON.parse(line) as { method?: string; params: (typeof progress)[number] };
      if (method === 'notifications/progress') progress.push(params);
    },
  };
  await client.connect(stdioTransport({ ...workplace, env: sdkEnvironment(workplace, more) }, [], watch));
  const call: SdkServer['call'] = async (tool, args = {}, options = {}) => {
    const answered = expectAnswer(workplace, tool, args);
    const result = await client.callTool({ name: tool, arguments: args }, { timeout: CALL_TIMEOUT_MS, ...options });
    answered(result.isError === true, result.structuredContent);
    const content = result.content as { type: string; text?: string; uri?: string }[];
    return {
      text: content.flatMap(({ type, text = '' }) => (type === 'text' ? [text] : [])).join('\n'),
      data: result.structuredContent,
      isError: result.isError === true,
      links: content.flatMap(({ uri }) => uri ?? []),
    };
  };
  return {
    workplace,
    client,
    call,
    project: (action, args = {}, options = {}) => call('dotnet_project', { action, ...args }, options),
    progress() {
      const seen = progress;
      progress = [];
      return seen;
    },
    async close() {
      await client.close();
      expectValid(wire);
      removeWorkplace(workplace);
    },
  };
}

/** A project of one target framework. */
export function projectXml(properties = '', items = '', framework = 'net10.0'): string {
  return `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>${framework}</TargetFramework>
    ${properties}
  </PropertyGroup>
  ${items}
</Project>
`;
}

export const CONSOLE = '<OutputType>Exe</OutputType><ImplicitUsings>enable</ImplicitUsings>';
