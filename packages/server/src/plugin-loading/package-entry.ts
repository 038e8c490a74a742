import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { PluginProblem } from '@mortise/plugin/runtime';
import { type ParseError, type ParseErrorCode, parse, printParseErrorCode } from 'jsonc-parser';
import { limitProblem, limitViolation } from '../settings/limit-violation.js';
import { DEFAULT_LIMITS, type PluginLimits } from '../settings/plugin-limits.js';
import { readTextFile } from '../util/read-text-file.js';

/** Extensions of plugin modules. The source is before what is built from it. */
export const MODULE_EXTENSIONS = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'] as const;

/** What Node matches in `exports` for `import`, and for `require` where nothing matches that. */
const CONDITIONS = [
  ['node', 'import', 'module-sync', 'default'],
  ['node', 'require', 'module-sync', 'default'],
];

export type PackageJson = Record<string, unknown>;

/** The package.json in `folder`; undefined when there is none; what is wrong with it when it is not valid. */
export function readPackage(
  folder: string,
  limits: PluginLimits = DEFAULT_LIMITS,
): { json: PackageJson } | { problem: PluginProblem } | undefined {
  const file = join(folder, 'package.json');
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > limits.PackageJsonBytes) return { problem: tooLarge(limits, size, file) };
  const read = readTextFile(file, limits.PackageJsonBytes);
  if (read.kind === 'missing') return undefined;
  if (read.kind === 'unreadable') return { problem: invalid(file, read.why) };
  const { text } = read;
  const errors: ParseError[] = [];
  const json: unknown = parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [error] = errors;
  if (error) return { problem: invalid(file, describeCode(error.error), locationAt(text, error.offset)) };
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return { problem: invalid(file, 'it does not contain an object', { line: 1, column: 1 }) };
  }
  return { json: json as PackageJson };
}

/**
 * The absolute path of the module that a folder's package.json names by `exports` or `main`, else its `index.*`.
 * `missing` says what was named and is not there; undefined when there is neither a name nor an index.
 */
export function packageEntry(folder: string, json: PackageJson): { entry: string } | { missing: string } | undefined {
  if (json.exports !== undefined && json.exports !== null) return exportsEntry(folder, json.exports);
  const main = typeof json.main === 'string' && json.main !== '' ? json.main : undefined;
  const entry = (main && moduleAt(join(folder, main))) ?? indexOf(folder);
  if (entry) return { entry };
  return main ? { missing: `main names '${main}', which does not exist, and there is no index file` } : undefined;
}

/** The `index.*` of a folder. */
export function indexOf(folder: string): string | undefined {
  return MODULE_EXTENSIONS.map((extension) => join(folder, `index${extension}`)).find(isFile);
}

/** The target of `.` in `exports`, as Node finds it; undefined when nothing matches. */
export function resolveExports(exports: unknown): string | undefined {
  const target = rootTarget(exports);
  return CONDITIONS.map((conditions) => resolveTarget(target, conditions)).find((found) => typeof found === 'string') as
    | string
    | undefined;
}

function rootTarget(exports: unknown): unknown {
  if (typeof exports !== 'object' || exports === null || Array.isArray(exports)) return exports;
  const isSubpathMap = Object.keys(exports).some((key) => key.startsWith('.'));
  return isSubpathMap ? (exports as Record<string, unknown>)['.'] : exports;
}

/** null: the author says that there is none; undefined: no condition matches. */
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
  return files.find(isFile) ?? indexOf(path);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function tooLarge(limits: PluginLimits, size: number, file: string): PluginProblem {
  return limitProblem(limitViolation(limits, 'PackageJsonBytes', 'package.json', size), { file });
}

function invalid(file: string, reason: string, location?: { line: number; column: number }): PluginProblem {
  return {
    severity: 'error',
    code: 'PLUGIN_PACKAGE_INVALID',
    message: `package.json is not valid: ${reason}`,
    hint: 'Correct package.json. It is optional: without one, index.js is the entry.',
    location: { file, ...location },
  };
}

/** `CommaExpected` as `comma expected`. */
function describeCode(code: ParseErrorCode): string {
  return printParseErrorCode(code)
    .replace(/\B[A-Z]/g, ' $&')
    .toLowerCase();
}

function locationAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}
