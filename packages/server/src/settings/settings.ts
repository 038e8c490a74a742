import type { FetchedVariable, PluginSection, UnavailableReference } from './setting-owner.js';
import type { Origin } from './settings-error.js';
import type { ParsedSettings } from './settings-table.js';

/** An entry of `Plugins.McpServers`, in the shape that MCP clients use. */
export type McpServerEntry =
  | { command: string; args?: string[]; env?: Record<string, string>; cwd?: string }
  | { url: string; headers?: Record<string, string> };

/**
 * All settings, defaults filled in, secrets fetched, paths absolute. Frozen. The keys are those of appsettings.json
 * (docs/spec/configuration.md#configuration); `settings-table.ts` holds each one's schema, default and description.
 */
export interface Settings extends Omit<ParsedSettings, 'Plugins'> {
  readonly Plugins: Omit<ParsedSettings['Plugins'], 'McpServers'> & {
    /** Those that are not disabled. */
    readonly McpServers: Readonly<Record<string, McpServerEntry>>;
  };
}

/** Which variables of the server's environment a plugin's process gets; a list: the usual ones and these. */
export type EnvironmentChoice = Settings['Plugins']['Environment'];

export type SettingsLogLevel = Settings['Log']['Level'];

/** Where the settings came from, and what to tell the user about it. */
export interface LoadedSettings {
  readonly settings: Settings;
  /** Absolute path of the file that was read; undefined when none was. */
  readonly file: string | undefined;
  /** The folder that relative paths start at. */
  readonly baseDir: string;
  /** Where each entry of `Plugins.Packages` was set. */
  readonly packageOrigins: readonly Origin[];
  /** An untrusted file that was ignored, an unknown environment key, and the like. */
  readonly warnings: readonly string[];
  /** Values under secret-looking keys of the configuration (6 characters and more): redacted wherever they appear. The list grows with what plugins mark as secret. */
  readonly secrets: string[];
  /** The sections of `Plugins.Settings` with their places, by plugin name in lower case. */
  readonly pluginSections: ReadonlyMap<string, PluginSection>;
  /** The variables that the settings fetch. */
  readonly fetched: readonly FetchedVariable[];
  /** References in entries of `Plugins.Settings` and `Plugins.McpServers` that cannot be fetched. */
  readonly unavailable: readonly UnavailableReference[];
}
