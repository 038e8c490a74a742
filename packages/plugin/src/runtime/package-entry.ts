import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '../json.js';

/** Extensions of plugin modules. Sources come before the files built from them. */
export const MODULE_EXTENSIONS = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'] as const;

/** The conditions of `exports` that Node.js matches for `import`, and then for `require`. */
const CONDITIONS = [
  ['node', 'import', 'module-sync', 'default'],
  ['node', 'require', 'module-sync', 'default'],
];

export type PackageJson = Record<string, unknown>;

/**
 * Finds the module that a folder's package.json names in `exports` or `main`, or else the folder's `index.*`. Paths are
 * absolute. `missing` says why the entry cannot be found. undefined if there is neither a name nor an index.
 */
export function packageEntry(folder: string, json: PackageJson): { entry: string } | { missing: string } | undefined {
  if (json.exports !== undefined && json.exports !== null) return exportsEntry(folder, json.exports);
  const main = typeof json.main === 'string' && json.main !== '' ? json.main : undefined;
  const entry = (main && moduleAt(join(folder, main))) ?? indexFileOf(folder);
  if (entry) return { entry };
  return main ? { missing: `main names '${main}', which does not exist, and there is no index file` } : undefined;
}

export function indexFileOf(folder: string): string | undefined {
  return MODULE_EXTENSIONS.map((extension) => join(folder, `index${extension}`)).find(isFile);
}

/** The target of `.` in `exports`, found as Node.js finds it. undefined if no condition matches. */
function resolveExports(exports: unknown): string | undefined {
  const target = rootTarget(exports);
  return CONDITIONS.map((conditions) => resolveTarget(target, conditions)).find((found) => typeof found === 'string') as
    | string
    | undefined;
}

function rootTarget(exports: unknown): unknown {
  if (!isJsonObject(exports)) return exports;
  const isSubpathMap = Object.keys(exports).some((key) => key.startsWith('.'));
  return isSubpathMap ? exports['.'] : exports;
}

/** null if the author excludes the target; undefined if no condition matches. */
function resolveTarget(target: unknown, conditions: readonly string[]): string | null | undefined {
  if (typeof target === 'string' || target === null) return target;
  if (Array.isArray(target)) {
    return target.map((item) => resolveTarget(item, conditions)).find((found) => typeof found === 'string');
  }
  if (typeof target !== 'object') return undefined;
  for (const [condition, inner] of Object.entries(target)) {
    const found = conditions.includes(condition) ? resolveTarget(inner, conditions) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function exportsEntry(folder: string, exports: unknown): { entry: string } | { missing: string } {
  const target = resolveExports(exports);
  if (target === undefined) return { missing: `exports names nothing for "."` };
  if (!target.startsWith('./')) return { missing: `exports names '${target}', which does not begin with './'` };
  const entry = join(folder, target);
  return isFile(entry) ? { entry } : { missing: `exports names '${target}', which does not exist` };
}

function moduleAt(path: string): string | undefined {
  const files = [path, ...MODULE_EXTENSIONS.map((extension) => path + extension)];
  return files.find(isFile) ?? indexFileOf(path);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
