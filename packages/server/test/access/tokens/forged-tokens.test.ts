import { generateKeyPairSync } from 'node:crypto';
import { createSigner } from 'fast-jwt';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TokenAccess } from '../../../src/access/tokens/token-access.js';
import { recordLog } from '../../front/mcp/test-host.js';
import { Sandbox } from '../../settings/sandbox.js';
import { AUDIENCE, openIssuer, type TestIssuer } from './test-issuer.js';

const pem = { format: 'pem', type: 'pkcs8' } as const;
const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 });
const FOREIGN = generateKeyPairSync('rsa', { modulusLength: 2048 });

let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await openIssuer();
  issuer.keys = [{ ...(RSA.publicKey.export({ format: 'jwk' }) as object), kid: 'rsa', alg: 'RS256' } as never];
});
afterAll(() => issuer.close());

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const claims = (more: object = {}) => ({
  iss: issuer.url,
  aud: AUDIENCE,
  sub: 'ann',
  scope: 'mortise:operate',
  ...more,
});

/** Signs with a library that is not the one that checks. */
function sign(more: object = {}, key: string = RSA.privateKey.export(pem).toString(), header: object = {}): string {
  const signer = createSigner({ key, algorithm: 'RS256', kid: 'rsa', expiresIn: 60_000, header: header as never });
  return signer(claims(more));
}

/** The token with one character of this part replaced by another one. */
function damage(token: string, part: number, at: number): string {
  const parts = token.split('.');
  const text = parts[part]!;
  const index = at % (text.length - 1);
  const other = text[index] === 'A' ? 'B' : 'A';
  parts[part] = text.slice(0, index) + other + text.slice(index + 1);
  return parts.join('.');
}

function forgedTokens(): string[] {
  const valid = sign();
  const [header, payload, signature] = valid.split('.') as [string, string, string];
  const foreign = FOREIGN.privateKey.export(pem).toString();
  const hmac = (key: string) => createSigner({ key, algorithm: 'HS256', kid: 'rsa', expiresIn: 60_000 })(claims());
  const damaged = [0, 1, 2].flatMap((part) => Array.from({ length: 50 }, (_, at) => damage(valid, part, at * 7)));
  const cut = Array.from({ length: 20 }, (_, at) => valid.slice(0, -(at * 17 + 1)));
  return [
    ...damaged,
    ...cut,
    ...['wrong', 'x'.repeat(64), issuer.url].map(hmac),
    sign({}, foreign),
    sign({}, foreign, { kid: 'other' }),
    ...['none', 'HS256', 'HS512', 'ES256', 'RS512', 'PS256'].map(
      (alg) => `${encode({ alg, kid: 'rsa' })}.${payload}.${signature}`,
    ),
    `${header}.${payload}.`,
    `${header}..${signature}`,
    `.${payload}.${signature}`,
    `${header}.${encode(claims({ exp: 9_999_999_999, sub: 'root' }))}.${signature}`,
    `${header}.${payload}.${sign({ sub: 'bob' }).split('.')[2]}`,
    `${encode({ alg: 'RS256', kid: 'rsa', crit: ['b64'], b64: false })}.${payload}.${signature}`,
    `${encode({ alg: 'RS256', kid: 'rsa', zip: 'DEF', typ: 'JWE' })}.${payload}.${signature}`,
    `${encode([])}.${payload}.${signature}`,
    `${encode(null)}.${payload}.${signature}`,
    `${header}.${encode('text')}.${signature}`,
    sign({ aud: 'other' }),
    sign({ aud: [] }),
    sign({ aud: { [AUDIENCE]: true } }),
    sign({ iss: `${issuer.url}/` }),
    sign({ iss: issuer.url.toUpperCase() }),
    sign({ iss: [issuer.url] }),
    sign({ nbf: Math.floor(Date.now() / 1000) + 600 }),
    sign({ at_hash: 'x' }),
    sign({ sub: null }),
    sign({}, undefined, { typ: 'JWE' }),
    sign({}, undefined, { jku: issuer.jwksUrl }),
    sign({}, undefined, { x5u: issuer.jwksUrl }),
    sign({}, undefined, { kid: './rsa' }),
  ];
}

it('200 forged and damaged tokens of another library are refused, and its valid one is not', async () => {
  const Issuers = [{ Name: 'corp', Issuer: issuer.url, Audience: AUDIENCE }];
  const { settings } = await new Sandbox().loadFile({ Auth: { Issuers } });
  const access = new TokenAccess(settings, { log: recordLog(), profiles: [], onExpired: () => 0 });
  const login = (token: string) => access.login(token, { urlProfile: undefined, metadataUrl: 'http://localhost/x' });
  expect(await login(sign())).toMatchObject({ name: 'corp/ann' });
  const forged = forgedTokens();
  expect(new Set(forged).size).toBeGreaterThanOrEqual(200);
  const found = await Promise.all(forged.map(login));
  expect(forged.filter((_, index) => 'name' in found[index]!)).toEqual([]);
  access.close();
});
