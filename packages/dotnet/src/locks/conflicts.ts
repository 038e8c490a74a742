import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isProjectPath } from '../project-files/find-project.js';
import { namesIn } from '../project-files/readable-files.js';
import { isSolutionPath, readSolution } from '../project-files/solution-file.js';
import type { LockTarget } from './lock.js';
import { canonicalPath, lockTargetFor } from './lock-target.js';

/** True if operations on the two targets must not run at the same time (docs/spec/dotnet-runtime.md#lock-conflicts). */
export function isConflict(one: LockTarget, other: LockTarget, projectsOf: ProjectsOf): boolean {
  if (one.path === other.path || isDirectlyIn(one, other) || isDirectlyIn(other, one)) return true;
  const files = filesOf(one);
  const otherFiles = filesOf(other);
  return files.some((file) =>
    otherFiles.some((otherFile) => isListed(file, otherFile, projectsOf) || isListed(otherFile, file, projectsOf)),
  );
}

/** True if the folder directly contains the file: a project of any kind, a solution, or a file-based app. */
function isDirectlyIn(file: LockTarget, folder: LockTarget): boolean {
  return folder.scope === 'workingDirectory' && isFile(file) && dirname(file.path) === folder.path;
}

/**
 * Returns the files for which a target stands. A folder stands for the projects and solutions directly in it, because a
 * command without a path uses them.
 */
function filesOf(target: LockTarget): readonly LockTarget[] {
  if (target.scope !== 'workingDirectory' || isFile(target)) return [target];
  return namesIn(target.path)
    .filter((name) => isProjectPath(name) || isSolutionPath(name))
    .map((name) => lockTargetFor(name, target.path));
}

function isFile({ scope, path }: LockTarget): boolean {
  return scope === 'project' || scope === 'solution' || (scope === 'workingDirectory' && /\.(cs|\w*proj)$/i.test(path));
}

function isListed(project: LockTarget, solution: LockTarget, projectsOf: ProjectsOf): boolean {
  return solution.scope === 'solution' && isFile(project) && projectsOf(solution.path).has(project.path);
}

/**
 * Returns the lock keys of a solution's projects. A solution that cannot be read has none: commands cannot read it
 * either.
 */
export type ProjectsOf = (solution: string) => ReadonlySet<string>;

const NONE: ReadonlySet<string> = new Set();

/** Creates a function that caches the projects of a solution until its file changes. */
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
