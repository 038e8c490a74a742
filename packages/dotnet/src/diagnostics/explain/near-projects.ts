import { basename, extname, relative } from 'node:path';
import type { RecommendedAction } from '@mortise/plugin';
import { filesBelow } from '../../project-files/files-below.js';
import { distanceOf } from './near-names.js';
import { again, manual } from './next-call.js';

const PROJECT_OR_SOLUTION = /\.(?:[a-z]*proj|slnx?|slnf)$/i;
const MOST = 3;

/** Existing projects and solutions below a folder, the most like a given path first; relative to the folder. */
export function suggestProjects(requested: string | undefined, folder: string): string[] {
  const name = requested === undefined ? '' : nameOf(requested);
  const ranked = filesBelow(folder, (file) => PROJECT_OR_SOLUTION.test(file)).map((file) => {
    const path = relative(folder, file).replaceAll('\\', '/');
    const isOtherKind = requested !== undefined && extname(requested) !== '' && extname(requested) !== extname(file);
    const distance = requested === undefined ? path.split('/').length : distanceOf(name, nameOf(file));
    return { path, distance: distance + (isOtherKind ? 0.5 : 0) + path.length / 1000 };
  });
  return ranked
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MOST)
    .map(({ path }) => path);
}

const nameOf = (path: string) => basename(path.replaceAll('\\', '/'), extname(path)).toLowerCase();

/** What to do where a project is not there: the same call with the nearest one that is. */
export function adviseClosest(requested: string | undefined, folder: string, parameter = 'project'): RecommendedAction {
  const [closest, ...others] = suggestProjects(requested, folder);
  if (closest === undefined) {
    return manual(`There is no project or solution in ${folder}. Check the path and workingDirectory.`);
  }
  const also = others.length === 0 ? '' : ` Others that exist: ${others.join(', ')}.`;
  const what = requested === undefined ? `Name the project: ${closest}` : `The nearest that exists is ${closest}`;
  return again(`${what}.${also}`, { [parameter]: closest });
}
