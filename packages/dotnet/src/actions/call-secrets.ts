import { secret } from '@mortise/plugin';
import { ownMember } from '@mortise/plugin/runtime';
import { commandEnvironment } from '../process/command-environment.js';
import { isSecretVariable } from '../process/secret-names.js';
import { InvalidParameterError } from './invalid-parameter.js';
import type { Arguments } from './parameters.js';

/** Marks the secret values of a call's `environment`. The server shows each marked text as `[REDACTED]`. */
export interface CallSecrets {
  /** Marks every secret in a text, also if it is escaped (JSON, URL, XML) or in Base64. */
  markSecrets(text: string): string;
  /** Copies a result and marks the secrets in all its texts and keys. */
  markAllSecrets<T>(value: T): T;
}

/** Shorter values are not marked, because nearly every text contains them. */
const MIN_CHARS = 3;
/** Shorter values, and numbers, are marked only as whole words. */
const MIN_CHARS_ANYWHERE = 6;
/**
 * The lines of a multi-line value are marked one by one, because output arrives line by line. Shorter lines are too
 * common to be secret.
 */
const MIN_LINE_CHARS = 6;

/** Finds the secrets among the variables; undefined if there are none. */
export function secretsOf(environment: Readonly<Record<string, unknown>> | undefined): CallSecrets | undefined {
  const values = Object.entries(environment ?? {}).flatMap(([name, value]) => secretsIn(name, String(value)));
  const texts = [...new Set(values)].filter((value) => value.length >= MIN_CHARS && !/^(?:true|false)$/i.test(value));
  if (texts.length === 0) return undefined;
  const forms = texts.sort((a, b) => b.length - a.length).flatMap(formsOf);
  const pattern = new RegExp(`\uFDD0?(?:${forms.join('|')})\uFDD1?`, 'gu');
  const markSecrets = (text: string) => text.replace(pattern, secret);
  return { markSecrets, markAllSecrets: (value) => markAllSecrets(value, markSecrets) };
}

const URL_PASSWORD = /:\/\/[^:@/\s]*:([^@/\s]+)@/g;
const ASSIGNED =
  /(?:password|pwd|secret|token|accountkey|sharedaccesskey|api_?key|sig)\s*=\s*("[^"]*"|'[^']*'|[^;&\s]+)/gi;
/** Matches a value that looks generated: a long word of letters and digits. */
const TOKEN = /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z\d+/=_]{16,}$/;

/**
 * Returns the secrets in one variable: the passwords in a URL or connection string, and the whole value if the name or
 * the form of the value indicates a secret.
 */
function secretsIn(name: string, value: string): string[] {
  const parts = [...value.matchAll(URL_PASSWORD), ...value.matchAll(ASSIGNED)].flatMap(([, part]) => [
    part!.replace(/^(["'])(.*)\1$/, '$2'),
    decoded(part!),
  ]);
  if (!isSecretVariable(name) && !TOKEN.test(value)) return parts;
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  return [value.trim(), ...(lines.length > 1 ? lines.filter(({ length }) => length >= MIN_LINE_CHARS) : []), ...parts];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns patterns that match a value with any of its characters escaped, and the value in Base64. */
function formsOf(value: string): string[] {
  const escaped = [...value].map(charPattern).join('');
  if (value.length < MIN_CHARS_ANYWHERE || /^\d+$/.test(value))
    return [`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`];
  return [escaped, Buffer.from(value).toString('base64').replace(/=+$/, '').replace(/[+/]/g, '\\$&')];
}

const ENTITIES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

function charPattern(char: string): string {
  if (/[A-Za-z\d]/.test(char)) return char;
  const code = char.codePointAt(0)!;
  const units = [...Array(char.length).keys()].map((at) => `\\\\+u${hex(char.charCodeAt(at), 4)}`).join('');
  const bytes = [...Buffer.from(char)].map((byte) => `%(?:25)?${hex(byte, 2)}`).join('');
  const short: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't' };
  const forms = [
    char === '\\' ? '\\\\{1,8}' : `\\\\{0,8}${literal(char)}`,
    units,
    bytes,
    `&#(?:${code}|[xX]0*${hex(code, 1)});`,
    ...(ENTITIES[char] ? [`&${ENTITIES[char]};`] : []),
    ...(short[char] ? [`\\\\{1,8}${short[char]}`] : []),
    ...(char === ' ' ? ['\\+'] : []),
  ];
  return `(?:${forms.join('|')})`;
}

function literal(char: string): string {
  return char.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Returns a pattern for the hexadecimal digits of a number in either case. */
function hex(value: number, digits: number): string {
  const text = value.toString(16).padStart(digits, '0');
  return text.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/**
 * Results are trees of plain objects. Members with symbols as keys are copied too, because `ok()` and `fail()` add such
 * members.
 */
function markAllSecrets<T>(value: T, markSecrets: (text: string) => string): T {
  if (typeof value === 'string') return markSecrets(value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => markAllSecrets(item, markSecrets)) as T;
  const entries = Reflect.ownKeys(value).map((key) => [
    typeof key === 'string' ? markSecrets(key) : key,
    markAllSecrets((value as Record<PropertyKey, unknown>)[key], markSecrets),
  ]);
  return Object.fromEntries(entries) as T;
}

/**
 * Returns the environment in which NuGet reads the value of `credentialVariable` as its API key; empty if the variable
 * is not set for this server. The variable cannot be a setting of the server or one of `withheld`.
 * @param withheld the variables that commands must not get, as `variableKey` writes them
 */
export function credentialOf({ credentialVariable }: Arguments, withheld: ReadonlySet<string>): Record<string, string> {
  if (credentialVariable === undefined) return {};
  const value = ownMember(commandEnvironment(process.env, withheld), credentialVariable) ?? '';
  return value === '' ? {} : { NUGET_API_KEY: value };
}

/** Like {@link credentialOf}. @throws InvalidParameterError if the variable is not set */
export function requireCredential(args: Arguments, withheld: ReadonlySet<string>): Record<string, string> {
  const credential = credentialOf(args, withheld);
  const { credentialVariable } = args;
  if (credentialVariable === undefined || credential.NUGET_API_KEY !== undefined) return credential;
  throw new InvalidParameterError(
    'credentialVariable',
    'not found',
    `The environment variable ${credentialVariable} is not set for the server`,
    {
      providedValue: credentialVariable,
      hint: 'Set it in the environment that the server is started with (env of the MCP client).',
    },
  );
}
