import { accessSync, constants, mkdirSync } from 'node:fs';
import { findDotnet } from '@mortise/dotnet/find-dotnet';
import type { PluginProblem } from '@mortise/plugin/runtime';
import type { PluginStatus } from '../../core/plugin-status.js';
import { pluginFolders } from '../../plugins/find/configured-plugins.js';
import { type FoundPlugins, findPlugins } from '../../plugins/find/discover-plugins.js';
import { findPluginHost } from '../../run/dotnet/find-plugin-host.js';
import { missingPart } from '../../run/dotnet/problems.js';
import type { Environment } from '../../settings/environment-settings.js';
import type { LoadedSettings, Settings } from '../../settings/settings.js';
import { packageJson } from '../../util/package-root.js';
import { count, firstPluginHint, indent, locationText } from './format-text.js';
import { type Issue, pluginIssue } from './issue.js';
import type { Status, Style } from './style.js';

/** The result of one check of `mortise doctor`, which calls the functions of this file. */
export interface Check {
  readonly status: Status;
  readonly message: string;
  readonly code?: string;
  readonly where?: string;
  /** The next action, as an imperative. */
  readonly hint?: string;
}

export function checkText({ status, message, code, where, hint }: Check, style: Style): string {
  const head = `${style.statusSymbol(status)} ${message}${code === undefined ? '' : ` ${style.dim(`[${code}]`)}`}`;
  const rest = [where && style.dim(where), hint && `${style.arrow} ${hint}`].filter(Boolean);
  return [head, ...rest.map((text) => indent(text!, 4))].join('\n');
}

export function toCheck({ severity, code, plugin, message, file, line, column, hint }: Issue): Check {
  return {
    status: severity,
    // No punctuation follows the name. After `token:`, redaction would take the text for the value of a secret.
    message: plugin === undefined ? message : `Plugin ${plugin} has a problem: ${message}`,
    code,
    ...(file === undefined ? {} : { where: locationText({ file, line, column }) }),
    ...(hint === undefined ? {} : { hint }),
  };
}

/** Checks that Node.js is new enough. @param actual the version, in the form of process.versions.node */
export function checkNode(actual: string): Check {
  const needed = packageJson.engines.node.replace(/^>=/, '');
  if (isAtLeast(actual, needed)) return { status: 'ok', message: `Node.js ${actual}` };
  return { status: 'error', message: `Node.js ${actual} is too old`, hint: `Install Node.js ${needed} or later.` };
}

function isAtLeast(actual: string, needed: string): boolean {
  const [a = [], b = []] = [actual, needed].map((text) => text.split('.').map(Number));
  const difference = b.map((part, index) => (a[index] ?? 0) - part).find((part) => part !== 0) ?? 0;
  return difference >= 0;
}

export function checkConfiguration({ file, warnings }: LoadedSettings): Check[] {
  const fileChecks: Check[] = file === undefined ? [] : [{ status: 'ok', message: `Configuration ${file}` }];
  return [...fileChecks, ...warnings.map((message): Check => ({ status: 'warning', message }))];
}

export function checkTrust(folder: string, isTrusted: boolean): Check {
  return isTrusted
    ? { status: 'ok', message: `Trusted folder ${folder}` }
    : { status: 'none', message: `Folder ${folder}: not trusted` };
}

export function checkFolders(loaded: LoadedSettings): Check[] {
  const { Enabled } = loaded.settings.Plugins;
  if (!Enabled) return [{ status: 'none', message: 'Plugins are switched off (Plugins.Enabled)' }];
  return pluginFolders(loaded).flatMap((directory) => folderChecks(directory, findPlugins(directory)));
}

function folderChecks(directory: string, { candidates, problems }: FoundPlugins): Check[] {
  if (problems.length > 0) return problems.map((problem) => toCheck(pluginIssue(problem)));
  const hint = candidates.length === 0 ? { hint: firstPluginHint(directory) } : {};
  return [{ status: 'ok', message: `Plugins folder ${directory}: ${count(candidates.length, 'plugin')}`, ...hint }];
}

export function checkPlugins(plugins: readonly PluginStatus[]): Check[] {
  return plugins.flatMap(({ name, version, state, tools, problems, loadMs }): Check[] => {
    if (problems.length > 0) return problems.map((problem) => toCheck(pluginIssue(problem, name)));
    if (state === 'no tools') return [{ status: 'none', message: `Plugin ${name}: no tools` }];
    const title = version === undefined ? name : `${name} ${version}`;
    return [{ status: 'ok', message: `Plugin ${title}: ${count(tools.length, 'tool')}, loaded in ${loadMs ?? 0} ms` }];
  });
}

/** Reports sections of `Plugins.Settings` and names in profiles that match nothing. */
export function checkSections(problems: readonly PluginProblem[]): Check[] {
  const codes: readonly string[] = ['SETTING_SECTION_UNKNOWN', 'PROFILE_NAME_UNKNOWN'];
  const unknownNames = problems.filter(({ code }) => codes.includes(code));
  return unknownNames.map((problem) => toCheck(pluginIssue(problem)));
}

/** Checks that there is a dotnet program, without running it. */
export function checkDotnet({ Dotnet }: Settings, env: Environment, platform: NodeJS.Platform): Check {
  if (Dotnet.Enabled === false) return { status: 'none', message: '.NET SDK: switched off (Dotnet.Enabled)' };
  const program = findDotnet({ setting: Dotnet.Path, env, platform });
  if (program !== undefined) return { status: 'ok', message: `.NET SDK ${program}` };
  const isRequired = Dotnet.Enabled === true || Dotnet.Path !== '';
  const reason = Dotnet.Path ? `${Dotnet.Path} is not an executable` : 'dotnet is not on PATH';
  if (!isRequired) return { status: 'none', message: `.NET SDK: ${reason}, so its tools are not offered` };
  return {
    status: 'error',
    message: `.NET SDK: ${reason}`,
    hint: 'Install it (https://dot.net), or correct Dotnet.Path.',
  };
}

/** Checks the program that runs C# plugins. A missing program is not an error here, because C# plugins report it themselves. */
export function checkPluginHost({ Dotnet }: Settings, env: Environment, platform: NodeJS.Platform): Check {
  const dotnetOptions = { setting: Dotnet.Path, env, platform };
  const missing = missingPart('', dotnetOptions);
  if (missing) return { status: 'none', message: missing.message };
  return { status: 'ok', message: `C# plugins: ${findDotnet(dotnetOptions)} runs ${findPluginHost()}` };
}

export function checkCache(folder: string): Check {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
    return { status: 'ok', message: `Cache ${folder}` };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const hint = 'Make it writable; without it TypeScript plugins are translated at every start.';
    return { status: 'warning', message: `The cache cannot be written: ${code}`, where: folder, hint };
  }
}
