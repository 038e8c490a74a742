import { dirname } from 'node:path';
import { createRedactor } from '@mortise/redact';
import { accessProblems } from './check-access.js';
import { type SettingPath, violations } from './check-schema.js';
import { type Environment, parseEnvironment } from './environment-settings.js';
import { explainViolation } from './explain-violation.js';
import { findConfig } from './find-config.js';
import { joinKey } from './lookup.js';
import { CONFIG_FILE } from './paths.js';
import { pluginSections } from './plugin-settings.js';
import { placeOf, SettingsResolver } from './resolve-settings.js';
import type { SettingSchema } from './setting-schema.js';
import type { LoadedSettings, McpServerEntry, Settings } from './settings.js';
import { SettingsError, type SettingsProblem } from './settings-error.js';
import { type ParsedSettings, SETTINGS_SCHEMA } from './settings-table.js';
import { leaveOut, merge, type SourcedObject, withSource } from './sourced-value.js';

/** Settings from flags. They override all others; their relative paths start at the working directory. */
export type SettingsOverrides = { readonly [S in keyof Settings]?: Partial<Settings[S]> };

export interface LoadOptions {
  /** The value of `--config`, relative to `cwd`. The file is trusted. */
  readonly configPath?: string;
  /** Absolute path. */
  readonly cwd: string;
  readonly env: Environment;
  /** Absolute path of the folder with the user's own configuration and the list of trusted folders. */
  readonly userConfigDir: string;
  readonly overrides?: SettingsOverrides;
  /** True if a server runs already: access keys that have expired since its start are not an error. */
  readonly isReload?: boolean;
}

/**
 * Loads the settings from the file, the environment and the flags; each overrides those before it
 * (docs/spec/configuration.md#configuration).
 * @throws SettingsError with every problem; no other error is thrown
 */
export function loadSettings(options: LoadOptions): Promise<LoadedSettings> {
  return load(options, []);
}

/** @param ignoredKeys the keys of settings to ignore, as problems name them: one set for each round */
async function load(options: LoadOptions, ignoredKeys: readonly ReadonlySet<string>[]): Promise<LoadedSettings> {
  const warnings: string[] = [];
  const config = findConfig(options, (message) => warnings.push(message));
  const baseDir = config ? dirname(config.file) : options.userConfigDir;
  const file = config?.tree ?? EMPTY_TREE;
  let layers = mergeLayers(file, options, SETTINGS_SCHEMA);
  const rare = namesRareSettings(layers.tree) ? await import('./rare-settings.js') : undefined;
  const schema = rare?.COMPLETE_SCHEMA ?? SETTINGS_SCHEMA;
  if (rare) layers = mergeLayers(file, options, schema);
  warnings.push(...layers.warnings);
  const tree = ignoredKeys.reduce(leaveOut, layers.tree);

  const resolver = new SettingsResolver({ cwd: options.cwd, env: options.env, baseDir });
  const parsed = resolver.resolve(tree, schema) as ParsedSettings;
  const { places, secrets, fetched } = resolver;
  warnings.push(...resolver.warnings);
  const schemaViolations = violations(parsed, schema);
  const problems: SettingsProblem[] = [
    ...(config?.problems ?? []),
    ...resolver.problems,
    ...schemaViolations.map((violation) => explainViolation(violation, places)),
  ];
  for (const { keyword, path } of schemaViolations) if (keyword === 'value') forget(parsed, path);
  for (const password of rare?.storePasswords(parsed) ?? []) secrets.add(password);
  problems.push(...accessProblems(parsed, places, options.isReload), ...(rare?.rareProblems(parsed, places) ?? []));
  if (problems.length) throw new SettingsError(withoutSecrets(problems, secrets));

  const McpServers = mountedServers(parsed.Plugins.McpServers, baseDir);
  const settings: Settings = { ...parsed, Plugins: { ...parsed.Plugins, McpServers } };
  if (!config) warnings.push(describeDefaults(options, settings));
  const unavailable = withoutSecrets(resolver.unavailable, secrets);
  const packageOrigins = parsed.Plugins.Packages.map((_, at) => placeOf(places, ['Plugins', 'Packages', at]).origin);
  const common = { settings, file: config?.file, baseDir, packageOrigins, warnings: withoutSecrets(warnings, secrets) };
  return {
    ...freezeDeep(common),
    pluginSections: pluginSections(parsed.Plugins.Settings, places, unavailable),
    fetched,
    unavailable,
    secrets: [...secrets],
  };
}

