import {
  type Client,
  type OAuthClientProvider,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { AUDIENCE } from '../../packages/server/test/access/tokens/test-issuer.js';
import { createClient, startHttp, VERSIONS, type Version } from '../support/clients.js';
import { createWorkplace } from '../support/workplace.js';
import { browse, openAuthorizationServer } from './authorization-server.js';

const REDIRECT = 'http://127.0.0.1:1/callback';
const PLUGIN = `
export const register = (api) => {
  for (const name of ['look', 'change'])
    api.registerTool({ name, title: 'T', description: 'd', inputSchema: { type: 'object' },
      annotations: { readOnlyHint: name === 'look' }, run: (args, { caller }) => name + ' by ' + caller.principal });
};`;

/** A client that keeps its tokens in memory, and has a browser whose user is logged in. */
class Login implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = { redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' as const };
  saved: StoredOAuthTokens | undefined;
  callback: Promise<URL> | undefined;
  readonly requestedUrls: URL[] = [];
  #verifier = '';

  clientInformation() {
    return { client_id: 'mortise-test' };
  }
  tokens() {
    return this.saved;
  }
  saveTokens(tokens: StoredOAuthTokens) {
    this.saved = tokens;
  }
  redirectToAuthorization(url: URL) {
    this.requestedUrls.push(url);
    this.callback = browse(url, REDIRECT);
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier() {
    return this.#verifier;
  }
}

async function open(version: Version) {
  let resource = AUDIENCE;
  const corp = await openAuthorizationServer(() => resource, REDIRECT, onTestFinished);
  const port = await freePort();
  resource = `http://localhost:${port}/mcp`;
  const settings = {
    Plugins: { Directory: 'plugins' },
    Dotnet: { Enabled: false },
    Tools: { TrustAnnotations: ['p'] },
    Http: { PublicUrl: resource },
    Auth: { Issuers: [{ Name: 'corp', Issuer: corp.url, Audience: resource }] },
  };
  const workplace = createWorkplace({ 'plugins/p.mjs': PLUGIN }, settings);
  const { stderr } = await startHttp(workplace, ['--port', String(port)]);
  const login = new Login();
  const transport = () => new StreamableHTTPClientTransport(new URL(resource), { authProvider: login });
  /** Connects, logging in if the server asks for it. */
  const connect = async (): Promise<[Client, StreamableHTTPClientTransport]> => {
    const way = transport();
    const client = createClient(version);
    onTestFinished(() => client.close());
    await client.connect(way);
    return [client, way];
  };
  return { corp, login, connect, transport, stderr, resource };
}

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

it.each(VERSIONS)(
  'the official client logs in, is refused for a scope, steps up, refreshes and calls (%s)',
  async (version) => {
    const { corp, login, connect, transport, resource } = await open(version);
    const first = transport();
    await expect(createClient(version).connect(first)).rejects.toThrow(UnauthorizedError);
    const [request] = login.requestedUrls;
    expect(request?.origin).toBe(corp.url);
    expect(Object.fromEntries(request!.searchParams)).toMatchObject({
      ...{ scope: 'mortise:read', resource, code_challenge_method: 'S256' },
    });
    await first.finishAuth((await login.callback!).searchParams);
    const [client, way] = await connect();
    const call = async (name: string) => JSON.stringify((await client.callTool({ name })).content);
    expect(await call('look')).toContain('look by corp/ann');

    await expect(call('change')).rejects.toThrow(UnauthorizedError);
    expect(login.requestedUrls[1]?.searchParams.get('scope')?.split(' ').sort()).toEqual([
      'mortise:read',
      'mortise:write',
    ]);
    await way.finishAuth((await login.callback!).searchParams);
    expect(await call('change')).toContain('change by corp/ann');

    const { access_token: before } = login.saved!;
    login.saved = { ...login.saved!, access_token: `${before.slice(0, -6)}AAAAAA` };
    expect(await call('look')).toContain('look by corp/ann');
    expect(login.saved?.access_token).not.toContain('AAAAAA');
    expect(login.requestedUrls).toHaveLength(2);
  },
);
