import { ownMember } from '@mortise/plugin/runtime';
import type { Issuer } from '../../settings/issuer-settings.js';
import { IssuerUnavailableError, type Jwks } from './jwks.js';
import type { Claims } from './token-claims.js';

const CLOCK_SKEW_SECONDS = 60;
const MAX_SUBJECT_CHARS = 200;

/** A configured issuer with its keys. */
export interface TrustedIssuer {
  readonly settings: Issuer;
  readonly jwks: Jwks;
}

/** A token whose signature and claims are valid. */
export interface CheckedToken {
  readonly issuer: TrustedIssuer;
  readonly subject: string;
  readonly claims: Claims;
  /** Milliseconds since 1970, clock skew included. */
  readonly expiresAt: number;
}

/** Thrown if a token is refused. The message is the reason, and contains no part of the token. */
export class TokenRefusedError extends Error {}

/**
 * Checks an access token (docs/spec/tokens.md#token-checks).
 * @throws TokenRefusedError
 * @throws IssuerUnavailableError
 */
export async function checkToken(
  token: string,
  issuerOf: (url: string) => TrustedIssuer | undefined,
): Promise<CheckedToken> {
  try {
    return await check(token, issuerOf);
  } catch (error) {
    if (error instanceof TokenRefusedError || error instanceof IssuerUnavailableError) throw error;
    const { code, claim, name } = error as Error & { code?: string; claim?: string };
    throw new TokenRefusedError([code ?? name, claim].filter(Boolean).join(' '));
  }
}

async function check(token: string, issuerOf: (url: string) => TrustedIssuer | undefined): Promise<CheckedToken> {
  const { decodeJwt, decodeProtectedHeader, jwtVerify } = await import('jose');
  const problem = headerProblem(decodeProtectedHeader(token) as Claims);
  if (problem !== undefined) throw new TokenRefusedError(problem);
  const { iss } = decodeJwt(token);
  const issuer = typeof iss === 'string' ? issuerOf(iss) : undefined;
  if (issuer === undefined) throw new TokenRefusedError('unknown issuer');
  const { Issuer, Audience, Algorithms, Principal } = issuer.settings;
  const { payload } = await jwtVerify(token, (header, input) => issuer.jwks.find(header, input), {
    issuer: Issuer,
    audience: [...Audience],
    algorithms: [...Algorithms],
    clockTolerance: CLOCK_SKEW_SECONDS,
    requiredClaims: ['exp'],
  });
  if (isIdToken(payload)) throw new TokenRefusedError('an ID token');
  const subject = ownMember(payload, Principal);
  if (!isSubject(subject)) throw new TokenRefusedError(`unusable claim ${Principal}`);
  return { issuer, subject, claims: payload, expiresAt: (payload.exp! + CLOCK_SKEW_SECONDS) * 1000 };
}

/** Headers that contain a key or its URL. A token with one is refused, because only keys of the issuer are used. */
const KEY_HEADERS = ['jku', 'x5u', 'jwk'];
const KID_OF_FILE_OR_URL = /^[./~]|\.\.|[\\\p{C}]|^[a-z][a-z0-9+.-]*:/iu;

function headerProblem(header: Claims): string | undefined {
  const { typ, kid } = header;
  if (typ !== undefined && typ !== 'JWT' && typ !== 'at+jwt') return 'wrong typ';
  const keyHeader = KEY_HEADERS.find((name) => Object.hasOwn(header, name));
  if (keyHeader !== undefined) return `header ${keyHeader}`;
  if (kid !== undefined && (typeof kid !== 'string' || KID_OF_FILE_OR_URL.test(kid))) return 'wrong kid';
  return undefined;
}

const isIdToken = ({ at_hash, c_hash, typ, token_use }: Claims): boolean =>
  at_hash !== undefined || c_hash !== undefined || typ === 'ID' || token_use === 'id';

const isSubject = (subject: unknown): subject is string =>
  typeof subject === 'string' && subject !== '' && subject.length <= MAX_SUBJECT_CHARS && !/\p{C}/u.test(subject);
