import { dirname, resolve } from 'node:path';
import { readRegularFile } from '@mortise/plugin/runtime';

const MAX_PROJECTS = 1000;
const REFERENCE = /<ProjectReference\b[^>]*?\bInclude\s*=\s*(?:"([^"]+)"|'([^']+)')/gi;
const COMMENT = /<!--[\s\S]*?-->/g;

/**
 * Finds a circle of project references that contains a project or to which its references lead. Reads the files,
 * because evaluations do not follow references; an Include with properties is ignored.
 * @returns absolute paths, of which the last one repeats the first; undefined if there is no circle
 */
export function referenceCircle(project: string): readonly string[] | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): readonly string[] | undefined => {
    const start = path.indexOf(file);
    if (start >= 0) return [...path.slice(start), file];
    if (done.has(file) || done.size > MAX_PROJECTS) return undefined;
    path.push(file);
    for (const next of referencesIn(file)) {
      const circle = visit(next);
      if (circle) return circle;
    }
    path.pop();
    done.add(file);
    return undefined;
  };
  return visit(resolve(project));
}

function referencesIn(file: string): string[] {
  try {
    const text = readRegularFile(file).toString('utf8').replace(COMMENT, '');
    return [...text.matchAll(REFERENCE)]
      .flatMap(([, double, single]) => (double ?? single)!.split(';'))
      .map((include) => include.trim())
      .filter((include) => include !== '' && !/[$*@%]/.test(include))
      .map((include) => resolve(dirname(file), include.replaceAll('\\', '/')));
  } catch {
    return [];
  }
}

/** Returns a project and the absolute paths of all projects that it references, directly or not. */
export function withReferences(project: string): string[] {
  const projects = new Set([project]);
  for (const file of projects) {
    if (projects.size > MAX_PROJECTS) break;
    for (const reference of referencesIn(file)) projects.add(reference);
  }
  return [...projects];
}
