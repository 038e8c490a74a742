import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { areUnchanged, folderTree, isChangedSince, stateHashesOf, stateHashOf } from '../project-files/file-state.js';
import { foldersUpward, isProjectPath } from '../project-files/find-project.js';
import { namesIn, readableText } from '../project-files/readable-files.js';
import { isSolutionPath, readSolution } from '../project-files/solution-file.js';

/** The solution and the project files of a folder (docs/spec/dotnet-resources.md#workspace-rules). */
export interface Workspace {
  readonly root: string;
  /** The absolute path of the solution; absent if there is none. */
  readonly solution?: string;
  /** Absolute paths. */
  readonly projects: readonly string[];
}

/** Lists workspaces. A list is cached until one of the files that it depends on changes. */
export interface WorkspaceReader {
  /** @param root the absolute path of the folder */
  read(root: string): Workspace;
  /**
   * Adds the files that projects import to those whose changes {@link isCurrent} notices.
   * @param readSinceMs the time when the first of them was read, in milliseconds since 1970
   */
  watch(root: string, files: readonly string[], readSinceMs: number): void;
  /** True if the workspace was read and none of its files has changed since. */
  isCurrent(root: string): boolean;
  wasRead(root: string): boolean;
  /** True if the workspace was read, or if a solution or project is directly in its root. */
  isCached(root: string): boolean;
  readonly metrics: { readonly hits: number; readonly misses: number };
}

const MAX_FOLDERS = 20_000;
const MAX_ROOTS = 20;

interface Entry {
  readonly workspace: Workspace;
  readonly stateHashes: Map<string, string>;
  /** The files that were added by `watch`. */
  readonly watched: Set<string>;
}

export function createWorkspaceReader(): WorkspaceReader {
  const cache = new Map<string, Entry>();
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
      const watched = cache.get(root)?.watched ?? new Set();
      const paths = new Set<string>([root, ...watched]);
      const workspace = listWorkspace(root, paths);
      cache.delete(root);
      cache.set(root, { workspace, stateHashes: stateHashesOf(paths), watched });
      if (cache.size > MAX_ROOTS) cache.delete(cache.keys().next().value!);
      return workspace;
    },
    watch(root, files, readSinceMs) {
      const { stateHashes, watched } = cache.get(root) ?? {};
      for (const file of files) {
        if (stateHashes === undefined || stateHashes.has(file)) continue;
        // A file that was written while it was read counts as changed.
        stateHashes.set(file, isChangedSince(file, readSinceMs) ? 'changed' : stateHashOf(file));
        watched!.add(file);
      }
    },
  };
}

/** @param paths all files and folders on which the list or an evaluation depends are added to it */
function listWorkspace(root: string, paths: Set<string>): Workspace {
  const solution = findSolution(root);
  const listedFiles = solution ? projectsOf(solution, paths) : [];
  const projects = listedFiles.length > 0 ? listedFiles : searchProjects(root, paths);
  for (const project of projects) {
    paths.add(project);
    for (const folder of foldersUpward(dirname(project))) for (const name of IMPORTED) paths.add(join(folder, name));
  }
  return { root, ...(solution && { solution }), projects };
}

/** Files that a project imports as soon as they exist. */
const IMPORTED = ['Directory.Build.props', 'Directory.Build.targets', 'Directory.Packages.props'];

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
