import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { exportSPKI, importJWK, type JWTPayload } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { TokenAccess, type TokenRefusal } from '../../../src/access/tokens/token-access.js';
import type { Principal } from '../../../src/core/principal.js';
import type { Settings } from '../../../src/settings/settings.js';
import { recordLog } from '../../front/mcp/test-host.js';
import { Sandbox } from '../../settings/sandbox.js';
import { AUDIENCE, makeKey, nowSeconds, openIssuer, type TestIssuer } from './test-issuer.js';

let issuer: TestIssuer;
let other: TestIssuer;
beforeAll(async () => {
  [issuer, other] = await Promise.all([openIssuer(), openIssuer()]);
});
afterAll(() => Promise.all([issuer.close(), other.close()]));

const PLACE = { urlProfile: undefined, metadataUrl: 'http://localhost/x' };

beforeEach(() => {
  issuer.answer = undefined;
  issuer.keys = [issuer.key.jwk];
  issuer.requests.length = 0;
});

async function settingsWith(more: object = {}, rest: object = {}): Promise<Settings> {
  const Issuers = [
    { Name: 'corp', Issuer: issuer.url, Audience: AUDIENCE, ...more },
    { Name: 'guests', Issuer: other.url, Audience: AUDIENCE },
  ];
  return (await new Sandbox().loadFile({ Auth: { Issuers }, ...rest })).settings;
}

async function open(more: object = {}, rest: object = {}) {
  const log = recordLog();
  const access = new TokenAccess(await settingsWith(more, rest), { log, profiles: [], onExpired: () => 0 });
  onTestFinished(() => access.close());
  const login = (token: string) => access.login(token, PLACE);
  return { access, log, login };
}

const principal = (found: Principal | TokenRefusal): Principal => {
  if ('reason' in found) throw new Error(found.reason);
  return found;
};
const reason = (found: Principal | TokenRefusal): string => {
  if (!('reason' in found)) throw new Error(`accepted as ${found.name}`);
  return found.reason;
};

