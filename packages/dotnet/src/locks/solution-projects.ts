import { statSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { readRegularText } from '@mortise/plugin/runtime';
import { canonicalPath } from './lock-target.js';

/** The projects that a solution lists, as lock keys; none where it cannot be read. Read again when the file has changed. */
export type ProjectsOf = (solution: string) => ReadonlySet<string>;

const NONE: ReadonlySet<string> = new Set();

/** For locks alone, so it does not judge: whatever looks like the entry of a project counts. */
export function createProjectsOf(): ProjectsOf {
  const cache = new Map<string, { version: string; projects: ReadonlySet<string> }>();
  return (solution) => {
    try {
      const { size, mtimeMs, ino } = statSync(solution);
      const version = `${size} ${mtimeMs} ${ino}`;
      const last = cache.get(solution);
      if (last?.version === version) return last.projects;
      const projects = readProjects(solution);
      cache.set(solution, { version, projects });
      return projects;
    } catch {
      return NONE;
    }
  };
}

function readProjects(solution: string): ReadonlySet<string> {
  const text = readRegularText(solution);
  const listed = extname(solution).toLowerCase() === '.slnx' ? slnxPaths(text) : slnPaths(text);
  const projects = listed.filter((path) => /proj$/i.test(path));
  return new Set(projects.map((path) => canonicalPath(resolve(dirname(solution), path.replaceAll('\\', '/')))));
}

/** `Project("{type}") = "Name", "src\App\App.csproj", "{id}"`; solution folders are listed too. */
function slnPaths(text: string): string[] {
  return [...text.matchAll(/^\s*Project\("[^"\n]*"\)\s*=\s*"[^"\n]*",\s*"([^"\n]+)"/gm)].map((match) => match[1]!);
}

function slnxPaths(text: string): string[] {
  const elements = text
    .replace(/<!--[\s\S]*?-->/g, '')
    .matchAll(/<Project\s[^>]*?\bPath\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  return [...elements].map((match) => decodeEntities(match[1] ?? match[2]!));
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replace(/&(\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity);
}
