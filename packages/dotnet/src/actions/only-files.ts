import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { FileError } from '../project-files/file-error.js';
import { foldersUpward } from '../project-files/find-project.js';
import { namesIn } from '../project-files/readable-files.js';
import type { Arguments } from './parameters.js';

/** What the SDK reads in the folder of a project, by name, and in every folder above it. */
const READ_HERE = /\.(?:[a-z]*proj|slnx?|slnf|user)$/i;
const READ_UPWARD = [
  'global.json',
  'nuget.config',
  'NuGet.Config',
  'Directory.Build.props',
  'Directory.Build.targets',
  'Directory.Build.rsp',
  'Directory.Packages.props',
];
const PATHS = ['project', 'projectPath', 'solution', 'globalJsonPath'] as const;

/**
 * Looks for named pipes, sockets and devices where a command would read a file: it would wait forever.
 * @throws FileError that names the first
 */
export function assertOnlyFiles(args: Arguments, cwd: string): void {
  const named = PATHS.flatMap((name) => (typeof args[name] === 'string' ? [resolve(cwd, args[name])] : []));
  const folders = new Set([cwd, ...named.map((path) => (kindOf(path) === 'folder' ? path : dirname(path)))]);
  const here = [...folders].flatMap((folder) =>
    namesIn(folder)
      .filter((name) => READ_HERE.test(name))
      .map((name) => join(folder, name)),
  );
  const above = [...new Set([...folders].flatMap((folder) => foldersUpward(folder)))];
  const upward = above.flatMap((folder) => READ_UPWARD.map((name) => join(folder, name)));
  const odd = [...named, ...here, ...upward].find((path) => kindOf(path) === 'other');
  if (odd === undefined) return;
  const message = `${odd} is a named pipe, a socket or a device, not a file`;
  throw new FileError('not found', message, 'Remove it, or put a file in its place.');
}

function kindOf(path: string): 'file' | 'folder' | 'other' | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) return undefined;
    if (stats.isDirectory()) return 'folder';
    return stats.isFile() ? 'file' : 'other';
  } catch {
    // The command reports the problem of the path.
    return undefined;
  }
}
