import { fetchJson } from './fetch-json.js';

/** Returns the URLs at which an issuer can have its metadata, in the order of MCP (RFC 8414, OpenID Connect Discovery). */
export function metadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const inserted = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
  ];
  return path === '' ? inserted : [...inserted, `${origin}${path}/.well-known/openid-configuration`];
}

/**
 * Returns the metadata of an issuer.
 * @throws Error if there are none, or if they are those of another issuer
 */
export async function fetchMetadata(issuer: string): Promise<Record<string, unknown>> {
  const failures: string[] = [];
  for (const url of metadataUrls(issuer)) {
    try {
      const metadata = await fetchJson(url);
      if (typeof metadata === 'object' && metadata !== null && Reflect.get(metadata, 'issuer') === issuer)
        return metadata as Record<string, unknown>;
      failures.push(`${url}: its issuer is not '${issuer}'`);
    } catch (error) {
      failures.push(`${url}: ${reasonOf(error)}`);
    }
  }
  throw new Error(failures.join('; '));
}

/** Returns why a request failed. Node hides the reason in the cause. */
export function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return 'no response in time';
  return cause?.code ?? cause?.message ?? message;
}
