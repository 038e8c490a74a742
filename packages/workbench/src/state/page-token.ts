import { PAGE_TOKEN_PREFIX } from 'mortise/core/page-names';

/** The one-time token of `mortise workbench`, as its address has it. */
const PAGE_TOKEN = new RegExp(`^${PAGE_TOKEN_PREFIX}[\\w-]{1,100}$`);

/**
 * What the fragment of an address (`#token=…`) says about a token; undefined for an address without one.
 * Only one-time tokens of `mortise workbench` count: anyone can make a link with an access key in it, and would see
 * what the person who follows the link does with that key (docs/spec/access.md#page-key).
 */
export function tokenIn(hash: string): { readonly token: string | undefined } | undefined {
  const text = /^#token=(.*)/s.exec(hash)?.[1];
  if (text === undefined) return undefined;
  return { token: PAGE_TOKEN.test(text) ? text : undefined };
}
