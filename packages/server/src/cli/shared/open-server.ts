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
import type { LoadedSettings, SettingsLogLevel } from '../../settings/settings.js';
import { type Issue, pluginIssue, settingsWarning } from './issue.js';
import { logUncaughtErrors } from './log-uncaught-errors.js';
import { type ProfileOptions, profilesOf, seenThrough } from './profiles.js';
import { redirectStdout } from './redirect-stdout.js';
import { loadOptionsFor, type SettingsOptions } from './settings-options.js';
import type { Terminal } from './terminal.js';

/** A host, and what the command line says about it. */
export interface OpenServer {
  readonly host: Server;
  readonly loaded: LoadedSettings;
  readonly log: Log;
}

/** Where lists of tools and translated TypeScript are kept: beside what is trusted, for it is code that will be run. */
export function cacheDir(): string {
  return join(readProcessEnvironment().userConfigDir, 'cache');
}

/** The host of `serve`: its log tells everything, warnings about the settings too. */
export async function openServedHost(
  { stderr }: Pick<Terminal, 'stderr'>,
  options: SettingsOptions,
  overrides: SettingsOverrides,
  inspect: ReadonlyMap<string, number>,
): Promise<OpenServer & { metrics: Metrics | undefined }> {
  const loadOptions = loadOptionsFor(options, overrides);
  const reloadSettings = () => loadSettings({ ...loadOptions, isReload: true });
  const loaded = loadSettings(loadOptions);
  const log = serverLog(stderr, loaded, loaded.settings.Log.Level);
  const metrics = loaded.settings.Telemetry.Metrics ? await loadMetrics() : undefined;
  return { ...(await createHost(loaded, log, { cacheDir: cacheDir(), reloadSettings, inspect, metrics })), metrics };
}

/** Who does not want them does not wait for the library. */
async function loadMetrics(): Promise<Metrics> {
  const { Metrics } = await import('../../front/metrics/metrics.js');
  return new Metrics();
}

export interface OpenOptions {
  readonly overrides?: SettingsOverrides;
  /** In place of those that the options lead to. */
  readonly loaded?: LoadedSettings;
  /** Loads every plugin, whatever is remembered of it. */
  readonly isFresh?: boolean;
  /** Loads only plugins of this name. */
  readonly only?: string;
}

/**
 * The host of a command that people read, as the profiles of the options show it: warnings about the settings are left to the
 * command.
 * @throws CliError for a profile that is not in the settings
 */
export async function openServer(
  terminal: Terminal,
  options: SettingsOptions & ProfileOptions,
  { overrides, loaded = loadSettings(loadOptionsFor(options, overrides)), isFresh = false, only }: OpenOptions = {},
): Promise<OpenServer> {
  const profiles = profilesOf(options, loaded.settings);
  const log = commandLog(terminal, options, loaded);
  const serverOptions = { ...(!isFresh && { cacheDir: cacheDir() }), ...(only !== undefined && { only }) };
  const { host } = await createHost({ ...loaded, warnings: [] }, log, serverOptions);
  return { host: seenThrough(host, profiles), loaded, log };
}

/**
 * The log of a command that people read. Problems are shown by the command itself, so only what plugins print goes to
 * stderr; everything when `--log-level` is given.
 */
export function commandLog(terminal: Terminal, { logLevel }: SettingsOptions, loaded: LoadedSettings): Log {
  if (logLevel !== undefined) return serverLog(terminal.stderr, loaded, logLevel);
  const redactor = createRedactor({ secrets: loaded.secrets });
  const line: Log['info'] = (message, { source, error } = {}) => {
    if (source !== undefined) terminal.err(redactor.text(typeof error === 'string' ? `${message}: ${error}` : message));
  };
  return { trace: line, debug: line, info: line, warn: line, error: line };
}

/** What plugins in this process print, and what fails in them outside of calls, goes to the log and ends nothing. */
export function containPlugins(log: Log, { secrets }: Pick<LoadedSettings, 'secrets'>): void {
  const redactor = createRedactor({ secrets });
  redirectConsole(log, redactor);
  redirectStdout(log, redactor);
  logUncaughtErrors(log);
}

/** For people on a terminal, for programs elsewhere. @param isDeveloped for people wherever it goes, without ids of calls */
function serverLog(
  stderr: Terminal['stderr'],
  { secrets }: LoadedSettings,
  level: SettingsLogLevel,
  isDeveloped = false,
): Log {
  const redactor = createRedactor({ secrets });
  const write = writerTo(stderr);
  if (!isDeveloped && !stderr.isTTY) return createLog(level, redactor, { write });
  const hasColour = Boolean(stderr.isTTY && stderr.hasColors());
  return createPrettyLog({ level, redactor, hasColour, showsCallIds: !isDeveloped, write });
}

/** The host of `mortise dev`: one plugin of one folder. Its problems are left to the command. */
export async function openDevelopedHost(
  { stderr }: Pick<Terminal, 'stderr'>,
  loaded: LoadedSettings,
  name: string,
  options: SettingsOptions,
): Promise<OpenServer> {
  const log = serverLog(stderr, loaded, loaded.settings.Log.Level, true);
  const reloadSettings = () => loadSettings({ ...loadOptionsFor(options), isReload: true });
  const rest = { cacheDir: cacheDir(), reloadSettings, only: name, logsProblems: false };
  return createHost({ ...loaded, warnings: [] }, log, rest);
}

async function createHost(
  loaded: LoadedSettings,
  log: Log,
  rest: Omit<ServerOptions, 'loaded' | 'log'>,
): Promise<OpenServer> {
  containPlugins(log, loaded);
  return { host: createServer({ loaded, log, ...rest }), loaded, log };
}

/** Everything that is wrong with settings and plugins. Await `ready()` first. */
export function issuesOf({ host, loaded }: Pick<OpenServer, 'host' | 'loaded'>): Issue[] {
  return createRedactor({ secrets: loaded.secrets }).value([
    ...loaded.warnings.map(settingsWarning),
    ...host.problems().map((problem) => pluginIssue(problem)),
    ...host.plugins().flatMap(({ name, problems }) => problems.map((problem) => pluginIssue(problem, name))),
  ]);
}
