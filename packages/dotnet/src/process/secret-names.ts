import { secret } from '@mortise/plugin';

/** Matches names whose last words indicate a secret (docs/spec/redaction.md#secret-keys). */
const SECRET =
  /(?:password|passwd|pwd|passphrase|secret|token|api_?key|access_?key|account_?key|private_?key|client_?secret|credentials?|cookie)$/;

const NOT_SECRET = /(?:public_?key|next|page|continuation|sync|cancellation)_?token$/;

/**
 * Marks the value of a property or metadata as a secret if its name indicates one. Every environment variable can be
 * read as a property.
 */
export function secretNamed(name: string, value: string): string {
  return isSecretName(splitWords(name)) && value !== '' ? secret(value) : value;
}

const isSecretName = (words: string) => SECRET.test(words) && !NOT_SECRET.test(words);

/** Matches names of variables with a word that indicates a secret at any position. */
const SECRET_WORD =
  /(?:^|_)(?:passwords?|passwd|pwd|passphrase|secrets?|tokens?|credentials?|connection_?strings?|conn_?str)(?:_|$)/;
/** Matches names of variables whose last word indicates a secret. */
const SECRET_LAST_WORD = /(?:^|_)(?:(?:ssh)?pass|pat|auth|dsn|sas|pin|otp|salt|connstr|feed_endpoints|[a-z]+_?keys?)$/;
/** Matches names of variables that describe a secret, such as its file or its lifetime, or that are public. */
const ABOUT_SECRET =
  /(?:^|_)(?:file|path|dir|name|url|uri|endpoint|host|id|length|lifetime|seconds|minutes|expiry|timeout|enabled|type|issuer|audience|public_?key|cache_?key|partition_?key)$/;

/** True if the name of a variable indicates a secret: `DB_PASSWORD`, `ConnectionStrings__Db`, `Jwt__SigningKey`. */
export function isSecretVariable(name: string): boolean {
  const words = splitWords(name);
  if (isSecretName(words)) return true;
  const isConnection = /(?:^|_)connection_?strings?_/.test(words);
  if (isConnection) return true;
  return (
    !ABOUT_SECRET.test(words) && !NOT_SECRET.test(words) && (SECRET_WORD.test(words) || SECRET_LAST_WORD.test(words))
  );
}

/** Converts `ApiKey`, `API-KEY` and `Api:Key` to `api_key`. */
function splitWords(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[-.:]/g, '_')
    .toLowerCase();
}
