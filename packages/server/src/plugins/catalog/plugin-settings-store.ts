import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { JsonObject } from '@mortise/plugin';
import { type PluginProblem, type PluginSettings, type SettingsRequest, withSection } from '@mortise/plugin/runtime';
import type { Candidate } from '../../core/plugin-candidate.js';
import { traitsOf } from '../../core/plugin-kinds.js';
import type { Log } from '../../log/log.js';
import { pluginEnvironment } from '../../settings/plugin-environment.js';
import { PLUGIN_SETTINGS, type PluginSection } from '../../settings/setting-owner.js';
import type { LoadedSettings, Settings } from '../../settings/settings.js';
import { SettingsError } from '../../settings/settings-error.js';
import { realPath } from '../../util/ignore-os-errors.js';

export interface PluginSettingsOptions {
  readonly loaded: LoadedSettings;
  /** The absolute path of the folder that the data folders of plugins are in. */
  readonly dataRoot: string;
  readonly log: Log;
  /** The environment of the server. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Reads the settings again. Without it they stay as they are. @throws SettingsError */
  readonly reload?: (() => LoadedSettings) | undefined;
}

/** Whose settings a plugin was given last, and what they were. */
interface Given {
  readonly name: string;
  readonly values: string;
  /** Where they are in the settings file. */
  readonly places: string;
}

