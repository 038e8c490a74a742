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
  /** The absolute path of the folder that contains the data folders of plugins. */
  readonly dataRoot: string;
  readonly log: Log;
  /** The environment of the server. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Reads the settings again. If undefined, the settings never change. @throws SettingsError */
  readonly reload?: (() => Promise<LoadedSettings>) | undefined;
}

/** The settings that a plugin last received, as JSON texts that can be compared. */
interface ReceivedSettings {
  readonly name: string;
  readonly values: string;
  /** The places of the values in the settings file. */
  readonly places: string;
}

/** The current settings of plugins (docs/spec/configuration.md#plugin-settings). */
export class PluginSettingsStore {
  readonly #options: PluginSettingsOptions;
  #loaded: LoadedSettings;
  #problem: PluginProblem | undefined;
  #onReloaded: ((loaded: LoadedSettings) => void) | undefined;
  /** The settings that each plugin last received, by its path. */
  readonly #lastReceived = new Map<string, ReceivedSettings>();
  /** The real path of each plugins folder, by its path in the settings. */
  readonly #realPaths = new Map<string, string>();
  /**
   * The environments of plugins without an environment of their own: `true` is the key of that of mounted servers,
   * `false` of that of other plugins.
   */
  #commonEnvironments: { of?: LoadedSettings; byIsMounted: Map<boolean, Readonly<Record<string, string>>> } = {
    byIsMounted: new Map(),
  };

  constructor(options: PluginSettingsOptions) {
    this.#options = options;
    this.#loaded = options.loaded;
  }

  /** Sets the only listener, which is called after the settings were read again without an error. */
  onReloaded(listener: (loaded: LoadedSettings) => void): void {
    this.#onReloaded = listener;
  }

  /** The settings that all plugins can read: `Plugins.Config`, or none if `Plugins.ShareConfig` is false. */
  get shared(): JsonObject {
    const { Config, ShareConfig } = this.#loaded.settings.Plugins;
    return ShareConfig ? Config : {};
  }

  /**
   * Returns the settings that a plugin reads with `getConfig`: the shared ones, overridden by its own section
   * (docs/spec/configuration.md#plugin-environment).
   */
  configOf({ name, path }: Candidate): JsonObject {
    this.#lastReceived.set(path, this.#currentOf(name));
    return withSection(this.shared, this.#sectionOf(name).values);
  }

  /**
   * Returns the environment variables that the server passes to the plugin's process; without a plugin, those of
   * plugins that have no environment of their own in the settings.
   */
  environmentOf(candidate?: Pick<Candidate, 'name' | 'kind' | 'path'>): Readonly<Record<string, string>> {
    const { settings, fetched } = this.#loaded;
    const plugin = candidate && {
      name: candidate.name,
      path: candidate.path,
      isMounted: traitsOf(candidate).runner === 'mcp-client',
    };
    const make = () => pluginEnvironment({ settings, fetched, env: this.#options.env }, plugin);
    if (plugin && this.#mayHaveOwnEnvironment(plugin.name)) return make();
    if (this.#commonEnvironments.of !== this.#loaded) {
      this.#commonEnvironments = { of: this.#loaded, byIsMounted: new Map() };
    }
    const { byIsMounted } = this.#commonEnvironments;
    const isMounted = plugin?.isMounted ?? false;
    const environment = byIsMounted.get(isMounted) ?? make();
    byIsMounted.set(isMounted, environment);
    return environment;
  }

  #mayHaveOwnEnvironment(pluginName: string): boolean {
    const { fetched, settings } = this.#loaded;
    const lowerName = pluginName.toLowerCase();
    return (
      Object.keys(settings.Plugins.Environments).some((name) => name.toLowerCase() === lowerName) ||
      fetched.some(({ owner }) => owner !== undefined)
    );
  }

  /** The sections of `Plugins.Settings`, by plugin name in lower case. */
  get sections(): ReadonlyMap<string, PluginSection> {
    return this.#loaded.pluginSections;
  }

  get profiles(): Settings['Profiles'] {
    return this.#loaded.settings.Profiles;
  }

  /** The path of the settings file; if there is none, of the folder that it would be in. */
  get file(): string {
    return this.#loaded.file ?? this.#loaded.baseDir;
  }

  /**
   * Returns the path of a plugin's data folder. Plugins of the same name in different plugins folders do not share one.
   */
  dataDirOf({ directory, name: ownName }: Pick<Candidate, 'directory' | 'name'>, name = ownName): string {
    const folder = this.#realPaths.get(directory) ?? realPath(directory);
    this.#realPaths.set(directory, folder);
    const digest = hash('sha256', JSON.stringify([folder, name]));
    return join(this.#options.dataRoot, `${name.replace(/[^A-Za-z0-9_.-]/g, '_')}-${digest.slice(0, 8)}`);
  }

  /** Returns the settings that a plugin asks for. From then on the secrets among them are redacted everywhere. */
  give(candidate: Candidate, { name = candidate.name, secrets }: SettingsRequest): PluginSettings {
    const section = this.#sectionOf(name);
    const { file } = this.#loaded;
    this.#lastReceived.set(candidate.path, this.#currentOf(name));
    this.#addSecrets(secrets.flatMap((path) => textsAt(section.values, path)));
    return { ...section, ...(file !== undefined && { file }), dataDir: this.dataDirOf(candidate, name) };
  }

  /**
   * True if the current settings of a plugin differ from those that it last received.
   * @param hasProblems true if the plugin has problems that name lines of the settings file: moved lines are a change too
   */
  hasChanged({ path }: Candidate, hasProblems: boolean): boolean {
    const last = this.#lastReceived.get(path);
    if (last === undefined) return false;
    const current = this.#currentOf(last.name);
    return last.values !== current.values || (hasProblems && last.places !== current.places);
  }

  /** Returns the settings that only the plugin with this name can read, without their places in the settings file. */
  valuesOf(name: string): unknown {
    const { values, unavailable } = this.#sectionOf(name);
    return [values, unavailable];
  }

  /** The problem if the last reload kept the former settings, because the new ones are invalid. */
  get problem(): PluginProblem | undefined {
    return this.#problem;
  }

  /**
   * Reads the settings again. Invalid settings are logged, become {@link problem} and change nothing else.
   * @returns true if the shared settings have changed
   */
  async refresh(): Promise<boolean> {
    this.#realPaths.clear();
    const { reload, log } = this.#options;
    if (!reload) return false;
    const before = JSON.stringify(this.shared);
    try {
      const loaded = await reload();
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

  #currentOf(name: string): ReceivedSettings {
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

  /** Adds the values to the list of secrets that all redactors read. Nothing is ever removed from the list. */
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

/** Returns all strings at a path and below it. `*` matches every key or index, and keys match in any letter case. */
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
