import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isProjectPath } from '../../project-files/find-project.js';
import { isSolutionPath } from '../../project-files/solution-file.js';

/** The only solution of a folder that has no project; a filter is none. */
export function findSolution(folder: string): string | undefined {
  const names = entries(folder);
  const solutions = names.filter((name) => isSolutionPath(name) && !/\.slnf$/i.test(name));
  return solutions.length === 1 && !names.some(isProjectPath) ? join(folder, solutions[0]!) : undefined;
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
