import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PluginProblem } from '@mortise/plugin/runtime';
import type { Candidate } from '../../core/plugin-candidate.js';
import type { PackageOrigin } from '../../core/plugin-origin.js';
import type { LoadedSettings } from '../../settings/settings.js';
import { problemAt } from '../../settings/settings-error.js';
import { folderCandidate } from './discover-plugins.js';
import { LockFiles } from './package-origin.js';
import { nodeModulesAbove, resolvePackage } from './resolve-package.js';

type Configured = Pick<LoadedSettings, 'settings' | 'file' | 'baseDir' | 'packageOrigins'>;

/**
 * Returns the packages of `Plugins.Packages` as plugins, each once, in the order of the list
 * (docs/spec/plugins.md#packages). They are resolved from the folder of the configuration file. A package that is not
 * installed becomes a candidate with a problem; nothing is installed.
 */
export function packageCandidates(configured: Configured): Candidate[] {
  const { Packages } = configured.settings.Plugins;
  const lockFiles = new LockFiles();
  return Packages.map((name, index) => ({ name, index }))
    .filter(({ name, index }) => Packages.indexOf(name) === index)
    .map(({ name, index }) => packageCandidate(name, index, configured, lockFiles));
}

function packageCandidate(name: string, index: number, configured: Configured, lockFiles: LockFiles): Candidate {
  const path = resolvePackage(name, configured.baseDir);
  if (path === undefined) return notInstalled(name, index, configured);
  const location = { kind: 'module' as const, name, path, directory: dirname(path) };
  const candidate = folderCandidate(location) ?? { ...location, problems: [notAPackage(name, path)] };
  const origin = lockFiles.originOf(name, path, candidate.version);
  const notLocked = configured.settings.Plugins.RequireLockfile ? lockProblem(origin, path) : undefined;
  if (notLocked === undefined) return { ...candidate, origin };
  const { entry: _, ...unloaded } = candidate;
  return { ...unloaded, origin, problems: [notLocked] };
}

/** The problem PLUGIN_NOT_LOCKED, with `Plugins.RequireLockfile`. */
function lockProblem(origin: PackageOrigin, path: string): PluginProblem | undefined {
  const { package: name, version, integrity, lockfile, lockedVersion } = origin;
  if (integrity !== undefined && lockedVersion === undefined) return undefined;
  const why =
    lockedVersion === undefined
      ? 'no package-lock.json beside its node_modules folder has its integrity'
      : `${lockfile} has version ${lockedVersion}, but ${version ?? 'a version without a number'} is installed`;
  return {
    severity: 'error',
    code: 'PLUGIN_NOT_LOCKED',
    message: `The package '${name}' is not loaded, because Plugins.RequireLockfile is true and ${why}`,
    hint: 'Install exactly what the lock file has: npm ci. To add the package to it: npm install.',
    location: { file: lockfile ?? path, subject: name },
  };
}

function notInstalled(name: string, index: number, { file, baseDir, packageOrigins }: Configured): Candidate {
  const folders = nodeModulesAbove(baseDir);
  // The path where npm would install the package, so that the plugin has the same path before and after.
  const modulesFolder = folders.find((folder) => existsSync(folder)) ?? folders[0] ?? baseDir;
  const path = join(modulesFolder, name);
  const key = `Plugins.Packages[${index}]`;
  const { message, hint, ...place } = problemAt(packageOrigins[index] ?? { from: 'defaults' }, {
    key,
    message: `The package '${name}' is not installed: it is in no node_modules folder from ${baseDir} upward`,
    hint: `In ${baseDir}, run: npm install ${name}`,
  });
  const location = { file: file ?? path, subject: key, ...positionOf(place) };
  const problem: PluginProblem = { severity: 'error', code: 'PLUGIN_NOT_INSTALLED', message, hint, location };
  return { kind: 'module', name, path, directory: dirname(path), problems: [problem] };
}

function positionOf({ file, line, column }: { file?: string; line?: number; column?: number }) {
  return file === undefined || line === undefined || column === undefined ? {} : { file, line, column };
}

function notAPackage(name: string, path: string): PluginProblem {
  return {
    severity: 'error',
    code: 'PLUGIN_ENTRY_MISSING',
    message: `The folder of the package '${name}' has neither a package.json nor an index file`,
    hint: `Install it again: npm install ${name}`,
    location: { file: path },
  };
}
