const KEY = 'mortise.key';

/** The access key of this tab, if it has one. */
export function readKey(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined;
}

/** Keeps a key for this tab; an empty one removes it. */
export function writeKey(key: string): void {
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
