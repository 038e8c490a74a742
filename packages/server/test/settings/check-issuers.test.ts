import { describe, expect, it } from 'vitest';
import { Sandbox } from './sandbox.js';

const ISSUER = { Name: 'corp', Issuer: 'https://login.example', Audience: 'https://tools.example/mcp' };
const withIssuer = (more: object) => ({ Auth: { Issuers: [{ ...ISSUER, ...more }] } });
const problemsOf = (settings: object) => new Sandbox().fileProblems(settings);
const map = { a: 'mortise:read' };

describe('an issuer', () => {
  it('needs a name, a URL and an audience; everything else has a default', async () => {
    const { settings } = await new Sandbox().loadFile({ Auth: { Issuers: [ISSUER] } });
    const [issuer] = settings.Auth.Issuers;
    expect(issuer).toMatchObject({ ...ISSUER, Audience: ['https://tools.example/mcp'], Principal: 'sub' });
    expect(issuer?.Algorithms.filter((algorithm) => algorithm.startsWith('HS'))).toEqual([]);
    expect([settings.Auth.JwksMaxAgeMinutes, settings.Http.PublicUrl]).toEqual([60, '']);
  });

  it('may be on loopback without TLS', async () => {
    for (const host of ['localhost:8080', '127.0.0.1', '[::1]:1']) {
      expect(
        (await new Sandbox().loadFile(withIssuer({ Issuer: `http://${host}` }))).settings.Auth.Issuers,
      ).toHaveLength(1);
    }
  });

  it.each<[string, object, string]>([
    ['of http', { Issuer: 'http://login.example' }, 'Auth.Issuers[0].Issuer is not an https URL'],
    ['of http on a name that begins like loopback', { Issuer: 'http://127.0.0.1.evil.example' }, 'not an https URL'],
    ['with a query', { Issuer: 'https://login.example?x' }, "Auth.Issuers[0].Issuer has a '?'"],
    ['with keys of http', { JwksUrl: 'http://login.example/jwks' }, 'Auth.Issuers[0].JwksUrl is not an https URL'],
    ['without an audience', { Audience: undefined }, 'Auth.Issuers[0].Audience is missing'],
    ['with no audience in its list', { Audience: [] }, 'Auth.Issuers[0].Audience is empty'],
    ['with an empty audience', { Audience: '' }, 'Auth.Issuers[0].Audience'],
    ['with HMAC', { Algorithms: ['HS256'] }, 'Auth.Issuers[0].Algorithms[0]'],
    ['with alg none', { Algorithms: ['none'] }, 'Auth.Issuers[0].Algorithms[0]'],
    ['without algorithms', { Algorithms: [] }, 'Auth.Issuers[0].Algorithms is empty'],
    ['with a slash in its name', { Name: 'a/b' }, "Auth.Issuers[0].Name is 'a/b'"],
    ['with a claim that names nobody', { Principal: 'exp' }, 'Auth.Issuers[0].Principal'],
    ['with scopes of a technical claim', { Scopes: { from: 'aud', map } }, 'Auth.Issuers[0].Scopes.from'],
    ['without a claim for scopes', { Scopes: { map } }, 'Auth.Issuers[0].Scopes.from is missing'],
    ['with an empty mapping', { Scopes: { from: 'roles', map: {} } }, 'Auth.Issuers[0].Scopes.map is empty'],
    ['with an unknown scope', { Scopes: { from: 'roles', map: { a: 'mortise:all' } } }, 'Auth.Issuers[0].Scopes.map.a'],
    ['with an unknown profile', { Profile: { from: 'g', map: {}, default: 'readonly' } }, 'Did you mean readOnly?'],
    ['with an unknown profile in its map', { Profile: { from: 'g', map: { a: 'x' }, default: 'readOnly' } }, 'map.a'],
    ['without a default profile', { Profile: { from: 'g', map: {} } }, 'Auth.Issuers[0].Profile.default is missing'],
    ['with an unknown member', { Audiences: 'x' }, 'Auth.Issuers[0].Audiences is not a setting'],
  ])('%s is an error', async (_what, more, message) => {
    expect((await problemsOf(withIssuer(more))).join('\n')).toContain(message);
  });

  it('cannot have the name or the URL of another one', async () => {
    const Issuers = [ISSUER, { ...ISSUER, Name: 'CORP' }];
    expect((await problemsOf({ Auth: { Issuers } })).join('\n')).toMatch(
      /Name 'CORP' is the name[\s\S]*Issuer is the URL/,
    );
  });
});

describe('Http.PublicUrl', () => {
  it('is a URL of https, as clients write it', async () => {
    const PublicUrl = 'https://Tools.example/team/mcp';
    expect((await new Sandbox().loadFile({ Http: { PublicUrl } })).settings.Http.PublicUrl).toBe(PublicUrl);
  });

  it.each([
    'http://tools.example/mcp',
    'https://tools.example/',
    'https://a@tools.example/mcp',
    'https://x/mcp?a',
    'x',
  ])('%s is an error', async (PublicUrl) =>
    expect((await problemsOf({ Http: { PublicUrl } }))[0]).toContain('Http.PublicUrl'),
  );
});
