import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { readRegularText } from '@mortise/plugin/runtime';
import { isForTests } from '../nuget/test-libraries.js';
import { areUnchanged, folderTree, stateHashesOf } from '../project-files/file-state.js';
import { findUpward, foldersUpward, isProjectPath, projectName } from '../project-files/find-project.js';
import { splitList } from '../project-files/msbuild-syntax.js';
import { attributeOf, groupsOf, parseProject } from '../project-files/project-xml.js';
import { namesIn, readableText } from '../project-files/readable-files.js';
import { isSolutionPath, readSolution } from '../project-files/solution-file.js';
import type { XmlElement } from '../xml/xml.js';
import { sdkOf } from './analyze.js';

/** A project as its files describe it, without an evaluation by MSBuild. */
export interface WorkspaceProject {
  readonly name: string;
  /** The path relative to the root of the workspace, with forward slashes. */
  readonly path: string;
  readonly targetFrameworks: readonly string[];
  /** The number of referenced packages, including those of Directory.Build.* and Directory.Packages.props. */
  readonly packageCount: number;
  readonly isTestProject: boolean;
}

/** The solution and the projects of a folder (docs/spec/dotnet-resources.md#workspace-rules). */
export interface Workspace {
  readonly root: string;
  /** The path of the solution relative to the root; absent if there is none. */
  readonly solution?: string;
  readonly projects: readonly WorkspaceProject[];
  readonly generatedAt: Date;
}

/** Reads workspaces from their files, and again only if one of the files has changed. */
export interface WorkspaceReader {
  /** @param root the absolute path of the folder */
  read(root: string): Workspace;
  /** True if the workspace was read and none of its files has changed since. */
  isCurrent(root: string): boolean;
  wasRead(root: string): boolean;
  /** True if the workspace was read, or if a solution or project is directly in its root. */
  isCached(root: string): boolean;
  readonly metrics: { readonly hits: number; readonly misses: number };
}

const MAX_FOLDERS = 20_000;
const MAX_ROOTS = 20;

export function createWorkspaceReader(): WorkspaceReader {
  const cache = new Map<string, { workspace: Workspace; stateHashes: ReadonlyMap<string, string> }>();
  const metrics = { hits: 0, misses: 0 };
  const isCurrent = (root: string) => {
    const entry = cache.get(root);
    return entry !== undefined && areUnchanged(entry.stateHashes);
  };
  return {
    metrics,
    isCurrent,
    wasRead: (root) => cache.has(root),
    isCached: (root) => cache.has(root) || namesIn(root).some((name) => isProjectPath(name) || isSolutionPath(name)),
    read(root) {
      if (isCurrent(root)) {
        metrics.hits++;
        return cache.get(root)!.workspace;
      }
      metrics.misses++;
      const paths = new Set<string>([root]);
      const workspace = readWorkspace(root, paths);
      cache.delete(root);
      cache.set(root, { workspace, stateHashes: stateHashesOf(paths) });
      if (cache.size > MAX_ROOTS) cache.delete(cache.keys().next().value!);
      return workspace;
    },
  };
}

/** @param paths all files and folders on which the answer depends are added to it */
function readWorkspace(root: string, paths: Set<string>): Workspace {
  const solution = findSolution(root);
  const listedFiles = solution ? projectsOf(solution, paths) : [];
  const files = listedFiles.length > 0 ? listedFiles : searchProjects(root, paths);
  const projects = files.map((file) => describe(file, root, paths));
  return {
    root,
    ...(solution && { solution: relativePath(root, solution) }),
    projects,
    generatedAt: new Date(),
  };
}

const relativePath = (root: string, path: string) => relative(root, path).split(sep).join('/');

/** Returns the alphabetically first `.slnx` of a folder, else the first `.sln`. */
function findSolution(root: string): string | undefined {
  const names = namesIn(root);
  const found = names.find((name) => /\.slnx$/i.test(name)) ?? names.find((name) => /\.sln$/i.test(name));
  return found && join(root, found);
}

function projectsOf(solution: string, paths: Set<string>): string[] {
  paths.add(solution);
  try {
    return readSolution(solution).map(({ absolutePath }) => absolutePath);
  } catch {
    return [];
  }
}

const IGNORED = new Set(['bin', 'obj', 'node_modules']);

function searchProjects(root: string, paths: Set<string>): string[] {
  const ignored = ignoredFolders(root, paths);
  const skips = (path: string) => {
    const name = basename(path);
    return IGNORED.has(name) || name.startsWith('.') || ignored.has(path);
  };
  const folders = folderTree(root, MAX_FOLDERS, skips) ?? [root];
  for (const folder of folders) paths.add(folder);
  return folders.flatMap((folder) =>
    namesIn(folder)
      .filter(isProjectPath)
      .map((name) => join(folder, name)),
  );
}

/** Returns the folders that the .gitignore of the root names literally. Its patterns are not applied. */
function ignoredFolders(root: string, paths: Set<string>): Set<string> {
  const file = join(root, '.gitignore');
  paths.add(file);
  if (!existsSync(file)) return new Set();
  const names = readableText(file)
    .split(/\r?\n/)
    .flatMap((line) => /^\/?([^#!*?[\]\s][^*?[\]]*?)\/?\s*$/.exec(line)?.[1] ?? []);
  return new Set(names.map((name) => join(root, name)));
}

const IMPORTED = ['Directory.Build.props', 'Directory.Build.targets', 'Directory.Packages.props'];

function describe(file: string, root: string, paths: Set<string>): WorkspaceProject {
  const folder = dirname(file);
  for (const parent of foldersUpward(folder)) for (const name of IMPORTED) paths.add(join(parent, name));
  paths.add(file);
  const imported = IMPORTED.flatMap((name) => findUpward(folder, name) ?? []);
  const documents = [file, ...imported].flatMap((path) => tryParse(path) ?? []);
  const property = (name: string) => documents.map((document) => propertyOf(document, name)).find(Boolean);
  const packages = packagesIn(documents);
  const sdks = documents.flatMap((document) => sdkOf(document)?.split(';') ?? []).map((sdk) => sdk.split('/')[0]!);
  return {
    name: projectName(file),
    path: relativePath(root, file),
    targetFrameworks: splitList(property('TargetFrameworks') ?? property('TargetFramework') ?? ''),
    packageCount: packages.size,
    isTestProject: property('IsTestProject')?.toLowerCase() === 'true' || isForTests([...packages, ...sdks]),
  };
}

function tryParse(file: string): XmlElement | undefined {
  try {
    return parseProject(readRegularText(file));
  } catch {
    return undefined;
  }
}

function propertyOf(document: XmlElement, name: string): string | undefined {
  const properties = groupsOf(document, 'PropertyGroup').flatMap((group) => group.elements);
  return properties.findLast((element) => element.name.toLowerCase() === name.toLowerCase())?.text.trim() || undefined;
}

/** Returns the ids of the referenced packages in lower case. A PackageVersion alone is not a reference. */
function packagesIn(documents: readonly XmlElement[]): Set<string> {
  const items = documents.flatMap((document) => groupsOf(document, 'ItemGroup')).flatMap((group) => group.elements);
  const references = items.filter(({ name }) => /^(?:PackageReference|GlobalPackageReference)$/i.test(name));
  return new Set(references.flatMap((item) => attributeOf(item, 'Include')?.toLowerCase() ?? []));
}
