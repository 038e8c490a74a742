import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { PluginProblem } from '@mortise/plugin/runtime';
import { toWireName } from '../../core/wire-names.js';
import { quoted } from './definition-changed-problem.js';
import type { AllPins } from './pin-file.js';
import type { PinnedPlugin } from './plugin-key.js';
import { FILE_LABEL, type Pinnable } from './plugin-pins.js';

/** Which plugins' pins have a name, by that name as clients see it. */
export type NameOwners = ReadonlyMap<string, readonly string[]>;

export function nameOwners(pins: AllPins): NameOwners {
  const owners = new Map<string, string[]>();
  for (const [key, provided] of pins) {
    for (const label of provided.keys()) {
      if (label === FILE_LABEL) continue;
      const name = nameOf(label);
      const owner = owners.get(name);
      if (owner) owner.push(key);
      else owners.set(name, [key]);
    }
  }
  return owners;
}

/** Tools that clients see under one name have one name; labels of all else have a space. */
export const nameOf = (label: string): string => (label.includes(' ') ? label : toWireName(label, 'portable'));

/** Plugins are pinned by their place, mounted servers by their name. */
const isPath = (key: string): boolean => /^\.{0,2}\//.test(key) || isAbsolute(key);

/**
 * The owner of a name according to the pins, if it is not `key`. The names of a mounted server belong to it because of their prefix:
 * pins of plugins do not prevent it from using them.
 */
export function otherOwner(owners: NameOwners, key: string, { label }: Pinnable): string | undefined {
  if (label === FILE_LABEL) return undefined;
  const owner = (owners.get(nameOf(label)) ?? []).filter((owner) => isPath(key) || !isPath(owner));
  return owner.includes(key) ? undefined : owner[0];
}

export interface NameRegistration {
  /** The hash of all that the plugin provides. */
  sha256(): string;
  readonly plugin: PinnedPlugin;
  readonly key: string;
  readonly owner: string;
  readonly label: string;
  /** The folder of the pin file, which the keys start at. */
  readonly folder: string;
  /** Whether a mounted server of that name is configured. */
  isMounted(key: string): boolean;
  /** The exact command that accepts a plugin. */
  trustCommand(name: string): string;
}

/** NAME_PINNED: another plugin had the name, and the user has not transferred it to this one. */
export function namePinned({
  plugin,
  key,
  owner,
  label,
  folder,
  isMounted,
  trustCommand,
  sha256,
}: NameRegistration): PluginProblem {
  const isThere = isPath(owner) ? existsSync(resolve(folder, owner)) : isMounted(owner);
  const what = label.includes(' ') ? label : `tool '${label}'`;
  return {
    severity: 'error',
    code: 'NAME_PINNED',
    message: `The ${what} of ${key} is refused: the name is pinned to ${owner}${isThere ? '' : ', which no longer exists'}`,
    hint: `If ${key} is to have it from now on, accept that: \`${trustCommand(quoted(plugin.name))}\`.`,
    location: { file: plugin.path ?? key, subject: label },
    data: { owner, claimant: key, sha256: sha256() },
  };
}
