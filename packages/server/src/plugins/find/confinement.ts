import { dirname, join, resolve, sep } from 'node:path';
import { homeFolder, type PluginProblem, suggestNames } from '@mortise/plugin/runtime';
import type { Candidate } from '../../core/plugin-candidate.js';
import { traitsOf } from '../../core/plugin-kinds.js';
import type { PluginNeeds } from '../../core/plugin-needs.js';
import type { LoadedSettings, Settings } from '../../settings/settings.js';
import { realPath } from '../../util/ignore-os-errors.js';
import { packagePath } from '../../util/package-root.js';
import type { FoundPlugins } from './discover-plugins.js';
import { nodeModulesAbove } from './resolve-package.js';

type ConfiningSettings = Pick<Settings['Plugins'], 'Confine' | 'Isolation'>;

/** The kinds of access that the permission model of this Node.js can restrict. */
const NODE_HAS = {
  permissions: process.allowedNodeEnvironmentFlags.has('--permission'),
  network: process.allowedNodeEnvironmentFlags.has('--allow-net'),
};

/**
 * Returns what a plugin is confined to; undefined if it is not confined. An entry of `Confine.Plugins` replaces what the
 * plugin declares; `Confine.Default` is added to it (docs/spec/plugins.md#confinement).
 */
function confinementOf(candidate: Candidate, { Confine }: ConfiningSettings): PluginNeeds | undefined {
  const { Default, Plugins } = Confine;
  const { name, needs = {} } = candidate;
  if (Object.hasOwn(Plugins, name)) return Plugins[name];
  if (Default === undefined) return undefined;
  return {
    read: [...(Default.read ?? []), ...absolutePaths(needs.read, candidate)],
    write: [...(Default.write ?? []), ...absolutePaths(needs.write, candidate)],
    network: Default.network || needs.network || false,
    run: Default.run || needs.run || false,
  };
}

/** Makes the paths of a package.json absolute: they start at its folder, or with `~/` at the home folder. */
function absolutePaths(paths: readonly string[] = [], { root, entry = '', path }: Candidate): string[] {
  const base = root ?? dirname(entry || path);
  return paths.map((item) => (/^~[\\/]/.test(item) ? join(homeFolder(), item.slice(2)) : resolve(base, item)));
}

/** Applies `Plugins.Confine` to all plugins (docs/spec/plugins.md#confinement). */
export function confine(
  { candidates, problems }: FoundPlugins,
  { settings: { Plugins }, file, baseDir }: Pick<LoadedSettings, 'settings' | 'file' | 'baseDir'>,
): FoundPlugins {
  const { Confine, Enabled } = Plugins;
  if (Confine.Default === undefined && Object.keys(Confine.Plugins).length === 0) return { candidates, problems };
  const names = candidates.map(({ name }) => name);
  const unmatched = Enabled ? Object.keys(Confine.Plugins).filter((name) => !names.includes(name)) : [];
  return {
    candidates: candidates.map((candidate) => withConfinement(candidate, Plugins)),
    problems: [...problems, ...unmatched.map((name) => unmatchedEntry(name, names, file ?? baseDir))],
  };
}

/** Warns of an entry that matches no plugin. If its name is misspelt, the plugin that it means runs without limits. */
function unmatchedEntry(name: string, names: readonly string[], file: string): PluginProblem {
  const key = `Plugins.Confine.Plugins.${name}`;
  const [closest] = suggestNames(name, names, 1);
  return {
    severity: 'warning',
    code: 'PLUGIN_NOT_CONFINED',
    message: `${key} matches no plugin.${closest === undefined ? '' : ` Did you mean '${closest}'?`}`,
    hint: 'Name the plugin as `mortise list` shows it, or remove the entry. Mounted servers cannot be confined.',
    location: { file, subject: key },
  };
}

