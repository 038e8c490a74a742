import { join } from 'node:path';
import { createRedactor } from '@mortise/redact';
import type { Metrics } from '../../front/metrics/metrics.js';
import { createLog, type Log, writerTo } from '../../log/log.js';
import { createPrettyLog } from '../../log/pretty-log.js';
import { redirectConsole } from '../../log/redirect-console.js';
import { createServer } from '../../server.js';
import type { Server, ServerOptions } from '../../server-interface.js';
import { loadSettings, type SettingsOverrides } from '../../settings/load.js';
import { readProcessEnvironment } from '../../settings/process-environment.js';
import { replicaName } from '../../settings/replica-name.js';
import type { LoadedSettings, SettingsLogLevel } from '../../settings/settings.js';
import type { SharedState } from '../../state/shared-state.js';
import { type Issue, pluginIssue, settingsWarning } from './issue.js';
import { logUncaughtErrors } from './log-uncaught-errors.js';
import { type ProfileOptions, profilesOf, seenThrough } from './profiles.js';
import { redirectStdout } from './redirect-stdout.js';
import { loadOptionsFor, type SettingsOptions } from './settings-options.js';
import type { Terminal } from './terminal.js';

/** A server in this process, with its settings and log. */
export interface OpenServer {
  readonly server: Server;
  readonly loaded: LoadedSettings;
  readonly log: Log;
}

/**
 * Returns the folder with cached lists of tools and translated TypeScript. It is in the user's folder, so that no other
 * user can write code that will run.
 */
export function cacheDir(): string {
  return join(readProcessEnvironment().userConfigDir, 'cache');
}

/** Creates the server of `mortise serve`. Its log contains everything, including warnings about the settings. */
export async function openServeServer(
  { stderr }: Pick<Terminal, 'stderr'>,
  options: SettingsOptions,
  overrides: SettingsOverrides,
  inspect: ReadonlyMap<string, number>,
): Promise<OpenServer & { metrics: Metrics | undefined }> {
  const loadOptions = loadOptionsFor(options, overrides);
  const reloadSettings = () => loadSettings({ ...loadOptions, isReload: true });
  const loaded = await loadSettings(loadOptions);
  const log = serverLog(stderr, loaded, loaded.settings.Log.Level);
  const metrics = loaded.settings.Telemetry.Metrics ? await loadMetrics(loaded) : undefined;
  const shared = loaded.settings.State.Redis && (await loadSharedState(loaded.settings, log));
  return {
    ...(await createOpenServer(loaded, log, { cacheDir: cacheDir(), reloadSettings, inspect, metrics, shared })),
    metrics,
  };
}

/** Loads the library only if metrics are enabled, because loading takes time. */
async function loadMetrics({ secrets, settings }: LoadedSettings): Promise<Metrics> {
  const { Metrics } = await import('../../front/metrics/metrics.js');
  const redactor = createRedactor({ secrets });
  return new Metrics((text) => redactor.text(text), replicaName(settings.State));
}

/** @throws SettingsError if the store can never be used with the settings */
async function loadSharedState(settings: LoadedSettings['settings'], log: Log): Promise<SharedState> {
  const { openSharedState } = await import('../../state/shared-state.js');
  return openSharedState(settings, log);
}

export interface OpenOptions {
  readonly overrides?: SettingsOverrides;
  /** The settings. Default: they are loaded with the options of the command. */
  readonly loaded?: LoadedSettings;
  /** True: load every plugin, even if its definition is cached. */
  readonly isFresh?: boolean;
  /** Load only the plugins with this name. */
  readonly only?: string;
}

/**
 * Creates the server of a command whose output people read. The profiles of the options restrict it. The command prints
 * the warnings about the settings.
 * @throws CliError for a profile that is not in the settings @throws SettingsError if the settings are wrong
 */
