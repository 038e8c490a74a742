import type { Writable } from 'node:stream';
import { suggestNames } from '@mortise/plugin/runtime';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { profileNames } from '../../access/access.js';
import type { ServerApi } from '../../core/server-api.js';
import { serveStdio } from '../../front/mcp/serve-stdio.js';
import type { Metrics } from '../../front/metrics/metrics.js';
import type { ServedMetrics } from '../../front/metrics/serve-metrics.js';
import type { Log } from '../../log/log.js';
import type { SettingsOverrides } from '../../settings/load.js';
import { type Cli, createCommand } from '../shared/cli.js';
import { CliError } from '../shared/cli-error.js';
import { openServeServer } from '../shared/open-server.js';
import { profilesOf } from '../shared/profiles.js';
import { watchReloadTriggers } from '../shared/reload-triggers.js';
import { type SettingsOptions, wholeNumber } from '../shared/settings-options.js';
import { hasControllingTerminal, onStopSignal, type StopSignal } from '../shared/signals.js';
import type { Terminal } from '../shared/terminal.js';

export interface ServeOptions extends SettingsOptions {
  readonly http?: true;
  readonly port?: number;
  readonly host?: string;
  readonly machineReadable?: true;
  readonly watch?: true;
  readonly profile?: string;
  readonly readOnly?: true;
  readonly key?: string;
  readonly inspectPlugin?: readonly InspectedPlugin[];
}

interface InspectedPlugin {
  readonly name: string;
  readonly port: number;
}

const INSPECTOR_PORT = 9229;

/** Parses `name` or `name=port`. The option can be repeated; each plugin needs a different port. */
function inspectedPlugin(text: string, previous: readonly InspectedPlugin[] = []): InspectedPlugin[] {
  const [name = '', port = `${INSPECTOR_PORT + previous.length}`] = text.split('=', 2);
  const isPort = /^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535;
  if (name === '' || !isPort)
    throw new InvalidArgumentError('It must be <name> or <name>=<port>, the port from 1 to 65535.');
  return [...previous, { name, port: Number(port) }];
}

interface Served {
  /** Resolves when the client disconnects. Over HTTP it never resolves. */
  readonly closed: Promise<void>;
  /** Over HTTP: lets running calls end. */
  drain?(): Promise<void>;
  close(): Promise<void>;
}

export function serveCommand({ terminal, end }: Cli): Command {
  return createCommand({
    name: 'serve',
    description:
      'Serves the tools to MCP clients: over stdin and stdout (a client starts this), or over HTTP with --http.\n' +
      'The log goes to stderr. The server stops when the client disconnects, or with Ctrl+C.',
    examples: [
      ['serve', 'over stdio, as MCP clients start it'],
      ['serve --http --port 3333', 'at http://127.0.0.1:3333/mcp'],
      ['serve --plugins ./plugins --watch', 'with the plugins of one folder, reloaded when they change'],
      ['serve --inspect-plugin weather=9230', 'step through the plugin weather in a debugger'],
    ],
  })
    .option('--http', 'serve over HTTP instead of stdio')
    .addOption(
      new Option('--port <number>', 'the port; 0 takes a free one (overrides Http.Port)').argParser(wholeNumber),
    )
    .option('--host <address>', 'the address to listen on (overrides Http.Host)')
    .option('--profile <name>', 'show only what this profile of the settings shows')
    .option('--read-only', 'show only operations that change nothing (the built-in profile readOnly)')
    .addOption(new Option('--key <key>').hideHelp())
    .option('--watch', 'reload plugins when their files change')
    .addOption(
      new Option(
        '--inspect-plugin <name[=port]>',
        'run the process of a plugin under the inspector, without deadlines; it waits for a debugger (port 9229)',
      ).argParser(inspectedPlugin),
    )
    .option('--machine-readable', 'answer every call with the JSON envelope (overrides Tools.MachineReadable)')
    .action(async (_: unknown, command: Command) => {
      await serve(command.optsWithGlobals<ServeOptions>(), terminal);
      end('ok');
    });
}

/**
 * Serves until the client disconnects or a signal arrives.
 * @param onPage if given, the server creates a key for the workbench page and calls this with the page's address
 */
