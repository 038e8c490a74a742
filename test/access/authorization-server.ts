import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK } from 'jose';
import Provider, { type AdapterFactory, type AdapterPayload } from 'oidc-provider';
import { makeKey } from '../../packages/server/test/access/tokens/test-issuer.js';
import type { Finished } from '../support/workplace.js';

const SCOPES = 'mortise:read mortise:write mortise:operate';

export interface AuthorizationServer {
  readonly url: string;
  /** The claim `aud` of the tokens that it makes. */
  audience: string;
  /** Signs with a new key from now on, and publishes no other. */
  rotateKeys(): Promise<void>;
}

/**
 * A real authorization server on loopback, whose user is logged in and consents to everything.
 * @param resource the resource for which it makes tokens; also their audience, unless a test changes that
 */
export async function openAuthorizationServer(
  resource: string,
  redirectUri: string,
  finished: Finished,
): Promise<AuthorizationServer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  finished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const authorizationServer: AuthorizationServer = {
    url,
    audience: resource,
    async rotateKeys() {
      provider = await createProvider();
    },
  };
  // A provider with new keys continues the logins of the one before.
  const adapter = memoryAdapter();
  const createProvider = async () => {
    const { privateKey, kid } = await makeKey(randomUUID(), 'RS256');
    const jwks = { keys: [{ ...(await exportJWK(privateKey)), kid, use: 'sig' }] };
    return new Provider(url, { ...configuration(authorizationServer, resource, redirectUri), jwks, adapter });
  };
  let provider = await createProvider();
  server.on('request', async (req, res) => {
    if (!req.url?.startsWith('/interaction/')) return provider.callback()(req, res);
    await answerInteraction(provider, resource, req, res);
  });
  return authorizationServer;
}

function configuration(authorizationServer: AuthorizationServer, resource: string, redirectUri: string) {
  return {
    cookies: { keys: ['a-key-of-the-tests'] },
    clients: [
      {
        client_id: 'mortise-test',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code' as const],
        token_endpoint_auth_method: 'none' as const,
        application_type: 'native' as const,
      },
    ],
    scopes: ['openid', 'offline_access', ...SCOPES.split(' ')],
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: SCOPES,
          audience: authorizationServer.audience,
          accessTokenFormat: 'jwt' as const,
          accessTokenTTL: 300,
        }),
      },
    },
    issueRefreshToken: async () => true,
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
  };
}

/** Keeps everything in memory. */
function memoryAdapter(): AdapterFactory {
  const payloads = new Map<string, AdapterPayload>();
  return (model) => {
    const keyOf = (id: string) => `${model}:${id}`;
    const findBy = (member: 'uid' | 'userCode', value: string) =>
      [...payloads].find(([key, payload]) => key.startsWith(keyOf('')) && payload[member] === value)?.[1];
    return {
      upsert: async (id, payload) => void payloads.set(keyOf(id), payload),
      find: async (id) => payloads.get(keyOf(id)),
      findByUid: async (uid) => findBy('uid', uid),
      findByUserCode: async (userCode) => findBy('userCode', userCode),
      async consume(id) {
        payloads.get(keyOf(id))!.consumed = Math.floor(Date.now() / 1000);
      },
      destroy: async (id) => void payloads.delete(keyOf(id)),
      async revokeByGrantId(grantId) {
        for (const [key, payload] of payloads) if (payload.grantId === grantId) payloads.delete(key);
      },
    };
  };
}

/** Logs the user in, or consents to what the client asks for. */
async function answerInteraction(
  provider: Provider,
  resource: string,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { params, prompt, grantId, session } = await provider.interactionDetails(req, res);
  if (prompt.name === 'login') {
    return provider.interactionFinished(req, res, { login: { accountId: 'ann' } });
  }
  const grant =
    (grantId && (await provider.Grant.find(grantId))) ||
    new provider.Grant({ accountId: session!.accountId, clientId: params.client_id as string });
  grant.addResourceScope(resource, params.scope as string);
  grant.addOIDCScope(params.scope as string);
  await provider.interactionFinished(req, res, { consent: { grantId: await grant.save() } });
}

/** Follows redirects with cookies, as the browser of a user does. @returns the URL at which the client waits */
export async function browse(start: URL, redirectUri: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = start;
  for (let step = 0; step < 20; step++) {
    if (url.href.startsWith(redirectUri)) return url;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1);
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${url.pathname} has status ${response.status}: ${await response.text()}`);
    url = new URL(location, url);
  }
  throw new Error('The browser was redirected too often.');
}
