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
 * The installed packages of `Plugins.Packages` as plugins, each once, in the order of the list
 * (docs/spec/plugins.md#packages). They are looked for from the folder of the configuration file; nothing is installed.
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
  const found = folderCandidate(location);
  return found ?? { ...location, problems: [notAPackage(name, path)] };
}

function notInstalled(name: string, index: number, { file, baseDir, packageOrigins }: Configured): Candidate {
  const folders = nodeModulesAbove(baseDir);
  // Where npm would put it, so that it is the same plugin before and after.
  const modules = folders.find((folder) => existsSync(folder)) ?? folders[0] ?? baseDir;
  const path = join(modules, name);
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
