/** How the value of a key is to be hidden; undefined: it is no secret. */
export type KeyKind = 'secret' | 'cookie' | 'authorization' | undefined;

/** Words that make a key secret when it ends in them; letters glued before them (`PGPASSWORD`) change nothing. */
const SECRET_ENDS =
  /(?:^| )(?:pwd|token|credentials?|[a-z\d]*(?:password|passwd|passphrase|secret)|(?:[a-z\d]*(?:api|access|account|private|secret)) ?key|(?:access|api|auth|bearer|refresh|security|session)token)$/;

/** Tokens that are no credentials. The type's name may stand before a variable: `CancellationToken token`. */
const HARMLESS_ENDS =
  /(?:^| )(?:public ?key|next|(?:next ?)?page|continuation|sync|cancellation|unexpected) ?token(?: token)?$/;

const COOKIE_ENDS = /(?:^| )(?:set)?cookie$/;
const AUTHORIZATION_ENDS = /(?:^| )authorization$/;

/** What is worth a closer look. */
const LAST_WORD = /(?:password|passwd|pwd|passphrase|secret|token|key|credentials?|cookie|authorization)[^A-Za-z]*$/i;

const ONE_WORD = /^[a-z]+$/;

/** Longer keys are judged by their end. */
const MAX_KEY_CHARS = 100;

/** What was found out about short keys; these are few, and no slices that keep a long text alive. */
const known = new Map<string, KeyKind>();
const MAX_KNOWN_KEY_CHARS = 12;
const MAX_KNOWN_KEYS = 1000;

/** What kind of secret stands under the key, by its last words (contract.md §7). Numbers at the end do not count. */
export function keyKind(key: string): KeyKind {
  if (key.length > MAX_KNOWN_KEY_CHARS) return kindByWords(key);
  const before = known.get(key);
  if (before !== undefined || known.has(key)) return before;
  if (known.size >= MAX_KNOWN_KEYS) known.clear();
  const kind = kindByWords(key);
  known.set(key, kind);
  return kind;
}

function kindByWords(key: string): KeyKind {
  const end = key.slice(-MAX_KEY_CHARS);
  if (!LAST_WORD.test(end)) return undefined;
  const ending = words(end);
  if (COOKIE_ENDS.test(ending)) return 'cookie';
  if (AUTHORIZATION_ENDS.test(ending)) return 'authorization';
  return SECRET_ENDS.test(ending) && !HARMLESS_ENDS.test(ending) ? 'secret' : undefined;
}

/** Whether a string under this key is secret by the key's last words (contract.md §7). */
export function isSecretKey(key: string): boolean {
  const kind = keyKind(key);
  return kind === 'secret' || kind === 'cookie';
}

function words(key: string): string {
  if (ONE_WORD.test(key)) return key;
  return key
    .replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .replace(/[^A-Za-z\d]+/g, ' ')
    .toLowerCase()
    .replace(/[ \d]+$/, '');
}
