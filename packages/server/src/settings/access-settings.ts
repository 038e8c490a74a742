import { CALLER_LIMITS_SCHEMA } from './caller-limits.js';
import {
  bool,
  choice,
  described,
  list,
  map,
  name,
  record,
  secret,
  setting,
  sha256,
  type ValueOf,
} from './setting-schema.js';

/** The minimum length of an access key in characters (docs/spec/access.md#keys). */
export const MIN_KEY_CHARS = 32;

/** The scopes of access keys (docs/spec/access.md#scopes). */
export const SCOPES = ['mortise:read', 'mortise:write', 'mortise:operate'] as const;

export const ACCESS_KEY = record(
  {
    Name: described(name, 'The name of the caller, as the log shows it.'),
    Key: described(
      secret(MIN_KEY_CHARS),
      `The secret that the caller sends. Name it by \${env:NAME} or \${file:path} rather than write it here.`,
    ),
    Sha256: described(sha256, 'The SHA-256 of the key in hexadecimal digits, as `mortise key new` writes it.'),
    Profile: described(name, 'The profile that restricts what the caller sees; default: it sees everything.'),
    Scopes: setting(list(choice(...SCOPES)), ['mortise:read', 'mortise:write'], 'What the caller may do.'),
    Expires: described(name, 'The date or time when the key expires, for example 2027-01-31.'),
    Limits: described(
      CALLER_LIMITS_SCHEMA,
      'Limits of this key; each overrides the same limit of its profile and of the section `Limits`.',
    ),
  },
  { required: ['Name'], oneOf: [{ required: ['Key'] }, { required: ['Sha256'] }] },
);

const PROFILE = record({
  Include: described(
    list(name),
    'What the profile shows: names of tools, plugins, mounted servers and prompts, and URIs of resources; `*` stands for any characters.',
  ),
  Exclude: setting(list(name), [], 'What the profile hides, in the form of Include.'),
  ReadOnly: setting(bool, false, 'true: the profile shows only operations that change nothing.'),
  Actions: setting(
    map('names', list(name)),
    {},
    'The actions that a tool has in this profile, by tool; its other actions do not exist.',
  ),
  Limits: described(
    CALLER_LIMITS_SCHEMA,
    'Limits of keys with this profile; each overrides the same limit of the section `Limits`.',
  ),
});

export const PROFILES = map('names', PROFILE);

/** An entry of `Auth.Keys`. */
export type AccessKey = ValueOf<typeof ACCESS_KEY>;
/** An entry of `Profiles`: restricts what a principal sees and can call. */
export type Profile = ValueOf<typeof PROFILE>;