/** Merges the settings of the file, the environment and the flags. */
function mergeLayers(file: SourcedObject, { env, overrides = {} }: LoadOptions, schema: SettingSchema) {
  const environment = parseEnvironment(env, schema);
  const layers = [file, environment.tree, withSource(overrides, { from: 'flags' })];
  const tree = layers.reduce((under, over) => merge(schema, under, over)) as SourcedObject;
  return { tree, warnings: environment.warnings };
}

/** The settings whose schemas and checks are in `rare-settings.ts`, in lower case. */
const RARE_SETTINGS: ReadonlySet<string> = new Set(['auth.issuers', 'state.redis', 'http.publicurl', 'http.statekey']);

const namesRareSettings = ({ members }: SourcedObject): boolean =>
  members.some(
    ({ key: section, value }) =>
      value.kind === 'object' &&
      value.members.some(({ key }) => RARE_SETTINGS.has(joinKey(section, key).toLowerCase())),
  );

/** Redacts messages, because they can quote a secret that was put in the wrong place. */
function withoutSecrets<T>(messages: T[], secrets: ReadonlySet<string>): T[] {
  return messages.length === 0 ? messages : createRedactor({ secrets: [...secrets] }).value(messages);
}

const EMPTY_TREE: SourcedObject = { kind: 'object', members: [], origin: { from: 'defaults' } };

/** Makes a wrong value undefined, so that later checks meet no value of a wrong type. */
function forget(settings: object, path: SettingPath): void {
  const parent = path.slice(0, -1).reduce((value, key) => Reflect.get(value, key), settings);
  Reflect.set(parent, path.at(-1)!, undefined);
}

/** Returns the servers to mount: drops disabled ones, and gives each program a working folder. */
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

/** The sections that do not influence plugins. */
const PLUGIN_INDEPENDENT: ReadonlySet<string> = new Set([
  'Auth',
  'Profiles',
  'Limits',
  'Audit',
  'Telemetry',
  'Http',
  'Log',
  'State',
]);
/** Ignoring a wrong member can make its entry incomplete. Then the next round ignores the whole entry. */
const MAX_ROUNDS = 5;

export interface UsableSettings {
  /** Every problem of the settings. */
  readonly problems: readonly SettingsProblem[];
  /** The settings without those that are wrong; undefined if ignoring them could change the plugins. */
  readonly loaded: LoadedSettings | undefined;
}

/**
 * Loads the settings for a command that examines plugins: ignores wrong settings that do not influence plugins. Never
 * throws a SettingsError.
 */
export async function loadUsable(options: LoadOptions): Promise<UsableSettings> {
  let problems: readonly SettingsProblem[] | undefined;
  const ignoredKeys: ReadonlySet<string>[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    try {
      return { problems: problems ?? [], loaded: await load(options, ignoredKeys) };
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      problems ??= error.problems;
      if (!error.problems.every(({ key }) => PLUGIN_INDEPENDENT.has(sectionOf(key)))) break;
      ignoredKeys.push(
        new Set(error.problems.map(({ key }) => (ignoredKeys.some((keys) => keys.has(key)) ? parentOf(key) : key))),
      );
    }
  }
  return { problems: problems ?? [], loaded: undefined };
}

const parentOf = (key: string): string => key.replace(/(?:\.[^.[]*|\[\d+\])$/, '');
const sectionOf = (key: string): string => /^[^.[]*/.exec(key)![0];
