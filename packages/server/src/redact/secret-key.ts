const SECRET_WORDS: readonly string[] = [
  ...['password', 'passwd', 'pwd', 'passphrase', 'secret', 'token', 'credential', 'credentials', 'cookie'],
  ...['api key', 'access key', 'account key', 'private key', 'client secret'],
];

/** Tokens that are no secrets: they say where a list goes on, or name a public key. */
const HARMLESS_WORDS: readonly string[] = [
  ...['public key token', 'next token', 'page token', 'continuation token', 'sync token', 'cancellation token'],
];

/** Also as one word, `apikey`: written without a change of case there is nothing to split at. */
const withJoined = (phrases: readonly string[]) => phrases.flatMap((phrase) => [phrase, phrase.replaceAll(' ', '')]);
const SECRET = withJoined(SECRET_WORDS);
const HARMLESS = withJoined(HARMLESS_WORDS);

/**
 * Whether the values under this key are secrets: whether its last words, split at `_ - .` and at changes of case, are
 * those of a secret (contract.md §7, "A key is secret when").
 */
export function isSecretKey(key: string): boolean {
  const words = splitWords(key);
  const endsWith = (phrases: readonly string[]) => phrases.some((phrase) => ` ${words}`.endsWith(` ${phrase}`));
  return endsWith(SECRET) && !endsWith(HARMLESS);
}

/** `fooBar_APIKey` as `foo bar api key`. */
function splitWords(key: string): string {
  return key
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/[\s_.:-]+/g, ' ')
    .trim()
    .toLowerCase();
}
