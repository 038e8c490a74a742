import { tokenIn } from './page-token.js';

const KEY = 'mortise.key';

/**
 * False if the server has marked the page as one without access keys. The page then does not read the session storage,
 * which would wait for another process of the browser.
 */
let takesKeys = document.documentElement.dataset.keys !== 'none';

export function readKey(): string | undefined {
  return takesKeys ? (sessionStorage.getItem(KEY) ?? undefined) : undefined;
}

/** Keeps a key for this tab; an empty one removes it. */
export function writeKey(key: string): void {
  takesKeys = true;
  if (key === '') sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, key);
}

/**
 * Moves the one-time token from the address (`#token=…`) into the key of this tab, so that the token is neither in the
 * browser's history nor copied with a link. Any other text after `#token=` is removed and not kept.
 */
export function takeToken(): void {
  const fragment = tokenIn(location.hash);
  if (fragment === undefined) return;
  // The server binds the token to the secret of the first tab that sends it (docs/spec/access.md#page-key).
  if (fragment.token !== undefined) writeKey(`${fragment.token}.${crypto.randomUUID()}`);
  history.replaceState(null, '', location.pathname);
}
