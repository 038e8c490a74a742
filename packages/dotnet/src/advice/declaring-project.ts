import { basename, dirname, extname, relative, resolve, sep } from 'node:path';
import type { RecommendedAction } from '@mortise/plugin';
import { isProjectPath } from '../project-files/find-project.js';
import { filesBelow, readableText } from '../project-files/readable-files.js';
import { withReferences } from '../project-files/reference-circle.js';
import type { FailureEvidence } from './codes/root-cause-kind.js';
import { call, manual } from './next-call.js';

/** Matches the messages of CS0234, which names the type and its namespace, and of CS0246, which names the type. */
const LOST_NAME =
  /The type or namespace name '([\w.]{1,200})[^']*' (?:does not exist in the namespace '([\w.]{1,500})'|could not be found)/;

/** Limits of a search, because the server cannot answer other calls during the search. */
const MAX_FILES = 2_000;
const MAX_CHARS = 8 * 1024 * 1024;
const MAX_FILE_BYTES = 256 * 1024;

/**
 * For a type or namespace that the compiler does not find: recommends a reference to the project that declares it, or
 * the `using` that is missing (docs/spec/errors.md#named-action). Searches the sources, because a project that does not
 * compile has no metadata.
 */
export function adviseOnLostName({ message, file, project, run }: FailureEvidence): RecommendedAction | undefined {
  const [, name, parent] = LOST_NAME.exec(message) ?? [];
  if (name === undefined || project === undefined || run === undefined) return undefined;
  const own = resolve(run.cwd, project);
  const referenced = new Set(withReferences(own));
  const projects = filesBelow(run.cwd, isProjectPath);
  // Referenced projects are searched first: if one of them declares the name, only a using is missing.
  const candidates = projects.toSorted((a, b) => Number(referenced.has(b)) - Number(referenced.has(a)));
  const budget = { files: MAX_FILES, chars: MAX_CHARS };
  for (const candidate of candidates) {
    const namespace = declaringNamespace(sourcesOf(candidate, projects), { name, parent }, budget);
    if (namespace === undefined) continue;
    const lostName = parent === undefined ? name : `${parent}.${name}`;
    if (!referenced.has(candidate))
      return call(`Reference ${basename(candidate)}, which declares ${lostName}.`, 'dotnet_package', {
        action: 'AddReference',
        project: own,
        referencePath: candidate,
      });
    return parent === undefined && namespace !== '' && file !== undefined
      ? manual(
          `Add \`using ${namespace};\` to ${relative(run.cwd, resolve(run.cwd, file))}: this namespace has ${name}.`,
        )
      : undefined;
  }
  return undefined;
}

/** Returns the C# files below a project's folder, without those of nested projects. */
function sourcesOf(project: string, projects: readonly string[]): string[] {
  const folder = dirname(project);
  const nestedFolders = projects
    .map((other) => dirname(other) + sep)
    .filter((other) => other.startsWith(folder + sep) && other !== folder + sep);
  return filesBelow(folder, (name) => extname(name) === '.cs').filter(
    (file) => !nestedFolders.some((nested) => file.startsWith(nested)),
  );
}

// The number of spaces is bounded, so that no source file can make the search slow.
const NAMESPACE = /^[ \t]{0,100}namespace[ \t]{1,100}([\w.]+)/m;

/**
 * Returns the namespace of the first file that declares the name; '' for the global namespace.
 * @param budget how many files and characters the search may still read; this function subtracts those that it reads
 */
function declaringNamespace(
  sources: readonly string[],
  { name, parent }: { readonly name: string; readonly parent: string | undefined },
  budget: { files: number; chars: number },
): string | undefined {
  const declaration = new RegExp(
    `\\b(?:(?:class|struct|interface|record|enum)\\s{1,100}|delegate\\s[^;{}()]{1,300}?\\b)${name}\\b`,
  );
  for (const file of sources) {
    if (budget.files === 0 || budget.chars <= 0) return undefined;
    const text = readableText(file, MAX_FILE_BYTES);
    budget.files -= 1;
    budget.chars -= text.length;
    const namespace = NAMESPACE.exec(text)?.[1] ?? '';
    const isNamespace = parent !== undefined && `${namespace}.`.startsWith(`${parent}.${name}.`);
    const isType = declaration.test(text) && (parent === undefined || namespace === parent);
    if (isNamespace || isType) return namespace;
  }
  return undefined;
}
