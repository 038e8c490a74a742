import { PLACEHOLDER } from '../placeholder.js';
import {
  AMPERSAND,
  type CharSet,
  charSet,
  codeAt,
  isBefore,
  isIn,
  PERCENT,
  startOfRun,
  startsWithAt,
} from '../scanning/chars.js';
import { isPlaceholder, type SecretDetector } from '../scanning/scan.js';
import type { Text } from '../scanning/text.js';

/** A parameter of a signed URL: everybody who knows it can access the resource. */
interface SignedParameter {
  /** Ends of the parameter's name, without `=` or `%3d`. */
  readonly names: readonly string[];
  /** The characters that the name can have before its end. */
  readonly prefix?: CharSet;
  readonly minChars: number;
  /** The form that the value must have. */
  readonly value?: RegExp;
  /** Texts of which the URL must contain one. */
  readonly hosts?: readonly string[];
  /** True if a query can begin with the parameter although no `?` is before it. */
  readonly mayBeFirst?: true;
}

const PARAMETERS: readonly SignedParameter[] = [
  // Shared access signatures of Azure.
  { names: ['sig'], minChars: 1, mayBeFirst: true },
  // CloudFront, S3, Google, Alibaba, Tencent, OAuth 1: X-Goog-Signature, x-oss-signature, q-signature, oauth_signature.
  { names: ['signature'], prefix: charSet('A-Za-z_-'), minChars: 16 },
  { names: ['hmac', 'aeg-sas-key'], minChars: 16 },
  // Keys of Azure Functions. On other hosts, keys and codes of OAuth are only recognised if they end in padding.
  { names: ['code'], minChars: 16, hosts: ['azurewebsites.net', 'azure-api.net'] },
  { names: ['code'], minChars: 16, value: /^[\w-]{16,200}(?:==?|%3[dD](?:%3[dD])?)$/ },
];

const STARTS_MEMBER = charSet('?&;');
const ENDS_ESCAPE = charSet('6fF');
const MEMBER_ESCAPES = ['\\u0026', '%26', '%3f'] as const;
const KEY_CHARS = charSet('A-Za-z0-9_.-');
const VALUE_CHARS = charSet('\\w%+/=.~-');
const URL_CHARS = charSet('!-~');
const ESCAPED_AMPERSAND = '%26';
const MAX_VALUE_CHARS = 1024;
const MAX_PREFIX_CHARS = 24;
const MAX_URL_CHARS = 300;

export const querySignatures: readonly SecretDetector[] = PARAMETERS.map((parameter) => ({
  name: `query parameter ${parameter.names[0]}`,
  triggers: parameter.names.flatMap((name) => [`${name}=`, `${name}%3d`]),
  read(text, redact) {
    let cachedFrom = -1;
    let cachedEnd = -1;
    /** Text inside a value can look like another signature, which ends where the value ends. So the end is cached. */
    const endOfValue = (from: number) => {
      if (isPlaceholder(text, from)) return from + PLACEHOLDER.length;
      if (from < cachedFrom || from > cachedEnd) {
        cachedFrom = from;
        cachedEnd = endOfValueChars(text, from);
      }
      return Math.min(cachedEnd, from + MAX_VALUE_CHARS);
    };
    return (at, trigger) => {
      const from = at + trigger.length;
      const end = endOfValue(from);
      if (end === from || !isMember(parameter, text, at, end)) return 0;
      if (isPlaceholder(text, from)) return end;
      if (end - from < parameter.minChars || !hasValue(parameter, text, from, end)) return 0;
      redact(from, end);
      return end;
    };
  },
}));

function isMember({ prefix, mayBeFirst }: SignedParameter, text: Text, at: number, end: number): boolean {
  const start = prefix ? startOfRun(text, at, prefix, MAX_PREFIX_CHARS) : at;
  const isFirst = mayBeFirst === true && codeAt(text, end) === AMPERSAND && !isBefore(text, at, KEY_CHARS);
  return isFirst || startsMember(text, start);
}

function hasValue({ value, hosts }: SignedParameter, text: Text, from: number, end: number): boolean {
  if (value && !value.test(text.string.slice(from, end))) return false;
  if (!hosts) return true;
  const url = text.string.slice(startOfRun(text, from, URL_CHARS, MAX_URL_CHARS), from);
  return hosts.some((host) => url.includes(host));
}

function startsMember(text: Text, at: number): boolean {
  if (!isBefore(text, at, ENDS_ESCAPE)) return isBefore(text, at, STARTS_MEMBER);
  return MEMBER_ESCAPES.some((escaped) => at >= escaped.length && startsWithAt(text, at - escaped.length, escaped));
}

function endOfValueChars(text: Text, from: number): number {
  let at = from;
  while (isIn(text, at, VALUE_CHARS) && !(codeAt(text, at) === PERCENT && startsWithAt(text, at, ESCAPED_AMPERSAND)))
    at++;
  return at;
}
