import { dirname, join, sep } from 'node:path';
import { readRegularText } from '../regular-file.js';

export type ModuleNamespace = Record<string, unknown>;

/** The two ways to import a plugin's entry. Both get the real path of the entry. */
export interface ImportWays {
  /**
   * The real path of the plugin's folder, if the plugin is a folder. Only a package.json in it counts as the plugin's
   * own.
   */
  root?: string | undefined;
  importNatively(entry: string): Promise<ModuleNamespace>;
  /** Translates the module to CommonJS, whatever its language, and imports that. */
  transpile(entry: string): Promise<ModuleNamespace>;
}

/**
 * Imports a plugin's entry, which is CommonJS, ESM or TypeScript (docs/spec/plugins.md#module-kind). Rejects with the
 * error of the import.
 * @param entry the real path
 */
export async function importPlugin(entry: string, ways: ImportWays): Promise<ModuleNamespace> {
  const type = moduleType(entry, ways.root);
  const isLeftToNode = type !== 'foreign' && !(isTypeScript(entry) && !stripsTypes());
  if (!isLeftToNode) return ways.transpile(entry);
  try {
    return await ways.importNatively(entry);
  } catch (error) {
    if (!shouldTranspile(error, entry, type)) throw error;
    return ways.transpile(entry);
  }
}

/** The subset of jiti's API that we use. */
export interface Transpiler {
  createJiti(
    entry: string,
    options: {
      fsCache: string | false;
      moduleCache: false;
      interopDefault: false;
      virtualModules: Record<string, Record<string, unknown>>;
    },
  ): { import(entry: string): Promise<unknown> };
}

/**
 * Makes jiti translate the plugin's own modules to CommonJS, and runs the result.
 * @param options `cacheDir` is the folder for translated modules. `virtualModules` replace the modules with these
 * names.
 */
export async function transpileWith(
  { createJiti }: Transpiler,
  entry: string,
  options: { cacheDir?: string | undefined; virtualModules: Record<string, Record<string, unknown>> },
): Promise<ModuleNamespace> {
  const { cacheDir, virtualModules } = options;
  const jiti = createJiti(entry, {
    fsCache: cacheDir ?? false,
    moduleCache: false,
    interopDefault: false,
    virtualModules,
  });
  const exported = await jiti.import(entry);
  const isNamespace = typeof exported === 'object' && exported !== null && '__esModule' in exported;
  return isNamespace ? (exported as ModuleNamespace) : { default: exported };
}

/**
 * `own`: the plugin declares its type, by its package.json or its extension. `none`: nothing declares it, so Node.js
 * detects it. `foreign`: a folder above the plugin declares it.
 */
type ModuleType = 'own' | 'none' | 'foreign';

/** Finds the package.json that decides the type of a plugin's `.js` files, upward from the entry as Node.js does. */
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

/**
 * The `type` of a package.json: '' if it has none, undefined if there is no such file. If it cannot be parsed, the
 * author gets the error from Node.js.
 */
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
