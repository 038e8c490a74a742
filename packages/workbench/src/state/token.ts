/** Takes the one-time token out of the address (`#token=…`), so that it is neither in the history nor copied with a link. */
export function takeToken(): void {
  const token = /^#token=([^&]+)/.exec(location.hash)?.[1];
  if (token === undefined) return;
  sessionStorage.setItem('mortise.key', decodeURIComponent(token));
  history.replaceState(null, '', location.pathname);
}
