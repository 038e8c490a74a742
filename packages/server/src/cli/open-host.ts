import { join } from 'node:path';
import type { Host } from '../host.js';
import { createLog, type Log } from '../log.js';
import { findPlugins } from '../plugins/find.js';
import { guardConsole } from '../plugins/guard-console.js';
import { createRedactor } from '../redact/redactor.js';
import { fromProcess } from '../settings/from-process.js';
import { loadSettings, type SettingsOverrides } from '../settings/load.js';
import type { LoadedSettings, SettingsLogLevel } from '../settings/settings.js';
import { type Finding, pluginFinding, settingsWarning } from './finding.js';
import { guardProcess } from './guard-process.js';
import { divertStdout } from './own-stdout.js';
import { loadOptionsFor, type SettingsOptions } from './settings-options.js';
import type { Terminal } from './terminal.js';

/** A host, and what the command line says about it. */
export interface OpenHost {
  readonly host: Host;
  readonly loaded: LoadedSettings;
  readonly log: Log;
}

/** Where translated TypeScript is kept: beside what is trusted, for it is code that will be run. */
export function cacheDir(): string {
  return join(fromProcess().userConfigDir, 'cache');
}

/** The host of `serve`: its log tells everything, warnings about the settings too. */
export async function openServedHost(options: SettingsOptions, overrides?: SettingsOverrides): Promise<OpenHost> {
  const loaded = loadSettings(loadOptionsFor(options, overrides));
  return createLoggedHost(loaded, loaded.settings.Log.Level);
}

/**
 * The host of a command that people read: problems are shown by the command itself, so the log is silent unless
 * `--log-level` is given. What plugins print with `console` goes to stderr.
 */
export async function openHost(
  terminal: Terminal,
  options: SettingsOptions,
  overrides?: SettingsOverrides,
): Promise<OpenHost> {
  const loaded = loadSettings(loadOptionsFor(options, overrides));
  if (options.logLevel !== undefined) return createLoggedHost(loaded, options.logLevel);
  guardPlugins(plainLog(terminal, loaded));
  return { ...(await createHost({ ...loaded, warnings: [] }, SILENT)), loaded };
}

/** What plugins print and what fails in them outside of calls goes to the log, and ends nothing. */
export function guardPlugins(log: Log): void {
  guardConsole(log);
  divertStdout(log);
  guardProcess(log);
}

/** A log for people: messages as they are, redacted, on stderr. */
export function plainLog(terminal: Terminal, { secrets }: Pick<LoadedSettings, 'secrets'>): Log {
  const redactor = createRedactor({ secrets });
  return everyLevel((message, fields) => {
    const error = typeof fields?.error === 'string' ? `: ${fields.error}` : '';
    terminal.err(redactor.text(message + error));
  });
}

export const SILENT: Log = everyLevel(() => {});

function everyLevel(line: Log['info']): Log {
  return { trace: line, debug: line, info: line, warn: line, error: line };
}

async function createLoggedHost(loaded: LoadedSettings, level: SettingsLogLevel): Promise<OpenHost> {
  const log = createLog(level, createRedactor({ secrets: loaded.secrets }));
  guardPlugins(log);
  return createHost(loaded, log);
}

async function createHost(loaded: LoadedSettings, log: Log): Promise<OpenHost> {
  const { createServer } = await import('../server.js');
  return { host: createServer({ loaded, log, cacheDir: cacheDir() }), loaded, log };
}

/** Everything that is wrong with settings and plugins. Await `ready()` first. */
export function findingsOf({ host, loaded }: Pick<OpenHost, 'host' | 'loaded'>): Finding[] {
  const { Enabled, Directory } = loaded.settings.Plugins;
  const folders = Enabled ? [...new Set(Directory)].flatMap((directory) => findPlugins(directory).problems) : [];
  return [
    ...loaded.warnings.map(settingsWarning),
    ...folders.map((problem) => pluginFinding(problem)),
    ...host.plugins().flatMap(({ name, problems }) => problems.map((problem) => pluginFinding(problem, name))),
  ];
}
