import { relative } from 'node:path';
import { projectName } from '../project-files/find-project.js';

/** Maps the absolute path of a project to the name that results show. */
export type NameOf = (project: string) => string;

/** Names projects by their file names without extension. Several with the same name get paths relative to `folder`. */
export function projectNames(projects: Iterable<string>, folder: string): NameOf {
  const counts = new Map<string, number>();
  for (const project of new Set(projects)) {
    const name = projectName(project).toLowerCase();
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return (project) => {
    const name = projectName(project);
    return (counts.get(name.toLowerCase()) ?? 0) > 1 ? relative(folder, project).replaceAll('\\', '/') : name;
  };
}
