import { basename, dirname, extname, relative, resolve, sep } from 'node:path';
import type { RecommendedAction } from '@mortise/plugin';
import { readRegularText } from '@mortise/plugin/runtime';
import { filesBelow } from '../../project-files/files-below.js';
import { isProjectPath } from '../../project-files/find-project.js';
import { referencesIn } from '../../project-files/reference-circle.js';
import type { FailureEvidence } from '../codes/root-cause-kind.js';
import { call, manual } from './next-call.js';

/** CS0234 names the namespace too, CS0246 only the name. */
const LOST_NAME =
  /The type or namespace name '([\w.]{1,200})[^']*' (?:does not exist in the namespace '([\w.]{1,500})'|could not be found)/;

/** Source files that are searched, in all projects together, and the size of one. */
const MAX_FILES = 2_000;
const MAX_FILE_BYTES = 256 * 1024;

/** A declaration of what was lost. */
interface Declaration {
  readonly file: string;
  readonly namespace: string;
}

/**
 * The next action for a type or namespace that a project beside this one declares, or this project in another namespace
 * (docs/spec/errors.md#named-action). It reads the sources, because a project that does not compile has no metadata.
 */
export function adviseOnLostName({ message, file, project, run }: FailureEvidence): RecommendedAction | undefined {
  const [, name, parent] = LOST_NAME.exec(message) ?? [];
  if (name === undefined || project === undefined || run === undefined) return undefined;
  const own = resolve(run.cwd, project);
  const referenced = new Set([own, ...allReferencesOf(own)]);
  const projects = filesBelow(run.cwd, isProjectPath);
  // A project that is seen already comes first: then only a using is missing.
  const inOrder = projects.toSorted((a, b) => Number(referenced.has(b)) - Number(referenced.has(a)));
  let left = MAX_FILES;
  for (const candidate of inOrder) {
    const sources = sourcesOf(candidate, projects).slice(0, left);
    left -= sources.length;
    const found = declarationIn(sources, name, parent);
    if (found === undefined) continue;
    const lost = parent === undefined ? name : `${parent}.${name}`;
    if (!referenced.has(candidate))
      return call(`Reference ${basename(candidate)}, which declares ${lost}.`, 'dotnet_package', {
        action: 'AddReference',
        project: own,
        referencePath: candidate,
      });
    return parent === undefined && found.namespace !== '' && file !== undefined
      ? manual(
          `Add \`using ${found.namespace};\` to ${relative(run.cwd, resolve(run.cwd, file))}: ${name} is declared there.`,
        )
      : undefined;
  }
  return undefined;
}

function allReferencesOf(project: string, seen = new Set<string>()): Set<string> {
  for (const reference of referencesIn(project)) {
    if (seen.has(reference)) continue;
    seen.add(reference);
    allReferencesOf(reference, seen);
  }
  return seen;
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

const NAMESPACE = /^\s*namespace\s+([\w.]+)/m;

function declarationIn(sources: readonly string[], name: string, parent: string | undefined): Declaration | undefined {
  const type = new RegExp(`\\b(?:class|struct|interface|record|enum|delegate\\s+[\\w<>\\[\\],.?\\s]+?)\\s+${name}\\b`);
  for (const file of sources) {
    const text = textOf(file);
    const namespace = NAMESPACE.exec(text)?.[1] ?? '';
    const isNamespace = parent !== undefined && `${namespace}.`.startsWith(`${parent}.${name}.`);
    const isType = type.test(text) && (parent === undefined || namespace === parent);
    if (isNamespace || isType) return { file, namespace };
  }
  return undefined;
}

function textOf(file: string): string {
  try {
    return readRegularText(file, MAX_FILE_BYTES);
  } catch {
    return '';
  }
}
