import { readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileError } from '../project-files/file-error.js';
import { foldersUpward } from '../project-files/find-project.js';
import { namesIn } from '../project-files/readable-files.js';
import { toArguments } from './checks.js';
import { InvalidParameterError } from './invalid-parameter.js';
import { type Arguments, PARAMETERS, type Parameter, type ParameterName } from './parameters.js';

/** The maximum length of a chain of symbolic links that is followed, as in Linux. */
const MAX_LINKS = 40;

/**
 * Checks all paths of a call before any of them is used.
 * @returns the arguments. If there are roots, symbolic links are resolved, so that a later change of a link has no
 * effect
 * @throws InvalidParameterError if a path is outside of the roots
 * @throws FileError if a file that a command would read is not a regular file
 */
export function checkedPaths(roots: readonly string[], args: Arguments, cwd: string): Arguments {
  const checked = withinRoots(roots, args, cwd);
  assertOnlyFiles(checked, cwd);
  return checked;
}

/**
 * Refuses a call whose folder, or one of whose paths, is outside of `Dotnet.Roots` (docs/spec/access.md#roots). Without
 * roots every path is allowed.
 * @returns the arguments with symbolic links resolved
 * @throws InvalidParameterError that names the parameter
 */
function withinRoots(roots: readonly string[], args: Arguments, cwd: string): Arguments {
  if (roots.length === 0) return args;
  const realRoots = roots.map((root) => realTarget(root));
  assertPath(realRoots, 'workingDirectory', cwd, cwd);
  const entries = Object.entries(args).map(([name, value]: [string, unknown]) => {
    const kind = kindOf(name);
    if (kind === undefined) return [name, value];
    const check = (text: unknown) => {
      for (const path of pathsIn(name, kind, String(text))) assertPath(realRoots, name, path, cwd);
      return kind === 'path' ? withoutLinks(String(text), cwd) : text;
    };
    if (Array.isArray(value)) return [name, value.map(check)];
    return [name, typeof value === 'string' ? check(value) : value];
  });
  return Object.fromEntries(entries) as Arguments;
}

function kindOf(name: string): string | undefined {
  const parameter = PARAMETERS[name as ParameterName] as Parameter | undefined;
  return parameter && 'kind' in parameter ? parameter.kind : undefined;
}

/** Resolves the links in a path. A path without links stays as it is written. */
function withoutLinks(path: string, cwd: string): string {
  const target = realTarget(resolve(cwd, path));
  return target === resolve(cwd, path) ? path : target;
}

/**
 * Returns the folder of calls without `workingDirectory`: the server's folder or, if that is outside of the roots, the
 * first root.
 */
export function defaultFolder(roots: readonly string[]): string {
  const cwd = process.cwd();
  return isWithinRoots(roots, cwd) ? cwd : realTarget(roots[0]!);
}

/** True if the absolute path is inside of a root, or there are no roots. */
export function isWithinRoots(roots: readonly string[], path: string): boolean {
  return roots.length === 0 || roots.some((root) => contains(realTarget(root), realTarget(path)));
}

/**
 * Makes the path of a folder absolute and, if there are roots, resolves its links.
 * @param name the parameter, for the error
 * @throws InvalidParameterError for a folder outside of the roots. It does not reveal whether the folder exists
 */
export function folderWithinRoots(roots: readonly string[], name: string, folder: string): string {
  if (roots.length === 0) return resolve(folder);
  const cwd = defaultFolder(roots);
  assertPath(roots, name, folder, cwd);
  return realTarget(resolve(cwd, folder));
}

/**
 * Returns the absolute folder of a call.
 * @throws InvalidParameterError if it is not a folder, or outside of the roots
 */
export function workingDirectory({ workingDirectory: requested }: Arguments, roots: readonly string[]): string {
  if (requested === undefined) return defaultFolder(roots);
  const folder = folderWithinRoots(roots, 'workingDirectory', requested);
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return folder;
  const problem = stat ? 'is not a folder' : 'not found';
  throw new InvalidParameterError(
    'workingDirectory',
    'not found',
    `Parameter 'workingDirectory' ${problem}: ${requested}`,
    {
      providedValue: requested,
      hint: `Give the path of an existing folder. Resolved path: ${folder}.`,
    },
  );
}

