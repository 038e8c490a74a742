import { dirname } from 'node:path';
import type { LockTarget } from './lock.js';
import type { ProjectsOf } from './solution-projects.js';

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
