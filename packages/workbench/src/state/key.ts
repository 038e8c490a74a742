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

/** Takes the one-time token out of the address (`#token=…`), so that it is neither in the history nor copied with a link. */
export function takeToken(): void {
  const token = /^#token=([^&]+)/.exec(location.hash)?.[1];
  if (token === undefined) return;
  // The key of `mortise workbench` belongs to the first tab that sends it, with a secret of its own.
  const secret = token.startsWith('mortise-page-') ? `.${crypto.randomUUID()}` : '';
  writeKey(decodeURIComponent(token) + secret);
  history.replaceState(null, '', location.pathname);
}
