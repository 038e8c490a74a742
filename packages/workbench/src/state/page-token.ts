import { PAGE_TOKEN_PREFIX } from 'mortise/core/page-names';

const PAGE_TOKEN = new RegExp(`^${PAGE_TOKEN_PREFIX}[\\w-]{1,100}$`);

/**
 * Reads the token in the fragment of an address (`#token=…`). Only one-time tokens of `mortise workbench` are accepted:
 * anyone can make a link that contains their access key, and could then see what the user who follows the link does
 * with this key (docs/spec/access.md#page-key).
 * @returns undefined if the fragment is no token at all; an undefined `token` if it is not accepted
 */
export function tokenIn(hash: string): { readonly token: string | undefined } | undefined {
  const text = /^#token=(.*)/s.exec(hash)?.[1];
  if (text === undefined) return undefined;
  return { token: PAGE_TOKEN.test(text) ? text : undefined };
}
