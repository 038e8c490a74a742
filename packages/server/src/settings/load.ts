import { dirname, resolve } from 'node:path';
import { createRedactor } from '@mortise/redact';
import { readTextFile } from '../util/read-text-file.js';
import { accessProblems } from './check-access.js';
import { type Environment, parseEnvironment } from './environment-settings.js';
import { findConfig } from './find-config.js';
import { leaveOut } from './leave-out.js';
import { mountedServers } from './mounted-servers.js';
import type { Origin } from './origin.js';
import type { ReadContext } from './parse-scalar.js';
import { parseValue } from './parse-value.js';
import { CONFIG_FILE } from './paths.js';
import { pluginSections } from './plugin-settings.js';
import type { FetchedVariable, UnavailableReference } from './setting-owner.js';
import type { LoadedSettings, Settings } from './settings.js';
import { SettingsError, type SettingsProblem } from './settings-error.js';
import { type ParsedSettings, SETTINGS_TYPE } from './settings-table.js';
import { itemsAt, merge, type SourcedObject, withSource } from './sourced-value.js';

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
  /** Settings to ignore, by the keys of their problems: one set for each round. */
  readonly leftOut?: readonly ReadonlySet<string>[];
}

const MAX_REFERENCED_BYTES = 1024 * 1024;

/**
 * The settings from file, environment and flags, each winning over the one before it
 * (docs/spec/plugins.md#configuration).
 * @throws SettingsError with everything that is wrong; nothing else is ever thrown
 */
export function loadSettings(options: LoadOptions): LoadedSettings {
  const warnings: string[] = [];
  const found = findConfig(options, (message) => warnings.push(message));
  const baseDir = found ? dirname(found.file) : options.userConfigDir;
  const environment = parseEnvironment(options.env);
  warnings.push(...environment.warnings);

  const layers = [found?.tree ?? NOTHING, environment.tree, withSource(options.overrides ?? {}, { from: 'flags' })];
  const merged = layers.reduce((under, over) => merge(SETTINGS_TYPE, under, over)) as SourcedObject;
  const tree = (options.leftOut ?? []).reduce(leaveOut, merged);

  const problems: SettingsProblem[] = [...(found?.problems ?? [])];
  const unavailable: UnavailableReference[] = [];
  const secrets = new Set<string>();
  const fetched: FetchedVariable[] = [];
  const context = readContext(options, baseDir, { problems, warnings, unavailable, secrets, fetched });
  const read = parseValue(tree, SETTINGS_TYPE, { key: '', secret: false }, context) as ParsedSettings;
  problems.push(...accessProblems(read, tree, options.isReload));
  if (problems.length) throw new SettingsError(withoutSecrets(problems, secrets));

  const McpServers = mountedServers(read.Plugins.McpServers, baseDir);
  const settings: Settings = { ...read, Plugins: { ...read.Plugins, McpServers } };
  if (!found) warnings.push(describeDefaults(options, settings));
  const references = withoutSecrets(unavailable, secrets);
  const packageOrigins = itemsAt(tree, ['Plugins', 'Packages']).map(({ origin }) => origin);
  const common = { settings, file: found?.file, baseDir, packageOrigins, warnings: withoutSecrets(warnings, secrets) };
  return {
    ...freezeDeep(common),
    pluginSections: pluginSections(tree, read.Plugins.Settings, references),
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

/** What reading the settings finds beside their values. */
interface Findings {
  readonly problems: SettingsProblem[];
  readonly warnings: string[];
  readonly unavailable: UnavailableReference[];
  readonly secrets: Set<string>;
  readonly fetched: FetchedVariable[];
}

function readContext(
  { cwd, env }: LoadOptions,
  baseDir: string,
  { problems, warnings, unavailable, secrets, fetched }: Findings,
): ReadContext {
  const resolvePath = (path: string, origin: Origin) => resolve(origin.from === 'flags' ? cwd : baseDir, path);
  return {
    resolvePath,
    sources: (origin, { key, owner }) => ({
      env(name) {
        if (typeof env[name] !== 'string') return undefined;
        fetched.push({ name, key, owner });
        return env[name];
      },
      file: (path) => {
        const content = readTextFile(resolvePath(path, origin), MAX_REFERENCED_BYTES);
        return content.kind === 'text'
          ? content
          : { why: content.kind === 'missing' ? 'there is no such file' : content.why };
      },
    }),
    warn: (message) => warnings.push(message),
    report: (problem) => problems.push(problem),
    reportUnavailable: (owner, problem) => unavailable.push({ owner, problem }),
    addSecret: (value) => secrets.add(value),
  };
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
