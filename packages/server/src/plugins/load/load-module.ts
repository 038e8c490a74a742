import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { importPlugin, type ModuleNamespace, type PluginProblem, transpileWith } from '@mortise/plugin/runtime';
import { fingerprint } from './fingerprint.js';
import { describeLoadError } from './load-error.js';

export type { ModuleNamespace };

export interface LoadOptions {
  /** The plugin's folder, for a plugin that is one. Only a package.json in it counts as the plugin's own. */
  root?: string | undefined;
  /** Where translated TypeScript is kept; nothing is kept without it. */
  cacheDir?: string | undefined;
  /** Loads under different versions share no code of the entry and of CommonJS files; other ES modules they do: Node keeps them. */
  version?: number;
}

/**
 * Imports a plugin's entry: CommonJS, ESM or TypeScript, as docs/spec/plugins.md#module-kind has it. Never rejects:
 * what goes wrong is a problem with its place. `file` is the real path of the entry. It may never settle when the
 * module awaits something that does not; the caller sets the time.
 *
 * `@mortise/plugin` need not be installed: where it is not, the server's own copy is given.
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

/** Loads a plugin's CommonJS files again, where that is what they were: `import` then finds them so. */
function evictRequireCache(entry: string, root: string | undefined): void {
  const require = createRequire(entry);
  if (!(entry in require.cache)) return;
  for (const file of fingerprint({ entry, ...(root !== undefined && { root }) }).files) delete require.cache[file];
  try {
    // By `import` alone, a module that another one passes on whole is taken for loaded (Node 20).
    require(entry);
  } catch {
    // `import` reports its problems.
    delete require.cache[entry];
  }
}

async function transpile(entry: string, { cacheDir }: LoadOptions): Promise<ModuleNamespace> {
  // Imported when it is needed: it costs 100 ms, and most plugins do without.
  return transpileWith(await import('jiti'), entry, {
    cacheDir,
    virtualModules: {
      '@mortise/plugin': await import('@mortise/plugin'),
      '@mortise/plugin/testing': await import('@mortise/plugin/testing'),
    },
  });
}
