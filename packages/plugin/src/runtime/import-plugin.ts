import { dirname, join, sep } from 'node:path';
import { readRegularText } from '../regular-file.js';

export type ModuleNamespace = Record<string, unknown>;

/** How a module gets imported; each is given the real path of the entry. */
export interface ImportWays {
  /** The real path of the plugin's folder, for a plugin that is one. Only a package.json in it counts as the plugin's own. */
  root?: string | undefined;
  /** Imports with Node.js itself. */
  importNatively(entry: string): Promise<ModuleNamespace>;
  /** Translated to CommonJS first, whatever it is written in. */
  transpile(entry: string): Promise<ModuleNamespace>;
}

/**
 * Imports a plugin's entry: CommonJS, ESM or TypeScript, as docs/spec/plugins.md#module-kind has it. Rejects with what the
 * import threw. @param entry its real path
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
 * Has jiti turn the plugin's own modules into CommonJS, and runs that.
 * @param options `cacheDir` keeps what was translated; `virtualModules` are given where a module imports these names
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

/** `own`: the plugin declares the type, by its package.json or extension. `none`: it is not declared, so Node detects it. `foreign`: a folder above the plugin declares it. */
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

/** '' when it has no type; undefined when there is no such file. A package.json that does not parse is its author's problem. */
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
