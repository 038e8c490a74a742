import type { FetchedVariable, PluginSection, UnavailableReference } from './setting-owner.js';
import type { Origin } from './settings-error.js';
import type { ParsedSettings } from './settings-table.js';

/** An entry of `Plugins.McpServers`, in the shape that MCP clients use. */
export type McpServerEntry =
  | { command: string; args?: string[]; env?: Record<string, string>; cwd?: string }
  | { url: string; headers?: Record<string, string> };

/**
 * All settings after loading: defaults are filled in, references fetched, paths absolute. Frozen. The keys are those of
 * appsettings.json (docs/spec/configuration.md#configuration); `settings-table.ts` has the schema, default and
 * description of each setting.
 */
export interface Settings extends Omit<ParsedSettings, 'Plugins'> {
  readonly Plugins: Omit<ParsedSettings['Plugins'], 'McpServers'> & {
    /** The servers that are not disabled. */
    readonly McpServers: Readonly<Record<string, McpServerEntry>>;
  };
}

/** Selects the server's environment variables that a plugin's process gets. A list adds names to the usual ones. */
export type EnvironmentChoice = Settings['Plugins']['Environment'];

export type SettingsLogLevel = Settings['Log']['Level'];

/** The settings with their origins, and the warnings for the user. */
export interface LoadedSettings {
  readonly settings: Settings;
  /** Absolute path of the file that was read; undefined if none was. */
  readonly file: string | undefined;
  /** The folder at which relative paths start. */
  readonly baseDir: string;
  /** The origins of the entries of `Plugins.Packages`, in the same order. */
  readonly packageOrigins: readonly Origin[];
  /** Warnings for the user, for example about an untrusted file that was ignored, or an unknown key. */
  readonly warnings: readonly string[];
  /**
   * Secret and fetched values of at least 6 characters, which are redacted wherever they appear. Values that plugins
   * mark as secret are added later.
   */
  readonly secrets: string[];
  /** The sections of `Plugins.Settings` with their places, by plugin name in lower case. */
  readonly pluginSections: ReadonlyMap<string, PluginSection>;
  /** The variables that the settings fetch. */
  readonly fetched: readonly FetchedVariable[];
  /** References in entries of `Plugins.Settings` and `Plugins.McpServers` that cannot be fetched. */
  readonly unavailable: readonly UnavailableReference[];
}
