import { tokenIn } from './page-token.js';

const KEY = 'mortise.key';

/** The server says in the page that it takes no keys: then the storage, which is in another process of the browser, is not waited for. */
let takesKeys = document.documentElement.dataset.keys !== 'none';

/** The access key of this tab, if it has one. */
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
 * Takes the one-time token out of the address (`#token=…`), so that it is neither in the history nor copied with a link.
 * Any other text after `#token=` is removed from the address too, and is not kept.
 */
export function takeToken(): void {
  const found = tokenIn(location.hash);
  if (found === undefined) return;
  // The key of `mortise workbench` belongs to the first tab that sends it, with a secret of its own.
  if (found.token !== undefined) writeKey(`${found.token}.${crypto.randomUUID()}`);
  history.replaceState(null, '', location.pathname);
}
