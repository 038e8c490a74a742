import {
  type Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { expect, onTestFinished } from 'vitest';
import { createClient, startHttp, type Version } from '../support/clients.js';
import { createWorkplace } from '../support/workplace.js';
import { type AuthorizationServer, browse, openAuthorizationServer } from './authorization-server.js';

const REDIRECT = 'http://127.0.0.1:1/callback';
const PLUGIN = `
export const register = (api) => {
  for (const name of ['look', 'change'])
    api.registerTool({ name, title: 'T', description: 'd', inputSchema: { type: 'object' },
      annotations: { readOnlyHint: name === 'look' }, run: (args, { caller }) => name + ' by ' + caller.principal });
};`;

/** A client that keeps its tokens in memory, and has a browser whose user is logged in. */
export class Login implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = { redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' as const };
  saved: StoredOAuthTokens | undefined;
  callback: Promise<URL> | undefined;
  readonly requestedUrls: URL[] = [];
  #verifier = '';
  #discovery: OAuthDiscoveryState | undefined;

  /** @param authorizationServerUrl where to log in; by default at the first server of the metadata */
  constructor(authorizationServerUrl?: string) {
    if (authorizationServerUrl !== undefined) this.#discovery = { authorizationServerUrl };
  }

  clientInformation() {
    return { client_id: 'mortise-test' };
  }
  tokens() {
    return this.saved;
  }
  saveTokens(tokens: StoredOAuthTokens) {
    this.saved = tokens;
  }
  discoveryState() {
    return this.#discovery;
  }
  saveDiscoveryState(state: OAuthDiscoveryState) {
    this.#discovery = state;
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

/**
 * A server process whose issuers are `corp` and `guests`, each a real authorization server. Tokens of `corp` have the URL of
 * the server as audience, and those of `guests` that URL followed by `/guests`.
 */
export async function openOAuth(version: Version) {
  const port = await freePort();
  const resource = `http://localhost:${port}/mcp`;
  const open = () => openAuthorizationServer(resource, REDIRECT, onTestFinished);
  const [corp, guests] = await Promise.all([open(), open()]);
  guests.audience = `${resource}/guests`;
  const toIssuer = (Name: string, { url, audience }: AuthorizationServer) => ({
    ...{ Name, Issuer: url, Audience: audience },
  });
  const settings = {
    Plugins: { Directory: 'plugins' },
    Dotnet: { Enabled: false },
    Tools: { TrustAnnotations: ['p'] },
    Http: { PublicUrl: resource },
    Auth: { Issuers: [toIssuer('corp', corp), toIssuer('guests', guests)], JwksMaxAgeMinutes: 60 },
  };
  const workplace = createWorkplace({ 'plugins/p.mjs': PLUGIN }, settings);
  const { process: server } = await startHttp(workplace, ['--port', String(port)]);
  /** Reloads the settings with another age of keys, so that the server fetches those of each issuer again. */
  const forgetKeys = () => {
    settings.Auth.JwksMaxAgeMinutes -= 1;
    workplace.write('appsettings.json', JSON.stringify(settings));
    server.kill('SIGHUP');
  };
  const transport = (login: Login) => new StreamableHTTPClientTransport(new URL(resource), { authProvider: login });
  /** Connects with the tokens of a login. */
  const connect = async (login: Login): Promise<[Client, StreamableHTTPClientTransport]> => {
    const way = transport(login);
    const client = createClient(version);
    onTestFinished(() => client.close());
    await client.connect(way);
    return [client, way];
  };
  /** Connects without tokens, so that the browser of the login goes to the authorization server. */
  const begin = async (login: Login): Promise<StreamableHTTPClientTransport> => {
    const way = transport(login);
    await expect(createClient(version).connect(way)).rejects.toThrow(UnauthorizedError);
    return way;
  };
  /** @param issuerUrl where to log in; by default at the first server of the metadata */
  const logIn = async (issuerUrl?: string): Promise<Login> => {
    const login = new Login(issuerUrl);
    const way = await begin(login);
    await way.finishAuth((await login.callback!).searchParams);
    return login;
  };
  return { corp, guests, connect, begin, logIn, forgetKeys, resource };
}

/** Calls the tool `look`, whose result names the principal. */
export const look = async (client: Client) => JSON.stringify((await client.callTool({ name: 'look' })).content);

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
