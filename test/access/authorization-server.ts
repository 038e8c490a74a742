import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import type { Finished } from '../support/workplace.js';

const SCOPES = 'mortise:read mortise:write mortise:operate';

export interface AuthorizationServer {
  readonly url: string;
}

/**
 * A real authorization server on loopback, whose user is logged in and consents to everything.
 * @param audience the resource for which it makes tokens
 */
export async function openAuthorizationServer(
  audience: () => string,
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
  const provider = new Provider(url, {
    clients: [
      {
        client_id: 'mortise-test',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        application_type: 'native',
      },
    ],
    scopes: ['openid', 'offline_access', ...SCOPES.split(' ')],
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience(),
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: SCOPES,
          audience: audience(),
          accessTokenFormat: 'jwt',
          accessTokenTTL: 300,
        }),
      },
    },
    issueRefreshToken: async () => true,
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
  });
  const serve = provider.callback();
  server.on('request', async (req, res) => {
    if (!req.url?.startsWith('/interaction/')) return serve(req, res);
    const { params, prompt, grantId, session } = await provider.interactionDetails(req, res);
    if (prompt.name === 'login') {
      return provider.interactionFinished(req, res, { login: { accountId: 'ann' } });
    }
    const grant =
      (grantId && (await provider.Grant.find(grantId))) ||
      new provider.Grant({ accountId: session!.accountId, clientId: params.client_id as string });
    grant.addResourceScope(audience(), params.scope as string);
    grant.addOIDCScope(params.scope as string);
    await provider.interactionFinished(req, res, { consent: { grantId: await grant.save() } });
  });
  return { url };
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
