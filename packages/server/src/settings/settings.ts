import type { JsonObject } from '@mortise/plugin';
import type { AccessKey, Profile } from './access-settings.js';
import type { CallerLimits } from './caller-limits.js';
import type { Origin } from './origin.js';
import type { PluginLimits } from './plugin-limits.js';
import type { FetchedVariable, PluginSection, UnavailableReference } from './setting-owner.js';

/** An entry of `Plugins.McpServers`, in the shape that MCP clients use. */
export type McpServerEntry =
  | { command: string; args?: string[]; env?: Record<string, string>; cwd?: string }
  | { url: string; headers?: Record<string, string> };

/** Which variables of the server's environment a plugin's process gets; a list: the usual ones and these. */
export type EnvironmentChoice = 'inherit' | 'usual' | readonly string[];

export type SettingsLogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

/**
 * All settings, defaults filled in, secrets fetched, paths absolute. Frozen. The keys are those of appsettings.json
 * (docs/spec/plugins.md#configuration); `settings-table.ts` holds each one's type, range, default and
 * description.
 */
export interface Settings {
  readonly Plugins: {
    readonly Enabled: boolean;
    /** Absolute folders. */
    readonly Directory: readonly string[];
    /** Names of npm packages. */
    readonly Packages: readonly string[];
    readonly Config: JsonObject;
    /** By plugin name. */
    readonly Settings: Readonly<Record<string, JsonObject>>;
    /** Whether all plugins read `Config`. */
    readonly ShareConfig: boolean;
    readonly Environment: EnvironmentChoice;
    /** By plugin name. */
    readonly Environments: Readonly<Record<string, EnvironmentChoice>>;
    readonly LoadTimeoutMs: number;
    readonly StartWaitMs: number;
    readonly Isolation: 'process' | 'none';
    readonly IdleMs: number;
    readonly MaxMemoryMb: number;
    readonly MaxConcurrentCalls: number;
    readonly MaxQueuedCalls: number;
    readonly OnChange: 'warn' | 'refuse';
    readonly Limits: PluginLimits;
    readonly McpServers: Readonly<Record<string, McpServerEntry>>;
  };
  readonly Tools: {
    readonly TimeoutMs: number;
    readonly NameStyle: 'portable' | 'exact';
    /** 0: one page. */
    readonly PageSize: number;
    /** Names of plugins and mounted servers. */
    readonly TrustAnnotations: readonly string[];
    /** In tokens; 0: any number. */
    readonly DefinitionBudget: number;
    /** As if every call carried machineReadable: true. */
    readonly MachineReadable: boolean;
  };
  readonly Tasks: {
    /** 0: no call becomes a task. */
    readonly AfterMs: number;
    readonly KeepMs: number;
    readonly MaxOpen: number;
    readonly MaxOpenPerPrincipal: number;
  };
  readonly Output: { readonly MaxTextChars: number; readonly MaxResultBytes: number; readonly MaxBytes: number };
  readonly Redaction: { readonly AllowUnsafeOutput: boolean };
  readonly Concurrency: { readonly WaitMs: number };
  readonly Http: {
    readonly Host: string;
    readonly Port: number;
    readonly MaxBodyBytes: number;
    /** Host names beside the loopback ones that Host may hold. */
    readonly AllowedHosts: readonly string[];
    readonly AllowedOrigins: readonly string[];
    readonly MaxSessions: number;
    readonly SessionIdleMs: number;
    readonly PollAfterMs: number;
    /** Key for requestState; '' makes one per process. Set it where several replicas share work. */
    readonly StateKey: string;
  };
  readonly Auth: { readonly Keys: readonly AccessKey[] };
  /** By name. */
  readonly Profiles: Readonly<Record<string, Profile>>;
  readonly Dotnet: {
    readonly Enabled: 'auto' | boolean;
    readonly Tools: readonly string[];
    /** Absolute folders; empty: any. */
    readonly Roots: readonly string[];
    readonly Path: string;
    readonly TimeoutMs: number;
  };
  readonly Sessions: { readonly KeepMs: number; readonly MaxLines: number; readonly StartWaitMs: number };
  readonly Log: { readonly Level: SettingsLogLevel };
  /** Of each principal; what is absent is not limited. */
  readonly Limits: CallerLimits;
  readonly Telemetry: { readonly Metrics: boolean; readonly MetricsPort: number };
  readonly Audit: {
    /** Absolute; '' writes none. */
    readonly File: string;
    readonly Arguments: 'hash' | 'redacted';
    readonly RetentionDays: number;
    readonly MaxMegabytes: number;
    readonly OnFailure: 'warn' | 'refuse';
  };
}

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
