/** Takes the one-time token out of the address (`#token=…`), so that it is neither in the history nor copied with a link. */
export function takeToken(): void {
  const token = /^#token=([^&]+)/.exec(location.hash)?.[1];
  if (token === undefined) return;
  // The key of `mortise workbench` belongs to the first tab that sends it, with a secret of its own.
  const secret = token.startsWith('mortise-page-') ? `.${crypto.randomUUID()}` : '';
  sessionStorage.setItem('mortise.key', decodeURIComponent(token) + secret);
  history.replaceState(null, '', location.pathname);
}
