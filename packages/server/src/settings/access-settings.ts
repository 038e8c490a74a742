import { CALLER_LIMITS_TYPE } from './caller-limits.js';
import { bool, choice, list, map, text, type ValueOf } from './value-type.js';

/** The least length of an access key, in characters (docs/spec/access.md#keys). */
export const MIN_KEY_CHARS = 32;

/** What a caller may do (docs/spec/access.md#scopes). */
export const SCOPES = ['mortise:read', 'mortise:write', 'mortise:operate'] as const;

const name = text({ minLength: 1, secret: 'never' });
const names = list(name);

/** The type of an entry of `Auth.Keys`. */
export const ACCESS_KEY = {
  kind: 'record',
  oneOf: ['Key', 'Sha256'],
  members: {
    Name: { type: name, required: true, description: 'The name of the caller, as the log shows it.' },
    Key: {
      type: text({ minLength: MIN_KEY_CHARS, secret: 'always' }),
      description: `The secret that the caller sends; better as \${env:NAME} or \${file:path} than as it is.`,
    },
    Sha256: {
      type: text({ minLength: 64, secret: 'never' }),
      description: 'The SHA-256 of the key in hexadecimal digits, as `mortise key new` writes it.',
    },
    Profile: {
      type: name,
      description: 'The profile that restricts what the caller sees; default: it sees everything.',
    },
    Scopes: {
      type: list(choice(...SCOPES)),
      default: ['mortise:read', 'mortise:write'],
      description: 'What the caller may do.',
    },
    Expires: { type: name, description: 'The date or time when the key expires, for example 2027-01-31.' },
    Limits: { type: CALLER_LIMITS_TYPE, description: 'What is limited otherwise for this key.' },
  },
} as const;

/** The type of an entry of `Profiles`. */
const PROFILE = {
  kind: 'record',
  members: {
    Include: {
      type: names,
      description:
        'Only these: names of tools, plugins, mounted servers and prompts, and URIs of resources; `*` stands for any characters.',
    },
    Exclude: { type: names, default: [], description: 'All but these.' },
    ReadOnly: { type: bool, default: false, description: 'true: only what reads.' },
    Actions: {
      type: map('names', names),
      default: {},
      description: 'By tool: the actions that it has; the others do not exist.',
    },
    Limits: { type: CALLER_LIMITS_TYPE, description: 'What is limited otherwise for keys with this profile.' },
  },
} as const;

export const PROFILES = map('names', PROFILE);

/** An entry of `Auth.Keys`. */
export type AccessKey = ValueOf<typeof ACCESS_KEY>;
/** An entry of `Profiles`: what a principal sees. */
export type Profile = ValueOf<typeof PROFILE>;