export async function openServer(
  terminal: Terminal,
  options: SettingsOptions & ProfileOptions,
  { overrides, isFresh = false, only, ...more }: OpenOptions = {},
): Promise<OpenServer> {
  const loaded = more.loaded ?? (await loadSettings(loadOptionsFor(options, overrides)));
  const profiles = profilesOf(options, loaded.settings);
  const log = commandLog(terminal, options, loaded);
  const serverOptions = { ...(!isFresh && { cacheDir: cacheDir() }), ...(only !== undefined && { only }) };
  const { server } = await createOpenServer({ ...loaded, warnings: [] }, log, serverOptions);
  return { server: seenThrough(server, profiles), loaded, log };
}

/**
 * Creates the log of a command whose output people read. The command itself shows problems, so the log contains only
 * the output of plugins; with `--log-level` it contains everything.
 */
export function commandLog(terminal: Terminal, { logLevel }: SettingsOptions, loaded: LoadedSettings): Log {
  if (logLevel !== undefined) return serverLog(terminal.stderr, loaded, logLevel);
  const redactor = createRedactor({ secrets: loaded.secrets });
  const line: Log['info'] = (message, { source, error } = {}) => {
    if (source !== undefined) terminal.err(redactor.text(typeof error === 'string' ? `${message}: ${error}` : message));
  };
  return { trace: line, debug: line, info: line, warn: line, error: line };
}

/** Logs the output of plugins in this process and their errors outside of calls, which do not end the process. */
export function containPlugins(log: Log, { secrets }: Pick<LoadedSettings, 'secrets'>): void {
  const redactor = createRedactor({ secrets });
  redirectConsole(log, redactor);
  redirectStdout(log, redactor);
  logUncaughtErrors(log);
}

/**
 * Creates a log for people if stderr is a terminal, and otherwise one for programs.
 * @param isDev true for `mortise dev`: the log is always for people, and has no call ids
 */
function serverLog(
  stderr: Terminal['stderr'],
  { secrets, settings }: LoadedSettings,
  level: SettingsLogLevel,
  isDev = false,
): Log {
  const redactor = createRedactor({ secrets });
  const write = writerTo(stderr);
  if (!isDev && !stderr.isTTY) return createLog(level, redactor, { write }, replicaName(settings.State));
  const hasColour = Boolean(stderr.isTTY && stderr.hasColors());
  return createPrettyLog({ level, redactor, hasColour, showsCallIds: !isDev, write });
}

/** Creates the server of `mortise dev` with a single plugin. The command prints the plugin's problems. */
export async function openDevServer(
  { stderr }: Pick<Terminal, 'stderr'>,
  loaded: LoadedSettings,
  name: string,
  options: SettingsOptions,
): Promise<OpenServer> {
  const log = serverLog(stderr, loaded, loaded.settings.Log.Level, true);
  const reloadSettings = () => loadSettings({ ...loadOptionsFor(options), isReload: true });
  const serverOptions = { cacheDir: cacheDir(), reloadSettings, only: name, logsProblems: false };
  return createOpenServer({ ...loaded, warnings: [] }, log, serverOptions);
}

async function createOpenServer(
  loaded: LoadedSettings,
  log: Log,
  serverOptions: Omit<ServerOptions, 'loaded' | 'log'>,
): Promise<OpenServer> {
  containPlugins(log, loaded);
  return { server: createServer({ loaded, log, ...serverOptions }), loaded, log };
}

/** Returns all issues of the settings and plugins, redacted. Await `ready()` first. */
export function issuesOf({ server, loaded }: Pick<OpenServer, 'server' | 'loaded'>): Issue[] {
  return createRedactor({ secrets: loaded.secrets }).value([
    ...loaded.warnings.map(settingsWarning),
    ...server.problems().map((problem) => pluginIssue(problem)),
    ...server.plugins().flatMap(({ name, problems }) => problems.map((problem) => pluginIssue(problem, name))),
  ]);
}
