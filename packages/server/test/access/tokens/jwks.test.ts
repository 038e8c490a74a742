import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { TokenAccess } from '../../../src/access/tokens/token-access.js';
import { recordLog } from '../../front/mcp/test-host.js';
import { Sandbox } from '../../settings/sandbox.js';
import { AUDIENCE, makeKey, nowSeconds, openIssuer, type TestIssuer } from './test-issuer.js';

let issuer: TestIssuer;
let stranger: TestIssuer;
beforeAll(async () => {
  [issuer, stranger] = await Promise.all([openIssuer(), openIssuer()]);
});
afterAll(() => Promise.all([issuer.close(), stranger.close()]));
beforeEach(() => {
  issuer.answer = undefined;
  issuer.keys = [issuer.key.jwk];
  issuer.requests.length = 0;
  stranger.requests.length = 0;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
});

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);
const PLACE = { urlProfile: undefined, metadataUrl: 'http://localhost/x' };

async function open(more: object = {}, maxAgeMinutes = 60) {
  const Issuers = [{ Name: 'corp', Issuer: issuer.url, Audience: AUDIENCE, JwksUrl: issuer.jwksUrl, ...more }];
  const { settings } = await new Sandbox().loadFile({ Auth: { Issuers, JwksMaxAgeMinutes: maxAgeMinutes } });
  const log = recordLog();
  const access = new TokenAccess(settings, { log, profiles: [], onExpired: () => 0 });
  onTestFinished(() => access.close());
  /** The name of the principal, or the seconds to wait, or why the token is refused. */
  const login = async (token: Promise<string> = issuer.sign()) => {
    const found = await access.login(await token, PLACE);
    return 'reason' in found ? (found.retryAfterSeconds ?? found.reason) : found.name;
  };
  return { login, log };
}

const reasons = ({ lines }: ReturnType<typeof recordLog>) => lines.map(({ fields }) => fields?.reason);

describe('the keys of an issuer', () => {
  it('are fetched once, also for tokens that come together', async () => {
    const { login } = await open();
    expect(await Promise.all([login(), login(), login()])).toEqual(Array(3).fill('corp/ann'));
    await login();
    expect(issuer.requests).toEqual(['/jwks']);
  });

  it('are rotated: an unknown kid fetches them again, at most once in 30 s', async () => {
    const { login } = await open();
    await login();
    pass(31);
    const second = await makeKey('second');
    issuer.keys = [issuer.key.jwk, second.jwk];
    expect(await login(issuer.sign({}, { key: second }))).toBe('corp/ann');
    const unknown = await makeKey('third');
    for (let attempt = 0; attempt < 20; attempt += 1) {
      expect(await login(issuer.sign({}, { key: unknown }))).toMatch(/NO_MATCHING_KEY/);
    }
    pass(29);
    await login(issuer.sign({}, { key: unknown }));
    expect(issuer.requests).toHaveLength(2);
    pass(1);
    await login(issuer.sign({}, { key: unknown }));
    expect(issuer.requests).toHaveLength(3);
  });

  it('are fetched again after five minutes, so that a revoked key stops being valid', async () => {
    const { login } = await open();
    const next = await makeKey('next');
    await login();
    issuer.keys = [next.jwk];
    pass(299);
    expect(await login()).toBe('corp/ann');
    pass(2);
    expect(await login()).toMatch(/NO_MATCHING_KEY/);
    expect(await login(issuer.sign({}, { key: next }))).toBe('corp/ann');
  });

  it('go on while the issuer cannot be reached, then status 503 with a time to wait, until it can be reached', async () => {
    const { login, log } = await open({}, 60);
    const long = issuer.sign({ exp: nowSeconds() + 100_000 });
    await login(long);
    issuer.answer = (req) => req.destroy();
    pass(59 * 60);
    expect(await login(long)).toBe('corp/ann');
    pass(61);
    expect(await login(long)).toBe(30);
    pass(20);
    expect(await login(long)).toBe(10);
    issuer.answer = undefined;
    expect(await login(long)).toBe(10);
    pass(11);
    expect(await login(long)).toBe('corp/ann');
    expect(log.lines.every(({ level, fields }) => level === 'warn' && fields?.issuer === 'corp')).toBe(true);
  });

  it('of an issuer that cannot be reached are not those of an unknown kid: that is no refusal of the token', async () => {
    const { login } = await open();
    await login();
    const second = await makeKey('second');
    issuer.answer = (req) => req.destroy();
    pass(31);
    expect(await login(issuer.sign({}, { key: second }))).toBe(30);
    expect(await login()).toBe('corp/ann');
  });
});

const json = (res: ServerResponse, value: unknown) =>
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));

describe('an issuer whose keys', () => {
  it.each<[string, TestIssuer['answer'], RegExp]>([
    ['never come', () => {}, /no response in time/],
    ['come too slowly', (_req, res) => void drip(res), /no response in time/],
    ['are huge', (_req, res) => void res.writeHead(200).end(`{"keys":[${' '.repeat(300_000)}]}`), /262144 bytes/],
    ['never end', (_req, res) => void flood(res), /262144 bytes/],
    ['are too many', (_req, res) => void json(res, { keys: Array(101).fill({ kty: 'EC' }) }), /100 keys/],
    ['are no JSON', (_req, res) => void res.writeHead(200).end('<html>'), /not JSON/],
    ['are no list', (_req, res) => void json(res, { keys: {} }), /no list of keys/],
    ['are null', (_req, res) => void json(res, null), /no list of keys/],
    ['are gone', (_req, res) => void res.writeHead(404).end(), /status 404/],
    ['are at another host', (_req, res) => redirect(res, stranger.jwksUrl), /another host/],
    ['redirect for ever', (_req, res) => redirect(res, '/jwks'), /too often/],
    ['are at a file', (_req, res) => redirect(res, 'file:///etc/passwd'), /another host/],
  ])('%s, gets its tokens refused with 503', async (_what, answer, reason) => {
    issuer.answer = answer;
    const { login, log } = await open();
    expect(await login()).toBe(30);
    expect(await login()).toBe(30);
    expect(reasons(log)).toEqual([expect.stringMatching(reason)]);
    expect(stranger.requests).toEqual([]);
  });

  it('redirect on the same host are found', async () => {
    issuer.answer = (req, res) => (req.url === '/new' ? json(res, { keys: issuer.keys }) : redirect(res, '/new'));
    expect(await (await open()).login()).toBe('corp/ann');
  });

  it('are named by metadata of another issuer, or on another host, are not fetched', async () => {
    const { login, log } = await open({ JwksUrl: undefined, Issuer: `${issuer.url}/tenant` });
    expect(await login(issuer.sign({ iss: `${issuer.url}/tenant` }))).toBe(30);
    expect(issuer.requests).toEqual([
      '/.well-known/oauth-authorization-server/tenant',
      '/.well-known/openid-configuration/tenant',
      '/tenant/.well-known/openid-configuration',
    ]);
    expect(reasons(log)).toEqual([expect.stringContaining('status 404')]);
  });
});

const redirect = (res: ServerResponse, location: string) => void res.writeHead(302, { location }).end();

/** One byte in 100 ms. */
function drip(res: ServerResponse): void {
  res.writeHead(200);
  const timer = setInterval(() => res.write(' '), 100);
  res.on('close', () => clearInterval(timer));
}

function flood(res: ServerResponse): void {
  res.writeHead(200);
  const write = () => {
    if (!res.destroyed) res.write(' '.repeat(65_536), () => setImmediate(write));
  };
  write();
}
