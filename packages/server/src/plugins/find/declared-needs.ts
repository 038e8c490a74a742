import { isJsonObject, type PackageJson } from '@mortise/plugin/runtime';
import type { PluginNeeds } from '../../core/plugin-needs.js';

const isPaths = (value: unknown) =>
  Array.isArray(value) && value.every((path) => typeof path === 'string' && path !== '' && !path.includes('\0'));
const isBoolean = (value: unknown) => typeof value === 'boolean';
const MEMBERS = { read: isPaths, write: isPaths, network: isBoolean, run: isBoolean };

/** Returns `mortise.needs` of a package.json; the name of the wrong member, if there is one; undefined if it is absent. */
export function declaredNeeds(json: PackageJson | undefined): { needs: PluginNeeds } | { wrong: string } | undefined {
  const { needs } = (json?.mortise ?? {}) as { needs?: unknown };
  if (needs === undefined) return undefined;
  if (!isJsonObject(needs)) return { wrong: 'mortise.needs' };
  const wrong = Object.keys(needs).find(
    (name) => !Object.hasOwn(MEMBERS, name) || !MEMBERS[name as keyof typeof MEMBERS](needs[name]),
  );
  return wrong === undefined ? { needs } : { wrong: `mortise.needs.${wrong}` };
}
