import type { IncomingMessage } from 'node:http';
import type { TokenAccess, TokenRefusal } from '../../access/tokens/token-access.js';
import type { Principal } from '../../core/principal.js';
import type { Log } from '../../log/log.js';
import { challenge } from './bearer-challenge.js';
import type { Refusal } from './refusal.js';
import { requestedResource } from './resource-metadata.js';

/** A JSON Web Signature in the compact form. */
const COMPACT_JWS = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** True if a credential has the form of a token. Such a credential does not count as an attempt to guess a key. */
export const isToken = (credential: string): boolean => COMPACT_JWS.test(credential);

/**
 * Returns the refusal of a request that has several credentials, or a credential in its URL, which proxies write to
 * their logs; undefined for other requests.
 */
export function credentialProblem({ rawHeaders, url = '' }: IncomingMessage): Refusal | undefined {
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const isInUrl = /[?&]access_token=/i.test(url);
  if (!isInUrl && names.filter((name) => name === 'authorization').length < 2) return undefined;
  return {
    outcome: 'CREDENTIAL_AMBIGUOUS',
    status: 400,
    message: 'Send one credential, in the header Authorization alone.',
    headers: challenge({ error: 'invalid_request' }),
  };
}

/** Returns the principal of a token, or the refusal (docs/spec/tokens.md#refusals). */
export async function authenticateToken(
  token: string,
  req: IncomingMessage,
  { tokens, log, urlProfile }: { tokens: TokenAccess; log: Log; urlProfile: string | undefined },
): Promise<Principal | Refusal> {
  const { metadataUrl } = requestedResource(req, tokens.publicUrl);
  const found = await tokens.login(token, { urlProfile, metadataUrl });
  if (!('reason' in found)) return found;
  log.warn('An access token was refused', { address: req.socket.remoteAddress ?? '', reason: found.reason });
  return found.retryAfterSeconds === undefined ? tokenInvalid(req, tokens) : issuerUnavailable(found);
}

/** Adds to a refusal with status 401 the URL that tells the client where to log in. Other refusals are not changed. */
export function withLogin(refusal: Refusal, req: IncomingMessage, tokens: TokenAccess): Refusal {
  if (refusal.status !== 401) return refusal;
  const { metadataUrl } = requestedResource(req, tokens.publicUrl);
  const parameters: Record<string, string> = { resource_metadata: metadataUrl };
  if (refusal.outcome !== 'KEY_MISSING') parameters.error = 'invalid_token';
  if (tokens.firstScope !== undefined) parameters.scope = tokens.firstScope;
  return { ...refusal, headers: challenge(parameters) };
}

const tokenInvalid = (req: IncomingMessage, tokens: TokenAccess): Refusal =>
  withLogin(
    {
      outcome: 'TOKEN_INVALID',
      status: 401,
      message: 'The access token is not valid here, or has expired. Get a new one from an issuer of this server.',
    },
    req,
    tokens,
  );

const issuerUnavailable = ({ retryAfterSeconds }: TokenRefusal): Refusal => ({
  outcome: 'ISSUER_UNAVAILABLE',
  status: 503,
  message: 'The access token cannot be checked now, because its issuer cannot be reached. Try again later.',
  headers: { 'retry-after': String(retryAfterSeconds) },
});
