import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { importPlugin, type ModuleNamespace, type PluginProblem, transpileWith } from '@mortise/plugin/runtime';
import { fingerprint } from './fingerprint.js';
import { describeLoadError } from './load-error.js';

export type { ModuleNamespace };

export interface LoadOptions {
  /** The plugin's folder, if the plugin is a folder. Only a package.json in it counts as the plugin's own. */
  root?: string | undefined;
  /** The folder in which translated TypeScript is cached. If undefined, nothing is cached. */
  cacheDir?: string | undefined;
  /**
   * With a new version, the entry and the plugin's CommonJS files run again. Other ES modules do not: Node caches them.
   */
  version?: number;
}

/**
 * Imports a plugin's entry: CommonJS, ESM or TypeScript (docs/spec/plugins.md#module-kind). Never rejects: an error
 * becomes a problem with its location. May never settle, because a module can wait forever; the caller needs a time
 * limit. A plugin that has not installed `@mortise/plugin` gets the server's own copy.
 * @returns the module, and the real path of the entry as `file`
 */
export async function loadModule(
  entry: string,
  options: LoadOptions = {},
): Promise<{ namespace: ModuleNamespace; file: string } | { problem: PluginProblem }> {
  let plugin: Plugin = { entry, root: options.root ?? dirname(entry) };
  try {
    const root = options.root && realpathSync(options.root);
    plugin = { entry: realpathSync(entry), root: root ?? dirname(realpathSync(entry)) };
    const namespace = await importPlugin(plugin.entry, {
      root,
      importNatively: (entry) => importNatively(entry, options),
      transpile: (entry) => transpile(entry, options),
    });
    return { namespace, file: plugin.entry };
  } catch (error) {
    return { problem: await describeLoadError(error, plugin) };
  }
}

interface Plugin {
  entry: string;
  root: string;
}

async function importNatively(entry: string, { root, version }: LoadOptions): Promise<ModuleNamespace> {
  const url = pathToFileURL(entry);
  if (version !== undefined) {
    url.searchParams.set('v', String(version));
    evictRequireCache(entry, root);
  }
  return await import(url.href);
}

/**
 * If the entry was loaded as CommonJS, loads the plugin's files again with `require`, so that `import` finds the new
 * code.
 */
function evictRequireCache(entry: string, root: string | undefined): void {
  const require = createRequire(entry);
  if (!(entry in require.cache)) return;
  for (const file of fingerprint({ entry, ...(root !== undefined && { root }) }).files) delete require.cache[file];
  try {
    // With `import` alone, Node 20 assumes that a module is loaded if another one re-exports all of it.
    require(entry);
  } catch {
    // `import` throws the same error and reports it.
    delete require.cache[entry];
  }
}

async function transpile(entry: string, { cacheDir }: LoadOptions): Promise<ModuleNamespace> {
  // Imported on demand, because it takes 100 ms and most plugins do not need it.
  return transpileWith(await import('jiti'), entry, {
    cacheDir,
    virtualModules: {
      '@mortise/plugin': await import('@mortise/plugin'),
      '@mortise/plugin/testing': await import('@mortise/plugin/testing'),
    },
  });
}
