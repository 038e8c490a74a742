import {
  CLOSING_PARENTHESIS,
  COMMA,
  charSet,
  codeAt,
  endOfMatch,
  isBefore,
  OPENING_PARENTHESIS,
  SEMICOLON,
} from '../scanning/chars.js';
import type { SecretDetector } from '../scanning/scan.js';
import type { Text } from '../scanning/text.js';
import { isSecretLiteral } from '../values/literals.js';
import { parseQuoted } from '../values/quoted.js';

/** Functions and constructors whose argument at a certain position is a secret. */
interface CredentialCall {
  /** Ends of names, with the opening parenthesis: `Credential(` also stands for `ApiKeyCredential(`. */
  readonly names: readonly string[];
  /** The index of the secret argument, from 0. */
  readonly argument: number;
  /** The index of the secret argument if there are fewer arguments. */
  readonly only?: 0;
}

const CALLS: readonly CredentialCall[] = [
  { names: ['ClientSecretCredential('], argument: 2 },
  {
    names: [
      ...['Credential(', 'Credentials(', 'PasswordAuthentication(', 'HTTPBasicAuth(', 'HTTPDigestAuth('],
      ...['AuthenticationHeaderValue(', 'Certificate2(', 'PfxCertificate(', 'LoadPkcs12FromFile(', 'auth=('],
    ],
    argument: 1,
    only: 0,
  },
  {
    names: [
      ...['createHmac(', 'jwt.sign(', 'jwt.verify(', 'jwt.encode(', 'jwt.decode('],
      ...['.login(', '.Login(', '.LoginAsync(', '.Authenticate(', '.AuthenticateAsync('],
    ],
    argument: 1,
  },
  {
    names: ['SecurityKey(', 'SecureString(', 'HMACSHA256(', 'HMACSHA512(', 'Rfc2898DeriveBytes(', 'new Secret('],
    argument: 0,
  },
];

const MAX_CHARS = 400;
const MAX_DEPTH = 4;
const PART_OF_NAME = charSet('a-z');
/** A conversion before the literal: `Encoding.UTF8.GetBytes("x")`. */
const CONVERSION = /\s{0,40}(?:(?:new )?[\w.:]{1,60}\(\s{0,8}|\w{1,20}[:=][ ]?){0,2}/y;

/**
 * Literals that are secret because of their position: `new NetworkCredential("bob", "x")`,
 * `new AuthenticationHeaderValue("Bearer", "x")`.
 */
export const credentialCalls: readonly SecretDetector[] = CALLS.map((call) => ({
  name: `arguments of ${call.names[0]}`,
  triggers: call.names,
  isCaseExact: true,
  read: (text, redact) => (at, name) => {
    const isLongerWord = !/^[A-Z.]/.test(name) && isBefore(text, at, PART_OF_NAME);
    if (isLongerWord) return 0;
    const firstStart = at + name.length;
    const start = argumentStart(text, firstStart, call.argument) ?? (call.only === undefined ? undefined : firstStart);
    if (start === undefined) return firstStart;
    const quoted = parseQuoted(text, endOfMatch(CONVERSION, text, start));
    if (!quoted) return firstStart;
    if (isSecretLiteral(text, quoted)) redact(quoted.start, quoted.end);
    return quoted.next;
  },
}));

/** Returns the start of the argument with this index; undefined if there are fewer arguments. */
function argumentStart(text: Text, from: number, index: number): number | undefined {
  let count = 0;
  let depth = 0;
  for (let at = from; at < text.length && at - from < MAX_CHARS; at++) {
    if (count === index) return at;
    const code = codeAt(text, at);
    if (depth === 0 && code === CLOSING_PARENTHESIS) return undefined;
    if (code === OPENING_PARENTHESIS) {
      if (++depth > MAX_DEPTH) return undefined;
    } else if (code === CLOSING_PARENTHESIS) depth--;
    else if (code === COMMA && depth === 0) count++;
    else if (code === SEMICOLON) return undefined;
    else {
      const quoted = parseQuoted(text, at);
      if (quoted) at = Math.max(at, quoted.next - 1);
    }
  }
  return undefined;
}
