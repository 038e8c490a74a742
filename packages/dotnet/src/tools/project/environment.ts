import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ActionContext } from '../../actions/action.js';
import type { Arguments } from '../../actions/parameters.js';
import { isSecretVariable } from '../../process/secret-names.js';

export function environmentOf({ environment = {} }: Arguments): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]));
}

/** The files with launch profiles that `dotnet run` reads, relative to the project's folder (SDK 10). */
const LAUNCH_SETTINGS = ['Properties/launchSettings.json', 'My Project/launchSettings.json'];

/**
 * Returns `-e NAME=VALUE` for the variables that a launch profile also sets. A launch profile overrides the
 * environment, and only this option overrides the profile (SDK 10). Secrets are left out, because every user of the
 * machine can read command lines.
 */
export function overridingLaunchProfile(call: ActionContext): string[] {
  const entries = Object.entries(environmentOf(call.args)).filter(([name]) => !isSecretVariable(name));
  if (entries.length === 0) return [];
  const settings = launchSettings(call.resolve(call.args.project ?? '.'));
  const isSet = (name: string) => settings.toLowerCase().includes(`${JSON.stringify(name)}`.toLowerCase());
  return entries.filter(([name]) => isSet(name)).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
}

/** Returns the text of all launch settings for a project, folder or file; empty if there are none. */
function launchSettings(path: string): string {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const folder = isFolder ? path : dirname(path);
  const ofFile = isFolder ? [] : [path.replace(/\.[^.]+$/, '.run.json')];
  return [...ofFile, ...LAUNCH_SETTINGS.map((name) => join(folder, name))].map(textOf).join('\n');
}

function textOf(path: string): string {
  try {
    return statSync(path).isFile() ? readFileSync(path, 'utf8') : '';
  } catch {
    return '';
  }
}