/** Returns the paths that a value of this kind can name; empty if it cannot be a path. */
function pathsIn(name: string, kind: string, value: string): string[] {
  if (kind === 'path') return /^file:/i.test(value) ? [value, fromFileUrl(value)] : [value];
  // The part before the first wildcard determines the folder of the files or items.
  if (name === 'include') return value.split(';').map((one) => one.split(/[*?]/, 1)[0]!);
  if (name === 'additionalOptions') return toArguments(value, name).flatMap(optionPaths);
  if (kind !== 'source' && kind !== 'name') return [];
  if (/^file:/i.test(value)) return [fromFileUrl(value)];
  // Sources, template packages and new projects can be folders in the call's folder, and these can be symbolic links.
  const canBeHere = (kind === 'source' || name === 'name') && !IS_URL.test(value);
  return canBeHere || isPath(value) ? [value] : [];
}

const IS_URL = /^[a-z][a-z0-9+.-]+:\/\//i;

const isPath = (value: string): boolean => !IS_URL.test(value) && (/[\\/]/.test(value) || value === '..');

/** Returns the paths in an argument such as `value`, `--output=value`, `-o:value` or `-ovalue`. */
function optionPaths(option: string): string[] {
  const values = [option, ...option.split(/^-[\w-]+[=:]/).slice(1), ...(/^-\w/.test(option) ? [option.slice(2)] : [])];
  return values.filter((value) => !value.startsWith('-') && isPath(value));
}

function fromFileUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return parse(process.cwd()).root;
  }
}

/** Some programs remove `..` before they follow links, others afterwards. Both results must be inside of a root. */
function assertPath(roots: readonly string[], name: string, value: string, cwd: string): void {
  const targets = [realTarget(resolve(cwd, value)), followLinks(cwd, value)];
  if (targets.every((target) => roots.some((root) => contains(realTarget(root), target)))) return;
  throw new InvalidParameterError(name, 'invalid value', `Parameter '${name}' is outside of the allowed folders`, {
    providedValue: value,
    hint: `Give a path in one of: ${roots.join(', ')} (Dotnet.Roots).`,
  });
}

/** Resolves a path one part at a time, as the operating system does. */
function followLinks(cwd: string, value: string): string {
  const root = isAbsolute(value) ? parse(value).root : cwd;
  let at = realTarget(root);
  for (const part of value.slice(isAbsolute(value) ? root.length : 0).split(/[\\/]+/)) {
    if (part !== '' && part !== '.') at = part === '..' ? dirname(at) : realTarget(join(at, part));
  }
  return at;
}

/** Resolves the links of the part of a path that exists. A broken link counts as its target. */
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

function contains(root: string, path: string): boolean {
  const rest = relative(root, path);
  return rest === '' || (rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest));
}

/** The files that the SDK reads in the folder of a project. */
const READ_HERE = /\.(?:[a-z]*proj|slnx?|slnf|user)$/i;
/** The files that the SDK reads in the folder of a project and in every folder above it. */
const READ_UPWARD = [
  'global.json',
  'nuget.config',
  'NuGet.Config',
  'Directory.Build.props',
  'Directory.Build.targets',
  'Directory.Build.rsp',
  'Directory.Packages.props',
];
const PATHS = ['project', 'projectPath', 'solution', 'globalJsonPath'] as const;

/**
 * Refuses named pipes, sockets and devices in place of files that a command reads, because the command would wait
 * forever.
 * @throws FileError that names the first one
 */
function assertOnlyFiles(args: Arguments, cwd: string): void {
  const named = PATHS.flatMap((name) => (typeof args[name] === 'string' ? [resolve(cwd, args[name])] : []));
  const folders = new Set([cwd, ...named.map((path) => (fileKindOf(path) === 'folder' ? path : dirname(path)))]);
  const here = [...folders].flatMap((folder) =>
    namesIn(folder)
      .filter((name) => READ_HERE.test(name))
      .map((name) => join(folder, name)),
  );
  const above = [...new Set([...folders].flatMap((folder) => foldersUpward(folder)))];
  const upward = above.flatMap((folder) => READ_UPWARD.map((name) => join(folder, name)));
  const special = [...named, ...here, ...upward].find((path) => fileKindOf(path) === 'other');
  if (special === undefined) return;
  const message = `${special} is a named pipe, a socket or a device, not a file`;
  throw new FileError('not found', message, 'Remove it, or put a file in its place.');
}

function fileKindOf(path: string): 'file' | 'folder' | 'other' | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) return undefined;
    if (stats.isDirectory()) return 'folder';
    return stats.isFile() ? 'file' : 'other';
  } catch {
    // The command itself reports what is wrong with the path.
    return undefined;
  }
}
