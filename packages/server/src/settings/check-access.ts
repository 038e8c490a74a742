import { createHash } from 'node:crypto';
import { closest, isClose } from '@mortise/plugin/runtime';
import type { AccessKey } from './access-settings.js';
import { parseExpiry } from './key-expiry.js';
import { type Places, placeOf } from './resolve-settings.js';
import { problemAt, type SettingsProblem } from './settings-error.js';
import type { ParsedSettings } from './settings-table.js';

/** The profile that always exists. */
export const BUILT_IN_PROFILE = 'readOnly';
/** The names of principals without a key (docs/spec/access.md#principals). */
const RESERVED_NAMES: readonly string[] = ['local', 'loopback', 'workbench page'];
/** A regular expression for the name of a profile, without anchors. */
export const PROFILE_NAME_PATTERN = '[A-Za-z0-9._-]{1,64}';
const PROFILE_NAME = new RegExp(`^${PROFILE_NAME_PATTERN}$`);

/** An access key. Members that violate their schema are undefined; they have been reported already. */
type PartialKey = Partial<AccessKey>;
interface AccessSettings {
  readonly keys: readonly PartialKey[];
  readonly profiles: readonly string[];
}

/** Checks the key with this index. Returns the wrong member and the problem in words; undefined if there is none. */
type KeyCheck = (
  key: PartialKey,
  index: number,
  settings: AccessSettings,
) => [member: string, message: string, hint: string] | undefined;

const KEY_CHECKS: readonly KeyCheck[] = [
  ({ Name }) =>
    Name !== undefined && RESERVED_NAMES.includes(Name.toLowerCase())
      ? ['Name', `is '${Name}', the name of callers without a key.`, 'Choose another name.']
      : undefined,
  ({ Name }, index, { keys }) =>
    Name !== undefined && keys.slice(0, index).some((other) => other.Name?.toLowerCase() === Name.toLowerCase())
      ? ['Name', `'${Name}' is the name of another key too.`, 'Give each key a name of its own.']
      : undefined,
  ({ Name }) =>
    Name?.includes('/')
      ? ['Name', `'${Name}' has a '/', as the names of callers with a token of an issuer have.`, 'Leave the / out.']
      : undefined,
  (key, index, { keys }) => {
    if (!hasSecret(key)) return undefined;
    const sameKey = keys.slice(0, index).find((other) => hasSecret(other) && hashOf(other) === hashOf(key));
    return (
      sameKey && [
        'Key',
        `is the key of '${sameKey.Name ?? 'another entry'}' too.`,
        'Give each caller a key of its own: `mortise key new <name>`.',
      ]
    );
  },
  ({ Profile }, _index, { profiles }) => {
    if (Profile === undefined) return undefined;
    const names = [...profiles, BUILT_IN_PROFILE];
    if (names.includes(Profile)) return undefined;
    return ['Profile', `is '${Profile}', which is not a profile.`, suggestion(Profile, names)];
  },
  ({ Scopes }) => (Scopes?.length === 0 ? ['Scopes', 'is empty.', 'Name a scope, or remove the key.'] : undefined),
  ({ Expires }) => {
    if (Expires === undefined) return undefined;
    const expiresAt = parseExpiry(Expires);
    if (expiresAt === undefined)
      return ['Expires', `is '${Expires}', not a date or time.`, 'Write 2027-01-31 or 2027-01-31T12:00:00Z.'];
    return undefined;
  },
];

/** Runs only when a server starts: a key that expires while the server runs must not make a reload fail. */
const checkExpired: KeyCheck = ({ Expires }) =>
  Expires !== undefined && (parseExpiry(Expires) ?? Number.POSITIVE_INFINITY) <= Date.now()
    ? [
        'Expires',
        `is '${Expires}': the key has expired.`,
        'Remove the key, or make a new one: `mortise key new <name>`.',
      ]
    : undefined;

const hasSecret = ({ Key, Sha256 }: PartialKey): boolean => Key !== undefined || Sha256 !== undefined;

/**
 * Returns the problems of keys and profiles that the schema does not find (docs/spec/access.md#keys). Settings that
 * violate the schema may be undefined.
 * @param isReload true if a server runs already: keys that have expired are no problem then
 */
export function accessProblems(
  { Auth, Profiles = {} }: Partial<ParsedSettings>,
  places: Places,
  isReload = false,
): SettingsProblem[] {
  const settings: AccessSettings = {
    keys: (Auth?.Keys ?? []).map((key: PartialKey | undefined) => key ?? {}),
    profiles: Object.keys(Profiles),
  };
  const checks = isReload ? KEY_CHECKS : [...KEY_CHECKS, checkExpired];
  const keyProblems = settings.keys.flatMap((key, index) => {
    const findings = checks.map((check) => check(key, index, settings)).filter((finding) => finding !== undefined);
    return findings.map(([member, message, hint]) => {
      const setting = `Auth.Keys[${index}].${member}`;
      return problemAt(placeOf(places, ['Auth', 'Keys', index, member]).origin, {
        key: setting,
        message: `${setting} ${message}`,
        hint,
      });
    });
  });
  return [...keyProblems, ...settings.profiles.flatMap((name) => profileProblems(name, places))];
}

function profileProblems(name: string, places: Places): SettingsProblem[] {
  const key = `Profiles.${name}`;
  const { origin } = placeOf(places, ['Profiles', name]);
  if (name.toLowerCase() === BUILT_IN_PROFILE.toLowerCase()) {
    const message = `${key} has the name of the built-in profile ${BUILT_IN_PROFILE}.`;
    return [problemAt(origin, { key, message, hint: 'Choose another name.' })];
  }
  if (PROFILE_NAME.test(name)) return [];
  const message = `${key}: the name of a profile is a part of a URL, and must have letters, digits, '.', '_' and '-' only.`;
  return [problemAt(origin, { key, message, hint: 'Choose another name.' })];
}

/** Returns the SHA-256 of a key in lower-case hexadecimal digits. One of the two members must be present. */
export function hashOf({ Key, Sha256 }: Pick<AccessKey, 'Key' | 'Sha256'>): string {
  return Sha256?.toLowerCase() ?? createHash('sha256').update(Key!).digest('hex');
}

/** Returns the hint for the name of a profile that does not exist. */
export function suggestion(name: string, names: readonly string[]): string {
  const best = closest(name, names);
  if (best && isClose(best.distance, best.name)) return `Did you mean ${best.name}?`;
  return `The profiles are: ${names.join(', ')}.`;
}
