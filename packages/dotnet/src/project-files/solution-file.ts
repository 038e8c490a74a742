import { dirname, extname, resolve } from 'node:path';
import { readRegularFile } from '@mortise/plugin/runtime';
import { type ParseError, parse } from 'jsonc-parser';
import { parseXml } from '../xml/parse-xml.js';
import { type XmlElement, XmlError } from '../xml/xml.js';
import { FileError } from './file-error.js';
import { isProjectPath } from './find-project.js';
import { attributeOf } from './project-xml.js';
import { decodeText } from './text-file.js';

export interface SolutionProject {
  /** The path in the solution, with forward slashes. */
  readonly path: string;
  readonly absolutePath: string;
}

const READERS: Readonly<Record<string, (text: string, path: string) => { folder: string; projects: string[] }>> = {
  '.sln': (text, path) => ({ folder: dirname(path), projects: parseSln(text, path) }),
  '.slnx': (text, path) => ({ folder: dirname(path), projects: parseSlnx(text, path) }),
  '.slnf': parseSolutionFilter,
};

/** True for the extensions of solutions and solution filters. */
export function isSolutionPath(path: string): boolean {
  return extname(path).toLowerCase() in READERS;
}

/**
 * Returns the distinct projects of a `.sln`, `.slnx` or `.slnf` in their order, without solution folders.
 * @throws FileError `not found`, `invalid format`, `unsupported encoding`
 */
export function readSolution(path: string): SolutionProject[] {
  const read = READERS[extname(path).toLowerCase()];
  if (!read) throw invalid(path, 'it has none of the extensions .sln, .slnx and .slnf');
  const { folder, projects } = read(textOf(path), path);
  const byPath = new Map<string, SolutionProject>();
  for (const project of projects) {
    const relative = project.replaceAll('\\', '/');
    const absolutePath = resolve(folder, relative);
    if (isProjectPath(relative) && !byPath.has(absolutePath))
      byPath.set(absolutePath, { path: relative, absolutePath });
  }
  return [...byPath.values()];
}

/** Returns the solution of a solution filter; any other path as it is. */
export function solutionOf(path: string): string {
  return extname(path).toLowerCase() === '.slnf' ? filteredSolution(parseFilter(textOf(path), path), path) : path;
}

const SLN_PROJECT = /^\s*Project\("\{[^}"]*\}"\)\s*=\s*"[^"]*"\s*,\s*"([^"]*)"/gm;

function parseSln(text: string, path: string): string[] {
  if (!/^\s*Microsoft Visual Studio Solution File/m.test(text)) throw invalid(path, 'the header is missing');
  return [...text.matchAll(SLN_PROJECT)].map(([, project]) => project!);
}

function parseSlnx(text: string, path: string): string[] {
  try {
    const root = parseXml(text);
    if (root.name !== 'Solution') throw invalid(path, `the root element is <${root.name}>, not <Solution>`);
    return projectPaths(root);
  } catch (error) {
    if (error instanceof XmlError) throw invalid(path, error.message, error);
    throw error;
  }
}

function projectPaths(element: XmlElement): string[] {
  return element.elements.flatMap((child) => {
    if (child.name === 'Folder') return projectPaths(child);
    const project = child.name === 'Project' ? attributeOf(child, 'Path') : undefined;
    return project === undefined ? [] : [project];
  });
}

interface SolutionFilter {
  readonly path: string;
  readonly projects: readonly string[];
}

function parseSolutionFilter(text: string, path: string): { folder: string; projects: string[] } {
  const filter = parseFilter(text, path);
  return { folder: dirname(filteredSolution(filter, path)), projects: [...filter.projects] };
}

function filteredSolution(filter: SolutionFilter, path: string): string {
  return resolve(dirname(path), filter.path.replaceAll('\\', '/'));
}

function parseFilter(text: string, path: string): SolutionFilter {
  const errors: ParseError[] = [];
  const { solution } = (parse(text, errors, { allowTrailingComma: true }) ?? {}) as { solution?: SolutionFilter };
  if (errors.length > 0) throw invalid(path, 'it is not JSON');
  const isFilter =
    typeof solution?.path === 'string' &&
    Array.isArray(solution.projects) &&
    solution.projects.every((project) => typeof project === 'string');
  if (!isFilter) throw invalid(path, 'solution.path and solution.projects are missing');
  return solution;
}

function textOf(path: string): string {
  try {
    return decodeText(readRegularFile(path), path).text;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'EISDIR') throw error;
    throw new FileError('not found', `Solution not found: ${path}`, 'Give the path of a solution that exists.');
  }
}

function invalid(path: string, detail: string, location?: XmlError): FileError {
  return new FileError(
    'invalid format',
    `${path} is not a solution: ${detail}`,
    'Repair the file, or name another.',
    location,
  );
}
