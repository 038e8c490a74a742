import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openIssuer } from '../../packages/server/test/access/tokens/test-issuer.js';
import { runMortise } from '../../packages/server/test/cli/run-mortise.js';
import { startHttp } from '../support/clients.js';
import { createWorkplace } from '../support/workplace.js';
import { openAuthorizationServer } from './authorization-server.js';

const doctor = async (url: string) => {
  const { code, stdout } = await runMortise(createWorkplace(), ['doctor', '--json', '--url', url]);
  const { checks } = JSON.parse(stdout) as { checks: { status: string; message: string }[] };
  return { code, texts: checks.map(({ status, message }) => `${status}: ${message}`) };
};

const SETTINGS = { Plugins: { Directory: 'plugins' }, Dotnet: { Enabled: false } };
const serve = async (settings: object) => (await startHttp(createWorkplace({}, { ...SETTINGS, ...settings }))).url;

async function fakeServer(answer: (req: IncomingMessage, res: ServerResponse, origin: string) => void) {
  const server = createServer((req, res) => answer(req, res, origin));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return `${origin}/mcp`;
}

describe('mortise doctor --url', () => {
  it('follows the discovery of a server to the keys of its issuer', async () => {
    const corp = await openAuthorizationServer('x', 'http://127.0.0.1:1/callback', onTestFinished);
    const url = await serve({ Auth: { Issuers: [{ Name: 'corp', Issuer: corp.url, Audience: 'x' }] } });
    expect(await doctor(url)).toEqual({
      code: 0,
      texts: [
        `ok: Challenge of ${url}`,
        `ok: Metadata of the resource ${new URL(url).origin}/.well-known/oauth-protected-resource/mcp`,
        `ok: Metadata of the authorization server ${corp.url}`,
        `ok: Keys ${corp.url}/jwks`,
        `warning: ${corp.url} registers no clients`,
      ],
    });
  });

  it('says that a server wants no token', async () => {
    const { code, texts } = await doctor(await serve({}));
    expect([code, texts]).toEqual([1, [expect.stringMatching(/^error: Challenge .* status 415 instead of 401/)]]);
  });

  it('says that a server takes keys only', async () => {
    const { texts } = await doctor(await serve({ Auth: { Keys: [{ Name: 'a', Key: 'k'.repeat(32) }] } }));
    expect(texts).toEqual([expect.stringContaining('names no resource_metadata')]);
  });

  it('says that the URL of the server is another one for clients', async () => {
    const Issuers = [{ Name: 'corp', Issuer: 'https://login.example', Audience: 'x' }];
    const url = await serve({ Auth: { Issuers } });
    const { texts } = await doctor(url.replace('/mcp', '/mcp/'));
    expect(texts[0]).toContain('ok: Challenge');
    const local = await doctor(url.replace('127.0.0.1', 'localhost'));
    expect(local.texts.slice(0, 2)).toEqual(Array(2).fill(expect.stringMatching(/^ok/)));
  });

  it('says that an issuer cannot be reached, or lacks PKCE', async () => {
    const issuer = await openIssuer();
    const url = await serve({ Auth: { Issuers: [{ Name: 'corp', Issuer: issuer.url, Audience: 'x' }] } });
    expect((await doctor(url)).texts[2]).toMatch(/authorization_endpoint and token_endpoint missing/);
    await issuer.close();
    expect((await doctor(url)).texts[2]).toMatch(/^error: Metadata of the authorization server .*ECONNREFUSED/);
  });

  it('says that the metadata are those of another resource', async () => {
    const url = await fakeServer((req, res, origin) =>
      req.url === '/mcp'
        ? res.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${origin}/m"` }).end()
        : res.end(JSON.stringify({ resource: 'https://other.example/mcp' })),
    );
    expect((await doctor(url)).texts[1]).toContain("its resource is 'https://other.example/mcp'");
  });

  it('refuses what is no URL', async () => {
    const { code, stderr } = await runMortise(createWorkplace(), ['doctor', '--url', 'tools']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--url tools is not a URL')]);
  });
});
