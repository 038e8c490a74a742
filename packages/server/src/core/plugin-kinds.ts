import { extname } from 'node:path';
import { MODULE_EXTENSIONS } from '@mortise/plugin/runtime';

/** The differences between kinds of plugins. Code that depends on the kind reads its row in {@link PLUGIN_KINDS}. */
export interface PluginKindRow {
  /** File extensions that mark a file in a plugins folder as this kind (`plugins/find/discover-plugins.ts`). */
  readonly extensions: readonly string[];
  /** The runner (`run/runner-factory.ts`). If `Plugins.Isolation` is `none`, `process` plugins run in the server. */
  readonly runner: 'process' | 'dotnet' | 'mcp-client' | 'bundled';
  /** The plugin ships with the server: it is neither validated nor pinned, and takes its names before all others. */
  readonly isBundled: boolean;
  /** The plugin is a file or folder: it is pinned by its path, and reloaded when its files change. */
  readonly hasFiles: boolean;
  /** The names of its tools and prompts begin with the plugin's name and a dot. */
  readonly hasNamePrefix: boolean;
  /** The plugin validates the arguments of its tools itself (docs/spec/arguments.md#mounted-arguments). */
  readonly judgesArguments: boolean;
  /** Set if other plugins may not use names that begin with this plugin's name. */
  readonly reserved?: {
    /** The names are reserved only until the plugin has loaded; otherwise always. */
    readonly isUntilLoaded: boolean;
    /** Describes the owner of the names for an error message. */
    owner(pluginName: string): string;
  };
  readonly shownAs: 'module' | 'dotnet' | 'server';
  /** The prefix of the tool count in `mortise list`. */
  readonly label: string;
  /** The plugin is listed even if it provides nothing. An assembly without tools is a library of another plugin. */
  readonly isShownEmpty: boolean;
}

const MODULE: PluginKindRow = {
  extensions: MODULE_EXTENSIONS,
  runner: 'process',
  isBundled: false,
  hasFiles: true,
  hasNamePrefix: false,
  judgesArguments: false,
  shownAs: 'module',
  label: '',
  isShownEmpty: true,
};

/** One row for each kind. A new value of `runner` also needs a branch in `run/runner-factory.ts`. */
export const PLUGIN_KINDS = {
  /** A JavaScript or TypeScript file, or a folder with an entry point. */
  module: MODULE,
  /** A .NET assembly, or a folder with one. */
  dotnet: { ...MODULE, extensions: ['.dll'], runner: 'dotnet', shownAs: 'dotnet', label: 'C#, ', isShownEmpty: false },
  /** A server of `Plugins.McpServers`. */
  server: {
    ...MODULE,
    extensions: [],
    runner: 'mcp-client',
    hasFiles: false,
    hasNamePrefix: true,
    judgesArguments: true,
    reserved: { isUntilLoaded: false, owner: (name) => `the mounted server '${name.replace(/^mcp\./, '')}'` },
    shownAs: 'server',
  },
  /** A package that ships with the server. */
  bundled: {
    ...MODULE,
    extensions: [],
    runner: 'bundled',
    isBundled: true,
    hasFiles: false,
    reserved: { isUntilLoaded: true, owner: (name) => `the tools of '${name}' that ship with the server` },
  },
  /** The server's own tools. */
  builtIn: {
    ...MODULE,
    extensions: [],
    runner: 'bundled',
    hasFiles: false,
    reserved: { isUntilLoaded: false, owner: () => 'the server itself' },
  },
} as const satisfies Record<string, PluginKindRow>;

export type PluginKind = keyof typeof PLUGIN_KINDS;

export function traitsOf({ kind }: { readonly kind: PluginKind }): PluginKindRow {
  return PLUGIN_KINDS[kind];
}

/** A kind that is recognised by its file extension. */
export type FileKind = {
  [K in PluginKind]: (typeof PLUGIN_KINDS)[K]['extensions'] extends readonly [] ? never : K;
}[PluginKind];

const FILE_KINDS = (Object.keys(PLUGIN_KINDS) as FileKind[]).filter((kind) => traitsOf({ kind }).extensions.length > 0);

/** Returns the kind of plugin that the file extension stands for; undefined if the file cannot be a plugin. */
export function kindOfFile(path: string): FileKind | undefined {
  const extension = extname(path);
  return FILE_KINDS.find((kind) => traitsOf({ kind }).extensions.includes(extension));
}
