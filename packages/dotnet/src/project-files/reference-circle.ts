import { dirname, resolve } from 'node:path';
import { readRegularFile } from '@mortise/plugin/runtime';

/** Projects that are read at most. */
const MAX_PROJECTS = 1000;
const REFERENCE = /<ProjectReference\b[^>]*?\bInclude\s*=\s*(?:"([^"]+)"|'([^']+)')/gi;
const COMMENT = /<!--[\s\S]*?-->/g;

/**
 * The circle of project references that a project is on or leads to: absolute paths, the first one again at the end.
 * Reads the files, because evaluations do not follow references; an Include with properties is not followed.
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

/** The projects that a file references, absolute; an Include with properties is left out. */
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

/** A project and those that it references, directly or through others, each once; absolute. */
export function withReferences(project: string): string[] {
  const found = new Set([project]);
  for (const file of found) {
    if (found.size > MAX_PROJECTS) break;
    for (const reference of referencesIn(file)) found.add(reference);
  }
  return [...found];
}
