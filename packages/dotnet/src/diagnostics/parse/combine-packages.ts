import { basename, extname } from 'node:path';
import { isProjectFile } from '../../advice/codes/source-kind.js';
import type { Diagnostic } from './diagnostic.js';

const NUGET_CODE = /^NU\d{4}$/;

/**
 * NuGet repeats what it says of a package for each project that needs it; these are combined into one diagnostic with
 * all of the projects (docs/spec/errors.md#one-package). The order does not change.
 */
export function combinePackages(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const groups = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    const key = keyOf(diagnostic) ?? groups.size.toString();
    const group = groups.get(key);
    if (group) group.push(diagnostic);
    else groups.set(key, [diagnostic]);
  }
  if (groups.size === diagnostics.length) return diagnostics;
  return [...groups.values()].map((group) => (group.length === 1 ? group[0]! : combined(group)));
}

/** Code and message without the name of the project, which NuGet puts into some messages. */
function keyOf({ severity, code, message, file, line, projects }: Diagnostic): string | undefined {
  if (!NUGET_CODE.test(code) || line !== undefined || !isProjectFile(file) || projects.length !== 1) return undefined;
  const name = basename(file!, extname(file!));
  const neutral = message
    .split(/(?<![\w.-])(?=[\w.-])|(?<=[\w.-])(?![\w.-])/)
    .map((word) => (word === name ? '\0' : word))
    .join('');
  return `${severity} ${code} ${neutral}`;
}

function combined(group: readonly Diagnostic[]): Diagnostic {
  const [first, ...others] = group.toSorted((a, b) => (a.file! < b.file! ? -1 : 1));
  const { file: _, ...shared } = first!;
  const all = [first!, ...others];
  const unique = (names: readonly string[]) => [...new Set(names)].sort();
  return {
    ...shared,
    count: all.reduce((sum, { count = 1 }) => sum + count, 0),
    projects: unique(all.flatMap(({ projects }) => projects)),
    frameworks: unique(all.flatMap(({ frameworks }) => frameworks)),
  };
}