/**
 * Adds what `Plugins.Confine` allows a plugin, and the problem PLUGIN_NOT_CONFINED if that cannot be enforced. With
 * `Plugins.Confine.Required` such a plugin is not loaded.
 */
function withConfinement(candidate: Candidate, settings: ConfiningSettings): Candidate {
  const confinedTo = confinementOf(candidate, settings);
  if (confinedTo === undefined || candidate.entry === undefined) return candidate;
  const isConfined = cannotConfine(candidate, settings) === undefined;
  const reason = cannotConfine(candidate, settings) ?? notEnforced(confinedTo);
  const confined = { ...candidate, ...(isConfined && { confinedTo }) };
  if (reason === undefined) return confined;
  const isRequired = settings.Confine.Required;
  const problem: PluginProblem = {
    severity: isRequired ? 'error' : 'warning',
    code: 'PLUGIN_NOT_CONFINED',
    message: isRequired
      ? `It is not loaded, because Plugins.Confine.Required is true and ${reason}`
      : `Plugins.Confine is ${isConfined ? 'enforced only in part' : 'not enforced for it'}: ${reason}`,
    hint: isConfined
      ? `Run the server with a Node.js that has --allow-net, or set network to true in Plugins.Confine.Plugins.${candidate.name}.`
      : 'Run the server with Node.js 22.13 or later. A C# plugin can only be confined by a container or another user.',
    location: { file: candidate.entry },
  };
  const { entry: _, ...unloaded } = confined;
  return { ...(isRequired ? unloaded : confined), problems: [...candidate.problems, problem] };
}

/** Returns the reason why nothing of the plugin can be confined; undefined if it can. */
function cannotConfine(candidate: Candidate, { Isolation }: ConfiningSettings): string | undefined {
  if (traitsOf(candidate).runner !== 'process') return 'a C# plugin cannot be confined';
  if (Isolation === 'none') return 'Plugins.Isolation is none, so the plugin runs in the server';
  if (NODE_HAS.permissions) return undefined;
  return `Node.js ${process.version} has no stable permission model (22.13 and later have it)`;
}

const notEnforced = ({ network }: PluginNeeds): string | undefined =>
  network || NODE_HAS.network ? undefined : `Node.js ${process.version} cannot restrict the network`;

/**
 * Returns the options of Node.js that confine the process of a plugin; undefined if the plugin is not confined, or this
 * Node.js cannot confine it. A plugin can always read its own folder and installed packages, and read and write its data
 * folder.
 */
export function permissionOptions(candidate: Candidate, dataDir: string): readonly string[] | undefined {
  const { confinedTo, root, entry = '' } = candidate;
  if (confinedTo === undefined || !NODE_HAS.permissions) return undefined;
  const { read = [], write = [], network, run } = confinedTo;
  const folder = root ?? dirname(entry);
  const server = packagePath('');
  const installed = [folder, server].flatMap((path) => nodeModulesAbove(realPath(path)));
  const writes = [dataDir, ...write];
  return [
    '--permission',
    ...optionsFor('--allow-fs-read', [folder, server, ...installed, ...linkedPackages(installed), ...read, ...writes]),
    ...optionsFor('--allow-fs-write', writes),
    ...(network && NODE_HAS.network ? ['--allow-net'] : []),
    ...(run ? ['--allow-child-process', '--allow-worker', '--allow-addons', '--allow-wasi'] : []),
  ];
}

/** `@mortise/plugin` is a link in a workspace. */
const linkedPackages = (installed: readonly string[]) => installed.map((modules) => join(modules, '@mortise/plugin'));

/** Without the wildcard, a path means a file or a folder that exists already; with it, also a folder that is created later. */
const optionsFor = (option: string, paths: readonly string[]) =>
  [...new Set(paths.flatMap((path) => [path, realPath(path)]))].flatMap((path) => [
    `${option}=${path}`,
    `${option}=${path.endsWith(sep) ? path : path + sep}*`,
  ]);