export async function serve(
  options: ServeOptions,
  terminal: Pick<Terminal, 'stdout' | 'stderr'>,
  onPage?: (address: string) => void,
): Promise<void> {
  if (!options.http && (options.port !== undefined || options.host !== undefined)) {
    const message = `${options.port === undefined ? '--host' : '--port'} requires --http.`;
    throw new CliError('usage', { message, hint: 'Add --http, or remove the option to serve over stdio.' });
  }
  if (options.key !== undefined) {
    const message = 'An access key cannot be given on the command line, which other users can read.';
    throw new CliError('usage', { message, hint: 'Add the key to Auth.Keys: `mortise key new <name>`.' });
  }
  const stopped = new Promise<StopSignal>(onStopSignal);
  const inspect = new Map((options.inspectPlugin ?? []).map(({ name, port }) => [name, port]));
  const { server, log, metrics } = await openServeServer(terminal, options, overridesOf(options), inspect);
  // This comes before serving, because a process that reads the address can send a signal immediately.
  const reloads = watchReloadTriggers(server, log, {
    watch: options.watch ?? false,
    hasTerminal: hasControllingTerminal(),
  });
  try {
    for (const name of inspect.keys()) assertPlugin(name, server);
    const profiles = profilesOf(options, server.settings);
    server.on('settingsReloaded', (reloaded) => {
      const knownNames = profileNames(reloaded);
      for (const name of profiles.filter((profile) => !knownNames.includes(profile)))
        log.error(`The profile '${name}' of --profile is no longer in Profiles: clients see nothing`);
    });
    const servedMetrics = metrics && (await startMetrics(metrics, server, log));
    const served = await (options.http
      ? overHttp(server, log, profiles, onPage)
      : overStdio(server, log, terminal.stdout, profiles));
    const signal = await Promise.race([served.closed, stopped]);
    if (signal === 'SIGTERM') await served.drain?.();
    reloads.stop();
    servedMetrics?.close();
    await Promise.all([server.close(), served.close()]);
    await server.shared?.close();
  } catch (error) {
    reloads.stop();
    await server.close();
    await server.shared?.close();
    throw error;
  }
}

/** @throws SettingsError if the port is taken */
async function startMetrics(metrics: Metrics, { settings }: ServerApi, log: Log): Promise<ServedMetrics> {
  const { serveMetrics } = await import('../../front/metrics/serve-metrics.js');
  const served = await serveMetrics(metrics, settings.Telemetry.MetricsPort);
  log.info(`Serving metrics at ${served.url}`, { metrics: served.url });
  return served;
}

/** @throws CliError if no plugin has the name */
function assertPlugin(name: string, server: ServerApi): void {
  const names = server.plugins().map((plugin) => plugin.name);
  if (names.includes(name)) return;
  const [closest] = suggestNames(name, names, 1);
  const hint = closest === undefined ? 'See `mortise list`.' : `Did you mean ${closest}?`;
  throw new CliError('notFound', { message: `There is no plugin '${name}' to inspect.`, hint });
}

function overridesOf({ port, host, machineReadable }: ServeOptions): SettingsOverrides {
  return {
    Http: { ...(port === undefined ? {} : { Port: port }), ...(host === undefined ? {} : { Host: host }) },
    ...(machineReadable ? { Tools: { MachineReadable: true } } : {}),
  };
}

async function overStdio(server: ServerApi, log: Log, output: Writable, profiles: readonly string[]): Promise<Served> {
  const served = serveStdio(server, { log, output, profiles, parentPid: () => process.ppid });
  log.info('Serving MCP over stdin and stdout; stops when the client disconnects, or with Ctrl+C');
  return served;
}

async function overHttp(
  server: ServerApi,
  log: Log,
  profiles: readonly string[],
  onPage?: (address: string) => void,
): Promise<Served> {
  const { assertSafeBinding, serveHttp } = await import('../../front/mcp/serve-http.js');
  errorsAsCliErrors('usage', () => assertSafeBinding(server.settings));
  const { PageKey } = await import('../../access/page-key.js');
  const pageKey = onPage && new PageKey(profiles);
  const served = await errorsAsCliErrors('failed', () =>
    serveHttp(server, { log, profiles, ...(pageKey && { pageKey }) }),
  );
  log.info(`Serving MCP over HTTP at ${served.url}`, { url: served.url });
  if (pageKey) onPage?.(`${new URL('/', served.url).href}#token=${pageKey.token}`);
  return { closed: new Promise(() => {}), drain: () => served.drain(), close: () => served.close() };
}

/** Converts errors of `work` to CliErrors. Their messages contain the problem and then the hint: `Problem. Hint.` */
function errorsAsCliErrors<T>(exitStatus: 'usage' | 'failed', work: () => T): T {
  const rethrow = (error: unknown): never => {
    const [message = '', hint] = (error as Error).message.split(/(?<=\.) (?=[A-Z])/, 2);
    throw new CliError(exitStatus, { message, ...(hint === undefined ? {} : { hint }) });
  };
  try {
    const result = work();
    return result instanceof Promise ? (result.catch(rethrow) as T) : result;
  } catch (error) {
    return rethrow(error);
  }
}
