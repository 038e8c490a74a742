import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runMortise } from '../packages/server/test/cli/run-mortise.js';
import { createClient, startHttp } from './support/clients.js';
import { createWorkplace, type Workplace } from './support/workplace.js';

const PLUGIN = `
const any = { type: 'object' };
export function register(api) {
  api.registerTool({ name: 'echo', description: 'd', inputSchema: any, run: () => 'done' });
  api.registerTool({ name: 'odd', description: 'd', inputSchema: any, run: () => { throw Object.assign(new Error('no'), { code: 'MY_OWN_CODE' }); } });
  api.registerTool({ name: 'crash', description: 'd', inputSchema: any, run: () => process.exit(3) });
}`;

const workplaceWith = (MetricsPort: number): Workplace =>
  createWorkplace(
    { 'plugins/p.mjs': PLUGIN },
    { Plugins: { Directory: 'plugins' }, Telemetry: { Metrics: true, MetricsPort } },
  );

async function startServer() {
  const { url, stderr, process } = await startHttp(workplaceWith(0));
  const metrics = /http:\/\/127\.0\.0\.1:\d+\/metrics/.exec(stderr())![0];
  const client = createClient('2025-11-25');
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  onTestFinished(() => client.close());
  const value = async (pattern: RegExp) => {
    const line = (await (await fetch(metrics)).text()).split('\n').find((text) => pattern.test(text));
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
  };
  return { client, metrics, value, process };
}

const countOf = (labels: Record<string, string>) => {
  const parts = Object.entries(labels).map(([name, text]) => `(?=.*${name}="${text}")`);
  return new RegExp(`^mcp_server_operation_duration_seconds_count{${parts.join('')}`);
};

describe('the metrics of a server', () => {
  it('count requests by method, tool, error and version', async () => {
    const { client, value } = await startServer();
    await client.listTools();
    await client.callTool({ name: 'echo', arguments: {} });
    await client.callTool({ name: 'echo', arguments: {} });
    await client.callTool({ name: 'odd', arguments: {} });
    await client.callTool({ name: 'none', arguments: {} }).catch(() => {});
    const call = { mcp_method_name: 'tools/call', mcp_protocol_version: '2025-11-25' };
    expect(await value(countOf({ ...call, gen_ai_tool_name: 'echo', error_type: '' }))).toBe(2);
    expect(await value(countOf({ ...call, gen_ai_tool_name: 'odd', error_type: 'TOOL_EXCEPTION' }))).toBe(1);
    expect(await value(countOf({ ...call, gen_ai_tool_name: '', error_type: 'UNKNOWN_TOOL' }))).toBe(1);
    expect(await value(countOf({ mcp_method_name: 'tools/list', error_type: '' }))).toBe(1);
    expect(await value(countOf({ mcp_method_name: 'initialize' }))).toBe(1);
  });

  it('have sessions, processes, crashes, reloads, and what waits', async () => {
    const { client, value, process } = await startServer();
    await client.callTool({ name: 'echo', arguments: {} });
    expect(await value(/^mortise_sessions /)).toBe(1);
    expect(await value(/^mortise_plugin_processes /)).toBeGreaterThan(0);
    expect(await value(/^mortise_calls_running /)).toBe(0);
    expect(await value(/^mortise_calls_waiting /)).toBe(0);
    expect(await value(/^mortise_plugin_crashes_total /)).toBe(0);
    await client.callTool({ name: 'crash', arguments: {} });
    await expect.poll(() => value(/^mortise_plugin_crashes_total /)).toBe(1);
    process.kill('SIGHUP');
    await expect.poll(() => value(/^mortise_reloads_total /)).toBe(1);
  });

  it('have labels of a bounded number, whatever a client asks for', async () => {
    const { client, metrics } = await startServer();
    for (let n = 0; n < 50; n += 1) await client.callTool({ name: `none${n}`, arguments: {} }).catch(() => {});
    await client.callTool({ name: 'echo', arguments: {} });
    const text = await (await fetch(metrics)).text();
    expect(text).toContain('echo');
    expect(text).not.toContain('none1');
  });

  it('are for programs of this machine: no name of another host leads to them', async () => {
    const { metrics } = await startServer();
    const status = (path: string, headers: Record<string, string>) =>
      new Promise((resolve, reject) => {
        const req = request(new URL(path, metrics), { headers }, (res) => resolve(res.resume().statusCode));
        req.on('error', reject).end();
      });
    expect(await status('/metrics', {})).toBe(200);
    expect(await status('/metrics', { host: 'evil.example' })).toBe(403);
    expect(await status('/other', {})).toBe(404);
  });

  it('are on the port of MCP too, for a key that may operate the server and sees everything', async () => {
    const key = (letter: string) => letter.repeat(32);
    const entry = (Name: string, more: object) => ({ Name, Key: key(Name), ...more });
    const { url } = await startHttp(
      createWorkplace(
        { 'plugins/p.mjs': PLUGIN },
        {
          Plugins: { Directory: 'plugins' },
          Telemetry: { Metrics: true, MetricsPort: 0 },
          Profiles: { few: { Include: ['none'] } },
          Auth: {
            Keys: [
              entry('o', { Scopes: ['mortise:operate'] }),
              entry('p', { Scopes: ['mortise:operate'], Profile: 'few' }),
              entry('w', {}),
            ],
          },
          Audit: { File: 'audit.jsonl' },
        },
      ),
    );
    const read = async (headers: Record<string, string>, init: RequestInit = {}) => {
      const response = await fetch(new URL('/metrics', url), { ...init, headers });
      const text = await response.text();
      return { status: response.status, text, challenge: response.headers.get('www-authenticate') };
    };
    const as = (name: string) => ({ authorization: `Bearer ${key(name)}` });
    expect(await read(as('o'))).toMatchObject({ status: 200, text: expect.stringMatching(/^mortise_sessions 0$/m) });
    expect(await read(as('w'))).toMatchObject({
      status: 403,
      text: expect.stringContaining('mortise:operate'),
      challenge: 'Bearer realm="mortise", error="insufficient_scope", scope="mortise:operate"',
    });
    expect(await read(as('p'))).toMatchObject({ status: 403, text: expect.stringContaining('without a profile') });
    expect(await read({})).toMatchObject({ status: 401, challenge: 'Bearer realm="mortise"' });
    expect((await read(as('o'), { method: 'POST' })).status).toBe(405);
    expect((await read({ ...as('o'), origin: 'https://evil.example' })).status).toBe(403);
  });

  it('need a key on the port of MCP, and are not there unless they are wanted', async () => {
    const statusOf = async (workplace: Workplace) => {
      const { url } = await startHttp(workplace);
      return (await fetch(new URL('/metrics', url))).status;
    };
    expect(await statusOf(workplaceWith(0))).toBe(403);
    expect(await statusOf(createWorkplace({}, { Plugins: { Directory: 'plugins' } }))).toBe(404);
  });

  it('end the start of a server whose port is taken, by the name of the setting', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    const workplace = workplaceWith(port);
    const { code, stderr } = await runMortise(workplace, ['serve', '--config', workplace.config]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      `Telemetry.MetricsPort is ${port}, which cannot be listened on: another program listens on it.`,
    );
  });
});
