import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PluginProblem } from '@mortise/plugin/runtime';
import type { Candidate } from '../../core/plugin-candidate.js';
import type { LoadedSettings } from '../../settings/settings.js';
import { problemAt } from '../../settings/settings-error.js';
import { folderCandidate } from './discover-plugins.js';
import { nodeModulesAbove, resolvePackage } from './resolve-package.js';

type Configured = Pick<LoadedSettings, 'settings' | 'file' | 'baseDir' | 'packageOrigins'>;

/**
 * Returns the packages of `Plugins.Packages` as plugins, each once, in the order of the list
 * (docs/spec/plugins.md#packages). They are resolved from the folder of the configuration file. A package that is not
 * installed becomes a candidate with a problem; nothing is installed.
 */
export function packageCandidates(configured: Configured): Candidate[] {
  const { Packages } = configured.settings.Plugins;
  return Packages.map((name, index) => ({ name, index }))
    .filter(({ name, index }) => Packages.indexOf(name) === index)
    .map(({ name, index }) => packageCandidate(name, index, configured));
}

function packageCandidate(name: string, index: number, configured: Configured): Candidate {
  const path = resolvePackage(name, configured.baseDir);
  if (path === undefined) return notInstalled(name, index, configured);
  const location = { kind: 'module' as const, name, path, directory: dirname(path) };
  return folderCandidate(location) ?? { ...location, problems: [notAPackage(name, path)] };
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
