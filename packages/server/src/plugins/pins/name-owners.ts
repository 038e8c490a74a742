import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { PluginProblem } from '@mortise/plugin/runtime';
import { toWireName } from '../../core/wire-names.js';
import { quoted } from './definition-changed-problem.js';
import type { AllPins } from './pin-file.js';
import type { PinnedPlugin } from './plugin-key.js';
import { isOfPlugin, type Pinnable } from './plugin-pins.js';

/** Maps a name, as {@link nameOf} spells it, to the keys of the plugins that it is pinned to. */
export type NameOwners = ReadonlyMap<string, readonly string[]>;

export function nameOwners(pins: AllPins): NameOwners {
  const owners = new Map<string, string[]>();
  for (const [key, provided] of pins) {
    for (const label of provided.keys()) {
      if (isOfPlugin(label)) continue;
      const name = nameOf(label);
      const keys = owners.get(name);
      if (keys) keys.push(key);
      else owners.set(name, [key]);
    }
  }
  return owners;
}

/** Returns the portable spelling of a tool's name; for resources and prompts the label itself. */
export const nameOf = (label: string): string => (label.includes(' ') ? label : toWireName(label, 'portable'));

/** True for the key of a plugin, which is a path. The key of a mounted server is its name. */
const isPath = (key: string): boolean => /^\.{0,2}\//.test(key) || isAbsolute(key);

/**
 * Returns the key of another owner of the name; undefined if `key` owns it too, or if nobody does. All names of a
 * mounted server begin with its own prefix, so only pins of other mounted servers count for it.
 */
export function otherOwner(owners: NameOwners, key: string, { label }: Pinnable): string | undefined {
  if (isOfPlugin(label)) return undefined;
  const ownerKeys = (owners.get(nameOf(label)) ?? []).filter((owner) => isPath(key) || !isPath(owner));
  return ownerKeys.includes(key) ? undefined : ownerKeys[0];
}

/** A name that a plugin provides and that is pinned to another one. */
export interface NameConflict {
  /** Returns the hash of everything that the plugin provides. */
  sha256(): string;
  readonly plugin: PinnedPlugin;
  /** The plugin's key in the pin file. */
  readonly key: string;
  /** The key that the name is pinned to. */
  readonly owner: string;
  readonly label: string;
  /** The folder of the pin file, which paths in keys are relative to. */
  readonly folder: string;
  /** True if a mounted server with this key has been reviewed. */
  isMounted(key: string): boolean;
  /** Returns the exact command that trusts a plugin. */
  trustCommand(name: string): string;
}

/** The problem NAME_PINNED: the name is pinned to another plugin, and the user has not transferred it to this one. */
export function namePinned({
  plugin,
  key,
  owner,
  label,
  folder,
  isMounted,
  trustCommand,
  sha256,
}: NameConflict): PluginProblem {
  const ownerExists = isPath(owner) ? existsSync(resolve(folder, owner)) : isMounted(owner);
  const entryName = label.includes(' ') ? label : `tool '${label}'`;
  return {
    severity: 'error',
    code: 'NAME_PINNED',
    message: `The ${entryName} of ${key} is refused: the name is pinned to ${owner}${ownerExists ? '' : ', which no longer exists'}`,
    hint: `If ${key} should own the name from now on, accept that: \`${trustCommand(quoted(plugin.name))}\`.`,
    location: { file: plugin.path ?? key, subject: label },
    data: { owner, claimant: key, sha256: sha256() },
  };
}
