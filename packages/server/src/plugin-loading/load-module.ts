import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type PluginProblem, readRegularText } from '@mortise/plugin/runtime';
import { fingerprint } from './fingerprint.js';
import { describeLoadError } from './load-error.js';

export type ModuleNamespace = Record<string, unknown>;

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
    const type = moduleType(plugin.entry, root);
    const isLeftToNode = type !== 'foreign' && !(isTypeScript(plugin.entry) && !stripsTypes());
    const namespace = isLeftToNode
      ? await importOrTranspile(plugin.entry, type, options)
      : await transpile(plugin.entry, options);
    return { namespace, file: plugin.entry };
  } catch (error) {
    return { problem: await describeLoadError(error, plugin) };
  }
}

interface Plugin {
  entry: string;
  root: string;
}

async function importOrTranspile(entry: string, type: ModuleType, options: LoadOptions): Promise<ModuleNamespace> {
  try {
    return await importNatively(entry, options);
  } catch (error) {
    if (!shouldTranspile(error, entry, type)) throw error;
    return transpile(entry, options);
  }
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
    // What is wrong with it is told by `import`.
    delete require.cache[entry];
  }
}

/** Has jiti turn the plugin's own modules into CommonJS, whatever they are written in, and runs that. */
async function transpile(entry: string, { cacheDir }: LoadOptions): Promise<ModuleNamespace> {
  // Imported when it is needed: it costs 100 ms, and most plugins do without.
  const { createJiti } = await import('jiti');
  const jiti = createJiti(entry, {
    fsCache: cacheDir ?? false,
    moduleCache: false,
    interopDefault: false,
    virtualModules: {
      '@mortise/plugin': await import('@mortise/plugin'),
      '@mortise/plugin/testing': await import('@mortise/plugin/testing'),
    },
  });
  const exported = await jiti.import<ModuleNamespace>(entry);
  const isNamespace = typeof exported === 'object' && exported !== null && '__esModule' in exported;
  return isNamespace ? exported : { default: exported };
}

/** `own`: the plugin says so itself, by its package.json or extension. `none`: no one says, so Node detects. `foreign`: a folder above the plugin does. */
type ModuleType = 'own' | 'none' | 'foreign';

/** Who decides what the `.js` files of a plugin are, by Node's search upward from the entry. */
function moduleType(entry: string, root: string | undefined): ModuleType {
  if (root === undefined && /\.[mc][jt]s$/.test(entry)) return 'own';
  for (let folder = dirname(entry), above = ''; folder !== above; folder = dirname(folder)) {
    above = folder;
    const type = readType(join(folder, 'package.json'));
    if (type === undefined) continue;
    const isOwn = root !== undefined && `${folder}${sep}`.startsWith(`${root}${sep}`);
    if (type === '') return 'none';
    return isOwn ? 'own' : 'foreign';
  }
  return 'none';
}

/** '' when it has no type; undefined when there is no such file. What does not parse is no one's but its author's. */
function readType(file: string): string | undefined {
  try {
    return String(JSON.parse(readRegularText(file)).type ?? '');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === undefined ? 'broken' : undefined;
  }
}

const NOT_FOUND = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);

const NEEDS_TRANSLATION = new Set([
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
  'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING',
]);

function shouldTranspile(error: unknown, entry: string, type: ModuleType): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (NEEDS_TRANSLATION.has(code)) return true;
  if (NOT_FOUND.has(code)) return isTypeScript(entry) || /'@mortise\/plugin['/]/.test(error.message);
  if (error instanceof SyntaxError) return isTypeScript(entry);
  return type === 'none' && /\.[jt]s$/.test(entry) && error.message.includes('is not defined in ES module scope');
}

const isTypeScript = (entry: string) => /\.[mc]?ts$/.test(entry);

const stripsTypes = () => Boolean((process.features as { typescript?: unknown }).typescript);
