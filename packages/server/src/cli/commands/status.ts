import { type Command, Option } from 'commander';
import { KEY_VARIABLE } from '../../core/page-names.js';
import type { ServerStatus } from '../../core/server-status.js';
import { readProcessEnvironment } from '../../settings/process-environment.js';
import { type Cli, createCommand } from '../shared/cli.js';
import { CliError } from '../shared/cli-error.js';
import { count } from '../shared/format-text.js';
import { isServing, readStatus, type SeenStatus } from '../shared/read-status.js';

interface StatusOptions {
  readonly url: string;
  readonly key?: string;
  readonly json?: true;
}

export function statusCommand({ terminal, end }: Cli): Command {
  return createCommand({
    name: 'status',
    description:
      'Shows the state of a server that runs with --http. Exit code 1 when it does not serve.\n' +
      `With a key in the variable ${KEY_VARIABLE} that has the scope mortise:operate, it also shows the replica,\n` +
      'the version, the store of shared state, and the tasks, sessions and calls of that replica.',
    examples: [
      ['status --url http://127.0.0.1:3333/mcp', 'a server on this machine'],
      ['status --url https://tools.example.com/mcp --json', 'as JSON'],
    ],
  })
    .requiredOption('--url <url>', "the server's URL, as clients have it")
    .option('--json', 'one JSON document on stdout')
    .addOption(new Option('--key <key>').hideHelp())
    .action(async (_: unknown, command: Command) => {
      const { url, key, json } = command.optsWithGlobals<StatusOptions>();
      if (key !== undefined) {
        const message = 'An access key cannot be given on the command line, which other users can read.';
        throw new CliError('usage', { message, hint: `Set the variable ${KEY_VARIABLE} to the key.` });
      }
      const status = await readStatus(url, readProcessEnvironment().env[KEY_VARIABLE] || undefined);
      terminal.out(json ? JSON.stringify(status, null, 2) : statusText(status, terminal.style.arrow));
      end(isServing(status) ? 'ok' : 'failed');
    });
}

function statusText(status: SeenStatus, arrow: string): string {
  const { state, version } = status;
  const rows: [name: string, value: string][] = [['State', state]];
  if (version === undefined) {
    const hint = `Set ${KEY_VARIABLE} to a key with the scope mortise:operate to see replica, version, store and tasks.`;
    return [...rows.map(rowText), `${arrow} ${hint}`].join('\n');
  }
  const { replica, store, tasks, sessions, calls } = status as ServerStatus;
  rows.push(
    ['Replica', replica === '' ? 'without a name' : replica],
    ['Version', version],
    ['Store', storeText(store)],
    ['Tasks', `${tasks} running`],
    ['Sessions', `${sessions}`],
    ['Calls', `${calls.running} running, ${calls.waiting} waiting`],
  );
  return rows.map(rowText).join('\n');
}

const rowText = ([name, value]: [string, string]) => `${name.padEnd(9)} ${value}`;

function storeText(store: ServerStatus['store']): string {
  if (store === null) return 'none';
  const use = store.problem === null ? 'in use' : `cannot be used: ${store.problem}`;
  return `${store.hosts.join(', ')}: ${use}; ${count(store.replicas, 'replica')}`;
}
