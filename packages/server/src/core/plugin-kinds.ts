import { extname } from 'node:path';
import { MODULE_EXTENSIONS } from '@mortise/plugin/runtime';

/** In what the kinds of plugins differ. Code that depends on the kind of a plugin reads its row in {@link PLUGIN_KINDS}. */
export interface PluginKindRow {
  /** How a file in a plugins folder ends that is such a plugin (`plugins/find/discover-plugins.ts`). */
  readonly extensions: readonly string[];
  /** What runs it (`run/runner-factory.ts`). With `Plugins.Isolation` `none`, `process` means in the server too. */
  readonly runner: 'process' | 'dotnet' | 'mcp-client' | 'bundled';
  /** It ships with the server as a plugin: its definition is neither checked nor pinned, and it gets its names first. */
  readonly isBundled: boolean;
  /** It is a file or folder: it is pinned by its path, and loaded again when its files change. */
  readonly hasFiles: boolean;
  /** The names of its tools and prompts begin with its own name and a dot. */
  readonly hasNamePrefix: boolean;
  /** It judges the arguments of its tools itself (docs/spec/arguments.md#mounted-arguments). */
  readonly judgesArguments: boolean;
  /** Where no other plugin may have names that begin with its own name. */
  readonly reserved?: {
    /** Only until it has loaded; else always. */
    readonly isUntilLoaded: boolean;
    /** For whom the names are reserved, in words. @param name of the plugin */
    owner(name: string): string;
  };
  /** As what a status shows it. */
  readonly shownAs: 'module' | 'dotnet' | 'server';
  /** What `mortise list` writes before the number of its tools. */
  readonly label: string;
  /** It is shown although it provides nothing; an assembly without a tool is a library of another one. */
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
  /** What ships with the server as a package of its own. */
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

/** The row of a plugin's kind. */
export function traitsOf({ kind }: { readonly kind: PluginKind }): PluginKindRow {
  return PLUGIN_KINDS[kind];
}

/** A kind that is found by how its files end. */
export type FileKind = {
  [K in PluginKind]: (typeof PLUGIN_KINDS)[K]['extensions'] extends readonly [] ? never : K;
}[PluginKind];

const FILE_KINDS = (Object.keys(PLUGIN_KINDS) as FileKind[]).filter((kind) => traitsOf({ kind }).extensions.length > 0);

/** Which kind of plugin a file in a plugins folder may be, by the end of its name; undefined for none. */
export function kindOfFile(path: string): FileKind | undefined {
  const extension = extname(path);
  return FILE_KINDS.find((kind) => traitsOf({ kind }).extensions.includes(extension));
}
