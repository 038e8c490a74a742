import { basename, dirname, extname, relative, resolve, sep } from 'node:path';
import type { RecommendedAction } from '@mortise/plugin';
import { isProjectPath } from '../project-files/find-project.js';
import { filesBelow, readableText } from '../project-files/readable-files.js';
import { withReferences } from '../project-files/reference-circle.js';
import type { FailureEvidence } from './codes/root-cause-kind.js';
import { call, manual } from './next-call.js';

/** CS0234 names the namespace too, CS0246 only the name. */
const LOST_NAME =
  /The type or namespace name '([\w.]{1,200})[^']*' (?:does not exist in the namespace '([\w.]{1,500})'|could not be found)/;

/** The limits of one search, so that an error in a large repository does not hold up the server. */
const MAX_FILES = 2_000;
const MAX_CHARS = 8 * 1024 * 1024;
const MAX_FILE_BYTES = 256 * 1024;

/**
 * The next action for a type or namespace that a project beside this one declares, or this project in another namespace
 * (docs/spec/errors.md#named-action). It reads the sources, because a project that does not compile has no metadata.
 */
export function adviseOnLostName({ message, file, project, run }: FailureEvidence): RecommendedAction | undefined {
  const [, name, parent] = LOST_NAME.exec(message) ?? [];
  if (name === undefined || project === undefined || run === undefined) return undefined;
  const own = resolve(run.cwd, project);
  const referenced = new Set(withReferences(own));
  const projects = filesBelow(run.cwd, isProjectPath);
  // A project that is seen already comes first: then only a using is missing.
  const inOrder = projects.toSorted((a, b) => Number(referenced.has(b)) - Number(referenced.has(a)));
  const left = { files: MAX_FILES, chars: MAX_CHARS };
  for (const candidate of inOrder) {
    const namespace = declaringNamespace(sourcesOf(candidate, projects), { name, parent }, left);
    if (namespace === undefined) continue;
    const lost = parent === undefined ? name : `${parent}.${name}`;
    if (!referenced.has(candidate))
      return call(`Reference ${basename(candidate)}, which declares ${lost}.`, 'dotnet_package', {
        action: 'AddReference',
        project: own,
        referencePath: candidate,
      });
    return parent === undefined && namespace !== '' && file !== undefined
      ? manual(
          `Add \`using ${namespace};\` to ${relative(run.cwd, resolve(run.cwd, file))}: ${name} is declared there.`,
        )
      : undefined;
  }
  return undefined;
}

/** The C# files below a project that belong to no project deeper down. */
function sourcesOf(project: string, projects: readonly string[]): string[] {
  const folder = dirname(project);
  const deeper = projects
    .map((other) => dirname(other) + sep)
    .filter((other) => other.startsWith(folder + sep) && other !== folder + sep);
  return filesBelow(folder, (name) => extname(name) === '.cs').filter(
    (file) => !deeper.some((other) => file.startsWith(other)),
  );
}

// The spaces are bounded: sources of a repository must not make a search take long.
const NAMESPACE = /^[ \t]{0,100}namespace[ \t]{1,100}([\w.]+)/m;

/** The namespace of the first file that declares the name; '' if it declares it in none. */
function declaringNamespace(
  sources: readonly string[],
  { name, parent }: { readonly name: string; readonly parent: string | undefined },
  left: { files: number; chars: number },
): string | undefined {
  const type = new RegExp(
    `\\b(?:(?:class|struct|interface|record|enum)\\s{1,100}|delegate\\s[^;{}()]{1,300}?\\b)${name}\\b`,
  );
  for (const file of sources) {
    if (left.files === 0 || left.chars <= 0) return undefined;
    const text = readableText(file, MAX_FILE_BYTES);
    left.files -= 1;
    left.chars -= text.length;
    const namespace = NAMESPACE.exec(text)?.[1] ?? '';
    const isNamespace = parent !== undefined && `${namespace}.`.startsWith(`${parent}.${name}.`);
    const isType = type.test(text) && (parent === undefined || namespace === parent);
    if (isNamespace || isType) return namespace;
  }
  return undefined;
}
