import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InvalidParameterError } from './invalid-parameter.js';
import { type Arguments, PARAMETERS, type Parameter, type ParameterName } from './parameters.js';

/** Links to links that are followed, as in Linux. */
const MAX_LINKS = 40;

/**
 * Refuses a call whose folder or one of whose paths is outside of `Dotnet.Roots` (docs/spec/access.md#roots). No roots: anywhere.
 * @throws InvalidParameterError that names the parameter
 */
export function assertWithinRoots(roots: readonly string[], args: Arguments, cwd: string): void {
  if (roots.length === 0) return;
  const real = roots.map((root) => realTarget(root));
  assertFolder(real, 'workingDirectory', cwd);
  for (const name of Object.keys(args) as ParameterName[]) {
    const parameter = PARAMETERS[name] as Parameter | undefined;
    if (!parameter || !('kind' in parameter)) continue;
    const value: unknown = args[name];
    const texts = typeof value === 'string' ? [value] : Array.isArray(value) ? value.map(String) : [];
    for (const text of texts.flatMap((one) => pathsIn(name, parameter.kind, one))) assertPath(real, name, text, cwd);
  }
}

/** The folder of a call that names none: that of the server, unless it is outside of the roots. */
export function defaultFolder(roots: readonly string[]): string {
  const cwd = process.cwd();
  const isAllowed = roots.length === 0 || roots.some((root) => isWithin(realTarget(root), realTarget(cwd)));
  return isAllowed ? cwd : roots[0]!;
}

/** @throws InvalidParameterError for a folder outside of the roots; nothing is said of whether it exists */
export function assertFolder(roots: readonly string[], name: string, folder: string): void {
  if (roots.length > 0) assertPath(roots, name, folder, process.cwd());
}

/** What a value of this kind can name in the file system; empty if it cannot be a path. */
function pathsIn(name: ParameterName, kind: string, value: string): string[] {
  if (kind === 'path') return [value];
  // Files to format, or items: what comes before a wildcard decides where they are.
  if (name === 'include') return value.split(';').map((one) => one.split(/[*?]/, 1)[0]!);
  if (kind !== 'source' && kind !== 'name') return [];
  if (/^file:/i.test(value)) return [fromFileUrl(value)];
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(value)) return [];
  return /[\\/]/.test(value) || value === '..' ? [value] : [];
}

function fromFileUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return parse(process.cwd()).root;
  }
}

/** Programs differ in whether they remove `..` before or after they follow links: both results must be inside. */
function assertPath(roots: readonly string[], name: string, value: string, cwd: string): void {
  const targets = [realTarget(resolve(cwd, value)), walked(cwd, value)];
  if (targets.every((target) => roots.some((root) => isWithin(realTarget(root), target)))) return;
  throw new InvalidParameterError(name, 'invalid value', `Parameter '${name}' is outside of the allowed folders`, {
    providedValue: value,
    hint: `Give a path in one of: ${roots.join(', ')} (Dotnet.Roots).`,
  });
}

/** The path with its links followed one part at a time, as the operating system does it. */
function walked(cwd: string, value: string): string {
  const root = isAbsolute(value) ? parse(value).root : cwd;
  let at = realTarget(root);
  for (const part of value.slice(isAbsolute(value) ? root.length : 0).split(/[\\/]+/)) {
    if (part !== '' && part !== '.') at = part === '..' ? dirname(at) : realTarget(join(at, part));
  }
  return at;
}

/** The path without links, as far as it exists; a link to something that does not exist counts as its target. */
function realTarget(path: string, links = 0): string {
  try {
    return realpathSync(path);
  } catch {
    const target = links < MAX_LINKS ? linkTarget(path) : undefined;
    if (target !== undefined) return realTarget(resolve(dirname(path), target), links + 1);
    const parent = dirname(path);
    return parent === path ? path : join(realTarget(parent, links), basename(path));
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function isWithin(root: string, path: string): boolean {
  const rest = relative(root, path);
  return rest === '' || (rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest));
}
