import type { CallChannel, Outcome } from '@mortise/plugin/runtime';
import type { Reaper } from '@mortise/process';
import { createRedactor } from '@mortise/redact';
import { expect, onTestFinished } from 'vitest';
import { waitFor } from '../../../../../test/support/wait-for.js';
import { DEFAULT_LIMITS } from '../../../src/settings/plugin-limits.js';
import type { McpServerEntry } from '../../../src/settings/settings.js';
import { built } from '../../built.js';
import { createChannel, createPluginHost, EMPTY, quiet } from '../process/plugins.js';

const { MountedRunner } = built<typeof import('../../../src/run/mounted/mcp-client-runner.js')>(
  'run/mounted/mcp-client-runner',
);
const { createRestartBackoff } =
  built<typeof import('../../../src/processes/restart-backoff.js')>('processes/restart-backoff');
const { connectionProblem } = built<typeof import('../../../src/run/mounted/connection-problem.js')>(
  'run/mounted/connection-problem',
);

const serverFile = (name: string) =>
  new URL(`../../../../../test/mounted-servers/${name}.mjs`, import.meta.url).pathname;
export const entry = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [serverFile(name), ...args],
});
export const LEGACY = entry('official', '--legacy');

/** What makes a runner of a mounted server, whose process the reaper ends in the end. */
export const runnersOf =
  (reaper: Reaper) =>
  (server: McpServerEntry, idleMs = 60_000) => {
    const output: string[] = [];
    const updated: string[] = [];
    let openings = 0;
    const resourceUpdated = (uri: string) => updated.push(uri);
    const host = { ...createPluginHost(), pluginName: 'mcp.m', resourceUpdated };
    const runner = new MountedRunner({
      limits: DEFAULT_LIMITS,
      redactor: createRedactor({ secrets: [] }),
      entry: server,
      lists: { file: '/app/appsettings.json', prefix: 'mcp.m.', origin: 'mounted' },
      callbacks: host,
      reaper,
      backoff: createRestartBackoff(),
      definition: EMPTY,
      idleMs,
      loadTimeoutMs: 240_000,
      onOutput: (line) => output.push(line),
      onOpening: () => {
        openings += 1;
      },
      onListed: quiet,
      onEnded: quiet,
      toProblem: (ended) => connectionProblem(server, { file: '/app/appsettings.json' }, ended),
    });
    onTestFinished(() => runner.dispose());
    const call = (name: string, channel: CallChannel = createChannel(), args = {}) =>
      runner.run({ do: 'call', name: `mcp.m.${name}`, args }, channel);
    return { runner, host, output, updated, openings: () => openings, call };
  };

type Runner = ReturnType<ReturnType<typeof runnersOf>>;

export const textOf = (outcome: Outcome) =>
  outcome.kind === 'success' ? (outcome.content[0] as { text: string }).text : outcome;
export const codeOf = (outcome: Outcome) => (outcome.kind === 'error' ? outcome.errors[0]!.code : outcome.kind);

export const CLIENT = { name: 'a client' };
export const accepts = (name: string, client: object = CLIENT): CallChannel => ({
  ...createChannel(),
  client,
  clientCapabilities: { elicitation: { form: {} } },
  requestInput: async (requests) =>
    Object.fromEntries(Object.keys(requests).map((key) => [key, { action: 'accept', content: { name } }])),
});
export const retries = (answers: Record<string, unknown> = {}): CallChannel => ({
  ...createChannel(),
  clientCapabilities: { elicitation: { form: {} } },
  inputMode: 'retry',
  answers,
});

export const WORDS = ['a line of the mounted server', 'a detail'];
export const hearing = (client: object) => {
  const received: string[] = [];
  return {
    received,
    channel: { ...createChannel(), client, log: ({ message }: { message: string }) => received.push(message) },
  };
};

/** The client that calls gets each log line of the server. */
export async function expectLogHeard({ call, host }: Runner): Promise<void> {
  const { received, channel } = hearing(CLIENT);
  await call('log', channel);
  await waitFor(() => received.length === 2);
  expect([received, host.logged]).toEqual([WORDS, []]);
}

/** The host hears of a change of a resource once. */
export async function expectToldOnce({ runner, call, updated }: Runner): Promise<void> {
  for (const uri of ['note://day/friday', 'note://today']) runner.watchResource({ key: uri, uri, variables: {} });
  await runner.run({ do: 'read', key: '', uri: 'note://today', variables: {} }, createChannel());
  await waitFor(async () => {
    await call('touch');
    return updated.length > 0;
  });
  updated.length = 0;
  await call('touch');
  // What the server said before its answer is here by then.
  await call('echo', createChannel(), { text: '' });
  expect(updated).toEqual(['note://today']);
}
