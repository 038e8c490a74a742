import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { readSolution } from '../project-files/solution-file.js';
import type { LockTarget } from './lock.js';
import { canonicalPath } from './lock-target.js';

/** Whether calls on these two get in each other's way (docs/spec/dotnet-runtime.md#lock-conflicts). */
export function isConflict(one: LockTarget, other: LockTarget, projectsOf: ProjectsOf): boolean {
  if (one.path === other.path) return true;
  return (
    isWithin(one, other) || isWithin(other, one) || isListed(one, other, projectsOf) || isListed(other, one, projectsOf)
  );
}

/** A project or solution directly in a folder; other projects and file-based apps count as well. */
function isWithin(file: LockTarget, folder: LockTarget): boolean {
  return folder.scope === 'workingDirectory' && isFile(file) && dirname(file.path) === folder.path;
}

function isFile({ scope, path }: LockTarget): boolean {
  return scope === 'project' || scope === 'solution' || (scope === 'workingDirectory' && /\.(cs|\w*proj)$/i.test(path));
}

function isListed(project: LockTarget, solution: LockTarget, projectsOf: ProjectsOf): boolean {
  return solution.scope === 'solution' && isFile(project) && projectsOf(solution.path).has(project.path);
}

/** The projects that a solution lists, as lock keys; none where it cannot be read, as no command can read it. */
export type ProjectsOf = (solution: string) => ReadonlySet<string>;

const NONE: ReadonlySet<string> = new Set();

/** Reads a solution again when its file has changed. */
export function createProjectsOf(): ProjectsOf {
  const cache = new Map<string, { version: string; projects: ReadonlySet<string> }>();
  return (solution) => {
    try {
      const { size, mtimeMs, ino } = statSync(solution);
      const version = `${size} ${mtimeMs} ${ino}`;
      const last = cache.get(solution);
      if (last?.version === version) return last.projects;
      const projects = new Set(readSolution(solution).map(({ absolutePath }) => canonicalPath(absolutePath)));
      cache.set(solution, { version, projects });
      return projects;
    } catch {
      return NONE;
    }
  };
}
