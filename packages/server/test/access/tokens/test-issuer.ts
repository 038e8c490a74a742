import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose';

export const AUDIENCE = 'https://tools.example/mcp';
export const nowSeconds = () => Math.floor(Date.now() / 1000);

export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

export async function makeKey(kid: string, alg = 'ES256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** An issuer on loopback, with real keys. Tests change what it answers. */
export interface TestIssuer {
  readonly url: string;
  readonly jwksUrl: string;
  /** The keys that it publishes. */
  keys: JWK[];
  /** Answers requests for the keys in place of the issuer. */
  answer: RequestListener | undefined;
  /** The paths that were requested. */
  readonly requests: string[];
  readonly key: SigningKey;
  sign(claims?: JWTPayload, options?: { key?: SigningKey; header?: Partial<JWTHeaderParameters> }): Promise<string>;
  close(): Promise<void>;
}

export async function openIssuer(): Promise<TestIssuer> {
  const key = await makeKey('first');
  const requests: string[] = [];
  const server = createServer((req, res) => {
    requests.push(req.url!);
    const isMetadata = req.url === '/.well-known/openid-configuration';
    if (issuer.answer && !isMetadata) return issuer.answer(req, res);
    const found = isMetadata
      ? { issuer: issuer.url, jwks_uri: issuer.jwksUrl }
      : req.url === '/jwks'
        ? { keys: issuer.keys }
        : undefined;
    res.writeHead(found ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(found ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer: TestIssuer = {
    url,
    jwksUrl: `${url}/jwks`,
    keys: [key.jwk],
    answer: undefined,
    requests,
    key,
    sign: (claims = {}, { key: signingKey = key, header = {} } = {}) =>
      new SignJWT({
        ...{ iss: url, aud: AUDIENCE, sub: 'ann', scope: 'mortise:read', exp: nowSeconds() + 300 },
        ...claims,
      })
        .setProtectedHeader({ alg: signingKey.alg, kid: signingKey.kid, typ: 'at+jwt', ...header })
        .sign(signingKey.privateKey),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return issuer;
}