/** The settings of plugins, as they are now (docs/spec/configuration.md#plugin-settings). */
export class PluginSettingsStore {
  readonly #options: PluginSettingsOptions;
  #loaded: LoadedSettings;
  #problem: PluginProblem | undefined;
  #onReloaded: ((loaded: LoadedSettings) => void) | undefined;
  readonly #given = new Map<string, Given>();
  /** Of plugins folders, by their path as it was found. */
  readonly #realPaths = new Map<string, string>();
  /** The environments of plugins that no setting names, of mounted servers and of others: the same for all of them. */
  #commonEnvironments: { of?: LoadedSettings; made: Map<boolean, Readonly<Record<string, string>>> } = {
    made: new Map(),
  };

  constructor(options: PluginSettingsOptions) {
    this.#options = options;
    this.#loaded = options.loaded;
  }

  /** Calls back when the settings were read again. There is one listener. */
  onReloaded(listener: (loaded: LoadedSettings) => void): void {
    this.#onReloaded = listener;
  }

  /** What all plugins read: `Plugins.Config`, unless `Plugins.ShareConfig` is false. */
  get shared(): JsonObject {
    const { Config, ShareConfig } = this.#loaded.settings.Plugins;
    return ShareConfig ? Config : {};
  }

  /** What a plugin reads by `getConfig`: its own section, then what is shared (docs/spec/configuration.md#plugin-environment). */
  configOf({ name, path }: Candidate): JsonObject {
    this.#given.set(path, this.#toGive(name));
    return withSection(this.shared, this.#sectionOf(name).values);
  }

  /** The environment of its process, as far as the server decides it; without a plugin what those get that no setting names. */
  environmentOf(candidate?: Pick<Candidate, 'name' | 'kind' | 'path'>): Readonly<Record<string, string>> {
    const { settings, fetched } = this.#loaded;
    const plugin = candidate && {
      name: candidate.name,
      path: candidate.path,
      isMounted: traitsOf(candidate).runner === 'mcp-client',
    };
    const make = () => pluginEnvironment({ settings, fetched, env: this.#options.env }, plugin);
    if (plugin && this.#namesEnvironmentOf(plugin.name)) return make();
    const common = this.#commonEnvironments;
    if (common.of !== this.#loaded) this.#commonEnvironments = { of: this.#loaded, made: new Map() };
    const { made } = this.#commonEnvironments;
    const key = plugin?.isMounted ?? false;
    const environment = made.get(key) ?? make();
    made.set(key, environment);
    return environment;
  }

  /** Whether the environment of plugins of this name may differ from that of the others. */
  #namesEnvironmentOf(name: string): boolean {
    const { fetched, settings } = this.#loaded;
    const own = name.toLowerCase();
    return (
      Object.keys(settings.Plugins.Environments).some((other) => other.toLowerCase() === own) ||
      fetched.some(({ owner }) => owner !== undefined)
    );
  }

  /** By plugin name in lower case. */
  get sections(): ReadonlyMap<string, PluginSection> {
    return this.#loaded.pluginSections;
  }

  get profiles(): Settings['Profiles'] {
    return this.#loaded.settings.Profiles;
  }

  /** The settings file, or the folder that it would be in. */
  get file(): string {
    return this.#loaded.file ?? this.#loaded.baseDir;
  }

  /** The path of the data folder of a plugin. Plugins of different folders have different ones. */
  dataDirOf({ directory, name: ownName }: Pick<Candidate, 'directory' | 'name'>, name = ownName): string {
    const folder = this.#realPaths.get(directory) ?? realPath(directory);
    this.#realPaths.set(directory, folder);
    const digest = hash('sha256', JSON.stringify([folder, name]));
    return join(this.#options.dataRoot, `${name.replace(/[^A-Za-z0-9_.-]/g, '_')}-${digest.slice(0, 8)}`);
  }

  /** The settings that the plugin asks for; from now on its secrets are redacted. */
  give(candidate: Candidate, { name = candidate.name, secrets }: SettingsRequest): PluginSettings {
    const section = this.#sectionOf(name);
    const { file } = this.#loaded;
    this.#given.set(candidate.path, this.#toGive(name));
    this.#addSecrets(secrets.flatMap((path) => textsAt(section.values, path)));
    return { ...section, ...(file !== undefined && { file }), dataDir: this.dataDirOf(candidate, name) };
  }

  /**
   * Whether the settings of a plugin are others than it was given, or may have read.
   * @param hasProblems the problems of the plugin name places in the settings file
   */
  hasChanged({ path }: Candidate, hasProblems: boolean): boolean {
    const given = this.#given.get(path);
    if (given === undefined) return false;
    const now = this.#toGive(given.name);
    return given.values !== now.values || (hasProblems && given.places !== now.places);
  }

  /** What the plugin with this name alone reads, wherever it is in the settings file. */
  valuesOf(name: string): unknown {
    const { values, unavailable } = this.#sectionOf(name);
    return [values, unavailable];
  }

  /** Why the settings were not taken over at the last reload, if they were not. */
  get problem(): PluginProblem | undefined {
    return this.#problem;
  }

  /** Reads the settings again; those that are wrong change nothing. Whether `Plugins.Config` has changed. */
  refresh(): boolean {
    this.#realPaths.clear();
    const { reload, log } = this.#options;
    if (!reload) return false;
    const before = JSON.stringify(this.shared);
    try {
      const loaded = reload();
      this.#addSecrets(loaded.secrets);
      this.#loaded = loaded;
      this.#problem = undefined;
      this.#onReloaded?.(loaded);
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      this.#problem = notReloaded(error, this.file);
      log.error(this.#problem.message, { code: this.#problem.code });
    }
    return before !== JSON.stringify(this.shared);
  }

  #toGive(name: string): Given {
    return {
      name,
      values: JSON.stringify(this.valuesOf(name)),
      places: JSON.stringify(this.#sectionOf(name).places),
    };
  }

  #sectionOf(name: string): PluginSection {
    const section = this.#loaded.pluginSections.get(name.toLowerCase());
    return section ?? { key: `${PLUGIN_SETTINGS}.${name}`, values: {}, places: {}, unavailable: [] };
  }

  /** All redactors read this list, which only grows. */
  #addSecrets(values: readonly string[]): void {
    const { secrets } = this.#options.loaded;
    for (const value of values) if (!secrets.includes(value)) secrets.push(value);
  }
}

function notReloaded({ message, problems: [first] }: SettingsError, file: string): PluginProblem {
  const { line, column } = first ?? {};
  return {
    severity: 'error',
    code: 'SETTINGS_NOT_RELOADED',
    message: `The settings could not be read again; the former ones apply, access keys and profiles included: ${message}`,
    hint: 'Correct the settings (`mortise validate`), and reload again.',
    location: {
      file: first?.file ?? file,
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
    },
  };
}

/** The texts at a path and below it; `*` stands for every key or index. Keys are compared without case. */
function textsAt(value: unknown, [key, ...rest]: readonly string[]): string[] {
  if (key === undefined) return textsIn(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? [value] : [];
  const members = Object.entries(value).filter(([name]) => key === '*' || name.toLowerCase() === key.toLowerCase());
  return members.flatMap(([, member]) => textsAt(member, rest));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
