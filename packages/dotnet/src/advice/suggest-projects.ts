import { basename, extname, relative, resolve } from 'node:path';
import type { RecommendedAction } from '@mortise/plugin';
import { editDistance } from '@mortise/plugin/runtime';
import { filesBelow } from '../project-files/readable-files.js';
import { again, manual } from './next-call.js';

const PROJECT = /\.[a-z]*proj$/i;
const SOLUTION = /\.slnx?$/i;
const PROJECT_OR_SOLUTION = /\.(?:[a-z]*proj|slnx?|slnf)$/i;
const MAX_SUGGESTIONS = 3;

/** The parameters that accept only projects, or only solutions. */
const KINDS: Readonly<Record<string, { readonly files: RegExp; readonly name: string }>> = {
  solution: { files: SOLUTION, name: 'solution' },
  projects: { files: PROJECT, name: 'project' },
  references: { files: PROJECT, name: 'project' },
};
const ANY_KIND = { files: PROJECT_OR_SOLUTION, name: 'project or solution' };

/** Returns the paths of existing projects and solutions, relative to `folder`, the most similar to `requested` first. */
function suggestProjects(
  requested: string | undefined,
  folder: string,
  files = PROJECT_OR_SOLUTION,
  isIgnored: (path: string) => boolean = () => false,
): string[] {
  const name = requested === undefined ? '' : nameOf(requested);
  const ranked = filesBelow(folder, (file) => files.test(file)).map((file) => {
    const path = relative(folder, file).replaceAll('\\', '/');
    const isOtherKind = requested !== undefined && extname(requested) !== '' && extname(requested) !== extname(file);
    const distance = requested === undefined ? path.split('/').length : editDistance(name, nameOf(file));
    return { path, distance: distance + (isOtherKind ? 0.5 : 0) + path.length / 1000 };
  });
  return ranked
    .sort((a, b) => a.distance - b.distance)
    .map(({ path }) => path)
    .filter((path) => !isIgnored(path))
    .slice(0, MAX_SUGGESTIONS);
}

const nameOf = (path: string) => basename(path.replaceAll('\\', '/'), extname(path)).toLowerCase();

/**
 * For a missing project, recommends the same call with the most similar existing one.
 * @param requested the missing path; undefined if the call named none
 * @param parameter the parameter of the call that names the project
 * @param change returns the arguments that name the suggested project
 * @param others paths that the call names as well; they are not suggested
 */
export function adviseClosest(
  requested: string | undefined,
  folder: string,
  parameter = 'project',
  change = (closest: string): Record<string, unknown> => ({ [parameter]: closest }),
  others: readonly (string | undefined)[] = [],
): RecommendedAction {
  const kind = KINDS[parameter] ?? ANY_KIND;
  const otherPaths = new Set(others.map((path) => path && resolve(folder, path)));
  const isOther = (path: string) => otherPaths.has(resolve(folder, path));
  const [closest, ...more] = suggestProjects(requested, folder, kind.files, isOther);
  if (closest === undefined) {
    return manual(`There is no ${kind.name} in ${folder}. Check the path and workingDirectory.`);
  }
  const also = more.length === 0 ? '' : ` Others that exist: ${more.join(', ')}.`;
  const what = requested === undefined ? `Name the project: ${closest}` : `The nearest that exists is ${closest}`;
  return again(`${what}.${also}`, change(closest));
}
