import type { Principal, Scope } from '../../core/principal.js';

/** Returns the WWW-Authenticate header of a refused request (RFC 6750). @param parameters in addition to the realm */
export function challenge(parameters: Readonly<Record<string, string>> = {}): Record<string, string> {
  const all = Object.entries({ realm: 'mortise', ...parameters }).map(([name, value]) => `${name}="${value}"`);
  return { 'www-authenticate': `Bearer ${all.join(', ')}` };
}

/**
 * Returns the status and headers of a response to a principal that lacks the scope
 * (docs/spec/access.md#scope-missing).
 */
export function insufficientScope(scope: Scope, { identity }: Pick<Principal, 'identity'>) {
  const name = identity ? identity.requestableName(scope) : scope;
  return {
    status: 403,
    headers: challenge({
      error: 'insufficient_scope',
      ...(name !== undefined && { scope: name }),
      ...(identity && { resource_metadata: identity.metadataUrl }),
    }),
  };
}
