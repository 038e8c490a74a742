import { dirname } from 'node:path';
import { createRedactor } from '@mortise/redact';
import { accessProblems } from './check-access.js';
import { type SettingPath, violations } from './check-schema.js';
import { type Environment, parseEnvironment } from './environment-settings.js';
import { explainViolation } from './explain-violation.js';
import { findConfig } from './find-config.js';
import { CONFIG_FILE } from './paths.js';
import { pluginSections } from './plugin-settings.js';
import { placeOf, SettingsResolver } from './resolve-settings.js';
import type { LoadedSettings, McpServerEntry, Settings } from './settings.js';
import { SettingsError, type SettingsProblem } from './settings-error.js';
import { type ParsedSettings, SETTINGS_SCHEMA } from './settings-table.js';
import { leaveOut, merge, type SourcedObject, withSource } from './sourced-value.js';

/** Settings as flags give them: win over everything; relative paths start at the working directory. */
export type SettingsOverrides = { readonly [S in keyof Settings]?: Partial<Settings[S]> };

export interface LoadOptions {
  /** `--config`: trusted; relative to cwd. */
  readonly configPath?: string;
  /** Absolute. */
  readonly cwd: string;
  readonly env: Environment;
  /** Absolute; where the user's own configuration and what is trusted are kept. */
  readonly userConfigDir: string;
  readonly overrides?: SettingsOverrides;
  /** The settings of a server that runs: a key that has expired since is not an error. */
  readonly isReload?: boolean;
}

/**
 * The settings from file, environment and flags, each winning over the one before it
 * (docs/spec/configuration.md#configuration).
 * @throws SettingsError with everything that is wrong; nothing else is ever thrown
 */
export function loadSettings(options: LoadOptions): LoadedSettings {
  return load(options, []);
}

/** @param leftOut settings to ignore, by the keys of their problems: one set for each round */
function load(options: LoadOptions, leftOut: readonly ReadonlySet<string>[]): LoadedSettings {
  const warnings: string[] = [];
  const found = findConfig(options, (message) => warnings.push(message));
  const baseDir = found ? dirname(found.file) : options.userConfigDir;
  const environment = parseEnvironment(options.env);
  warnings.push(...environment.warnings);

  const layers = [found?.tree ?? NOTHING, environment.tree, withSource(options.overrides ?? {}, { from: 'flags' })];
  const merged = layers.reduce((under, over) => merge(SETTINGS_SCHEMA, under, over)) as SourcedObject;
  const tree = leftOut.reduce(leaveOut, merged);

  const resolver = new SettingsResolver({ cwd: options.cwd, env: options.env, baseDir });
  const read = resolver.resolve(tree, SETTINGS_SCHEMA) as ParsedSettings;
  const { places, secrets, fetched } = resolver;
  warnings.push(...resolver.warnings);
  const wrong = violations(read, SETTINGS_SCHEMA);
  const problems: SettingsProblem[] = [
    ...(found?.problems ?? []),
    ...resolver.problems,
    ...wrong.map((violation) => explainViolation(violation, places)),
  ];
  for (const { keyword, path } of wrong) if (keyword === 'value') forget(read, path);
  problems.push(...accessProblems(read, places, options.isReload));
  if (problems.length) throw new SettingsError(withoutSecrets(problems, secrets));

  const McpServers = mountedServers(read.Plugins.McpServers, baseDir);
  const settings: Settings = { ...read, Plugins: { ...read.Plugins, McpServers } };
  if (!found) warnings.push(describeDefaults(options, settings));
  const references = withoutSecrets(resolver.unavailable, secrets);
  const packageOrigins = read.Plugins.Packages.map((_, at) => placeOf(places, ['Plugins', 'Packages', at]).origin);
  const common = { settings, file: found?.file, baseDir, packageOrigins, warnings: withoutSecrets(warnings, secrets) };
  return {
    ...freezeDeep(common),
    pluginSections: pluginSections(read.Plugins.Settings, places, references),
    fetched,
    unavailable: references,
    secrets: [...secrets],
  };
}

/** What messages quote may be a secret that was put in the wrong place. */
function withoutSecrets<T>(messages: T[], secrets: ReadonlySet<string>): T[] {
  return messages.length === 0 ? messages : createRedactor({ secrets: [...secrets] }).value(messages);
}

const NOTHING: SourcedObject = { kind: 'object', members: [], origin: { from: 'defaults' } };

/** Makes a wrong value undefined, so that checks of several values meet none of the wrong type. */
function forget(settings: object, path: SettingPath): void {
  const parent = path.slice(0, -1).reduce((value, key) => Reflect.get(value, key), settings);
  Reflect.set(parent, path.at(-1)!, undefined);
}

/** The servers to mount: without those that are disabled, and each program with a working folder. */
function mountedServers(
  entries: ParsedSettings['Plugins']['McpServers'],
  baseDir: string,
): Settings['Plugins']['McpServers'] {
  const enabled = Object.entries(entries).filter(([, { disabled }]) => disabled !== true);
  return Object.fromEntries(
    enabled.map(([name, { type, disabled, ...entry }]) => [
      name,
      (entry.url === undefined ? { cwd: baseDir, ...entry } : entry) as McpServerEntry,
    ]),
  );
}

function describeDefaults({ cwd, userConfigDir }: LoadOptions, { Plugins }: Settings): string {
  const where = Plugins.Directory.join(', ');
  return (
    `No ${CONFIG_FILE} for Mortise was read from ${cwd} or ${userConfigDir}: the defaults are used, with plugins from ` +
    `${where || 'nowhere'}. \`mortise init\` makes one.`
  );
}

function freezeDeep<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) freezeDeep(member);
  }
  return value;
}

/** Sections without which the plugins are the same. */
const REST: ReadonlySet<string> = new Set(['Auth', 'Profiles', 'Limits', 'Audit', 'Telemetry', 'Http', 'Log']);
/** An entry without a member that was wrong may be incomplete; then the next round ignores the whole entry. */
const MAX_ROUNDS = 5;

export interface UsableSettings {
  /** Everything that is wrong. */
  readonly problems: readonly SettingsProblem[];
  /** The settings without what is wrong; undefined where the plugins would not be the same ones. */
  readonly loaded: LoadedSettings | undefined;
}

/** The settings, as far as they can be used to look at the plugins although some are wrong. Never throws a SettingsError. */
export function loadUsable(options: LoadOptions): UsableSettings {
  let problems: readonly SettingsProblem[] | undefined;
  const leftOut: ReadonlySet<string>[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    try {
      return { problems: problems ?? [], loaded: load(options, leftOut) };
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      problems ??= error.problems;
      if (!error.problems.every(({ key }) => REST.has(sectionOf(key)))) break;
      leftOut.push(
        new Set(error.problems.map(({ key }) => (leftOut.some((keys) => keys.has(key)) ? parentOf(key) : key))),
      );
    }
  }
  return { problems: problems ?? [], loaded: undefined };
}

const parentOf = (key: string): string => key.replace(/(?:\.[^.[]*|\[\d+\])$/, '');
const sectionOf = (key: string): string => /^[^.[]*/.exec(key)![0];