describe('a token', () => {
  it('becomes the principal <issuer>/<sub>, by the metadata of its issuer', async () => {
    const { login } = await open();
    const ann = principal(await login(await issuer.sign({ scope: 'openid mortise:read' })));
    expect([ann.name, [...ann.scopes], ann.profiles]).toEqual(['corp/ann', ['mortise:read'], []]);
    expect(ann.identity).toMatchObject({ issuer: 'corp', subject: 'ann' });
    expect(principal(await login(await other.sign())).name).toBe('guests/ann');
    expect(principal(await login(await issuer.sign({ aud: ['x', AUDIENCE] }))).name).toBe('corp/ann');
  });

  it.each(['RS256', 'PS256', 'ES384', 'Ed25519'])('of %s is checked with the key of the issuer', async (alg) => {
    const key = await makeKey(alg, alg);
    issuer.keys = [issuer.key.jwk, key.jwk];
    expect(principal(await (await open()).login(await issuer.sign({}, { key }))).name).toBe('corp/ann');
    const wrong = await makeKey(alg, alg);
    expect(reason(await (await open()).login(await issuer.sign({}, { key: wrong })))).toContain('SIGNATURE');
  });

  it.each<[string, object, RegExp]>([
    ['has expired', { exp: nowSeconds() - 61 }, /EXPIRED/],
    ['is not yet valid', { nbf: nowSeconds() + 3600 }, /nbf/],
    ['has no expiry', { exp: undefined }, /exp/],
    ['has a text as expiry', { exp: '9999999999' }, /exp/],
    ['is for another audience', { aud: 'https://other.example' }, /aud/],
    ['is for a part of the audience', { aud: 'https://tools.example' }, /aud/],
    ['has no audience', { aud: undefined }, /aud/],
    ['is of an unknown issuer', { iss: 'https://evil.example' }, /unknown issuer/],
    ['is of another configured issuer', { iss: 'OTHER' }, /NO_MATCHING_KEY|SIGNATURE/],
    ['has no issuer', { iss: undefined }, /unknown issuer/],
    ['has no subject', { sub: undefined }, /sub/],
    ['has an empty subject', { sub: '' }, /sub/],
    ['has a number as subject', { sub: 7 }, /sub/],
    ['has a subject of 201 characters', { sub: 's'.repeat(201) }, /sub/],
    ['has a line break in its subject', { sub: 'ann\nroot' }, /sub/],
    ['is an ID token by at_hash', { at_hash: 'x' }, /ID token/],
    ['is an ID token by c_hash', { c_hash: 'x' }, /ID token/],
    ['is an ID token by typ', { typ: 'ID' }, /ID token/],
    ['is an ID token by token_use', { token_use: 'id' }, /ID token/],
  ])('that %s is refused', async (_what, claims, expected) => {
    const { iss } = claims as { iss?: string };
    const token = await issuer.sign({ ...claims, ...(iss === 'OTHER' && { iss: other.url }) });
    expect(reason(await (await open()).login(token))).toMatch(expected);
  });

  it.each<[string, object]>([
    ['an unknown typ', { typ: 'dpop+jwt' }],
    ['the typ of an ID token', { typ: 'id+jwt' }],
    ['jku', { jku: 'https://evil.example/jwks' }],
    ['x5u', { x5u: 'https://evil.example/cert' }],
    ['jwk', { jwk: { kty: 'EC' } }],
    ['a kid that is a path', { kid: '../../etc/passwd' }],
    ['a kid that is an absolute path', { kid: '/dev/null' }],
    ['a kid that is a URL', { kid: 'https://evil.example/key' }],
    ['a kid that is a path of Windows', { kid: 'C:\\keys\\first' }],
  ])('with %s in its header is refused', async (_what, header) => {
    const { login } = await open();
    expect(reason(await login(await issuer.sign({}, { header })))).toMatch(/typ|header|kid/);
    expect(issuer.requests).toEqual([]);
  });

  it('may have the typ JWT or none, and clocks may differ by a minute', async () => {
    const { login } = await open();
    for (const typ of ['JWT', undefined]) {
      const header = typ === undefined ? { typ } : { typ };
      expect(principal(await login(await issuer.sign({}, { header: header as object }))).name).toBe('corp/ann');
    }
    const skewed = { exp: nowSeconds() - 50, nbf: nowSeconds() + 50 };
    expect(principal(await login(await issuer.sign(skewed))).name).toBe('corp/ann');
  });

  it('without a signature, or signed with the public key as a secret, is refused', async () => {
    const { login } = await open();
    const key = await makeKey('rsa', 'RS256');
    issuer.keys = [key.jwk];
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = { iss: issuer.url, aud: AUDIENCE, sub: 'ann', scope: 'mortise:operate', exp: nowSeconds() + 300 };
    for (const alg of ['none', 'None', 'nOnE']) {
      expect(reason(await login(`${encode({ alg, kid: 'rsa' })}.${encode(claims)}.`))).toBeTruthy();
    }
    const pem = await exportSPKI((await importJWK(key.jwk, 'RS256')) as Parameters<typeof exportSPKI>[0]);
    for (const secret of [pem, pem.trim(), JSON.stringify(key.jwk), key.jwk.n!]) {
      const input = `${encode({ alg: 'HS256', kid: 'rsa' })}.${encode(claims)}`;
      const signature = createHmac('sha256', secret).update(input).digest('base64url');
      expect(reason(await login(`${input}.${signature}`))).toBeTruthy();
    }
  });

  it('with a symmetric key in the JWKS is refused', async () => {
    const secret = Buffer.alloc(32, 7);
    issuer.keys = [{ kty: 'oct', k: secret.toString('base64url'), kid: 'shared', alg: 'HS256' }];
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const input = `${encode({ alg: 'HS256', kid: 'shared' })}.${encode({ iss: issuer.url, aud: AUDIENCE, sub: 'a', exp: nowSeconds() + 60 })}`;
    const token = `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
    expect(reason(await (await open()).login(token))).toBeTruthy();
  });

  it('of an algorithm that the settings leave out is refused', async () => {
    expect(reason(await (await open({ Algorithms: ['RS256'] })).login(await issuer.sign()))).toMatch(/ALG/);
  });

  it('is in no log line', async () => {
    const { login, log } = await open();
    const token = await issuer.sign({ sub: 'secret-subject', aud: 'wrong' });
    await login(token);
    issuer.answer = (_req, res) => res.writeHead(500).end(token);
    await (await open()).login(token);
    const [, payload, signature] = token.split('.');
    expect(JSON.stringify(log.lines)).not.toContain(payload);
    expect(JSON.stringify(log.lines)).not.toContain(signature);
  });
});

describe('the rights of a token', () => {
  const scopesOf = async (claims: object, more: object = {}) =>
    [...principal(await (await open(more)).login(await issuer.sign({ scope: undefined, ...claims }))).scopes].sort();

  it.each<[string, object, string[]]>([
    ['read', { scope: 'mortise:read' }, ['mortise:read']],
    ['write, which includes read', { scope: 'mortise:write' }, ['mortise:read', 'mortise:write']],
    [
      'operate, which includes both',
      { scope: 'x mortise:operate' },
      ['mortise:operate', 'mortise:read', 'mortise:write'],
    ],
    ['of the claim scp as a list', { scp: ['mortise:read'] }, ['mortise:read']],
    ['of the claim scp as a text', { scp: 'a mortise:read' }, ['mortise:read']],
    ['none without a claim', {}, []],
    ['none of a claim of another type', { scope: { 'mortise:write': true } }, []],
    ['none of a number', { scope: 7 }, []],
    ['none of other names', { scope: 'read mortise:admin MORTISE:READ mortise' }, []],
  ])('are %s', async (_what, claims, expected) => {
    expect(await scopesOf(claims)).toEqual(expected);
  });

  it('come from a mapping alone, if there is one', async () => {
    const Scopes = { from: 'realm_access.roles', map: { dev: 'mortise:write', 'Ops team': ['mortise:operate'] } };
    const roles = (...names: unknown[]) => scopesOf({ realm_access: { roles: names } }, { Scopes });
    expect(await roles('dev')).toEqual(['mortise:read', 'mortise:write']);
    expect(await roles('Ops team', 7)).toHaveLength(3);
    expect(await roles('Dev', 'constructor', '__proto__')).toEqual([]);
    expect(await scopesOf({ scope: 'mortise:operate' }, { Scopes })).toEqual([]);
    expect(await scopesOf({ realm_access: 'dev' }, { Scopes })).toEqual([]);
  });

  it('include a profile by a claim, and the default of others', async () => {
    const rest = { Profiles: { small: { Include: ['a'] }, none: { Include: [] } } };
    const Profile = { from: 'groups', map: { team: 'small', admins: 'readOnly' }, default: 'none' };
    const profiles = async (claims: JWTPayload) =>
      principal(await (await open({ Profile }, rest)).login(await issuer.sign(claims))).profiles;
    expect(await profiles({ groups: ['x', 'admins', 'team'] })).toEqual(['small']);
    expect(await profiles({ groups: 'admins' })).toEqual(['readOnly']);
    expect(await profiles({ groups: 7 })).toEqual(['none']);
    expect(await profiles({})).toEqual(['none']);
  });

  it('differ for two tokens of one user', async () => {
    const { login } = await open();
    const narrow = principal(await login(await issuer.sign()));
    const wide = principal(await login(await issuer.sign({ scope: 'mortise:operate' })));
    expect([narrow.name, narrow.scopes.size, wide.name, wide.scopes.size]).toEqual(['corp/ann', 1, 'corp/ann', 3]);
    expect(principal(await login(await issuer.sign()))).toBe(narrow);
  });

  it('belong to the claim of Principal', async () => {
    expect(principal(await (await open({ Principal: 'oid' })).login(await issuer.sign({ oid: 'o-1' }))).name).toBe(
      'corp/o-1',
    );
    expect(reason(await (await open({ Principal: 'oid' })).login(await issuer.sign()))).toContain('oid');
  });
});

describe('a principal of a token', () => {
  it('expires with the last of its tokens, and lasts as long as its issuer', async () => {
    const { access, login } = await open();
    const first = principal(await login(await issuer.sign({ exp: nowSeconds() + 10 })));
    const clock = vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void clock.useRealTimers());
    vi.setSystemTime(Date.now() + 69_000);
    expect(access.isExpired(first)).toBe(false);
    vi.setSystemTime(Date.now() + 2_000);
    expect(access.isExpired(first)).toBe(true);
    await login(await issuer.sign({ scope: 'mortise:write' }));
    expect(access.isExpired(first)).toBe(false);
    expect(access.isValid(first)).toBe(true);
    access.update(await settingsWith({ Audience: ['a', AUDIENCE] }));
    expect(access.isValid(first)).toBe(false);
  });
});

it('a key of 1024 bits is refused', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  issuer.keys = [{ ...(publicKey.export({ format: 'jwk' }) as object), kid: 'small', alg: 'RS256' } as never];
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const input = `${encode({ alg: 'RS256', kid: 'small' })}.${encode({ iss: issuer.url, aud: AUDIENCE, sub: 'a', exp: nowSeconds() + 60 })}`;
  const token = `${input}.${createSign('sha256').update(input).sign(privateKey, 'base64url')}`;
  expect(reason(await (await open()).login(token))).toBeTruthy();
});
