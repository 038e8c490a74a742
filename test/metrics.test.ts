import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { countOf, PLUGIN, SECRET_NAME, startServer } from './measured-plugin.js';
import { shared, startHttp } from './support/clients.js';
import { createWorkplace } from './support/workplace.js';

describe('the metrics of a server', () => {
  const opened = shared(startServer);

  it('count requests by method, tool, error and version', async () => {
    const { client, value } = opened();
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

  it('have labels of a bounded number, whatever a client asks for', async () => {
    const { client, metrics } = opened();
    for (let n = 0; n < 50; n += 1) await client.callTool({ name: `none${n}`, arguments: {} }).catch(() => {});
    await client.callTool({ name: 'echo', arguments: {} });
    const text = await (await fetch(metrics)).text();
    expect(text).toContain('echo');
    expect(text).not.toContain('none1');
  });

  it('have no secret of a plugin that puts one into the name of a tool', async () => {
    const { client, metrics } = opened();
    await client.callTool({ name: SECRET_NAME, arguments: {} });
    const text = await (await fetch(metrics)).text();
    expect(text).toContain('gen_ai_tool_name="of-[REDACTED]"');
    expect(text).not.toContain(SECRET_NAME);
  });

  it('are for programs of this machine: no name of another host leads to them', async () => {
    const { metrics } = opened();
    const status = (path: string, headers: Record<string, string>) =>
      new Promise((resolve, reject) => {
        const req = request(new URL(path, metrics), { headers }, (res) => resolve(res.resume().statusCode));
        req.on('error', reject).end();
      });
    expect(await status('/metrics', {})).toBe(200);
    expect(await status('/metrics', { host: 'evil.example' })).toBe(403);
    expect(await status('/other', {})).toBe(404);
  });

  it('have the name of the replica, if it has one', async () => {
    const workplace = createWorkplace(
      { 'plugins/p.mjs': PLUGIN },
      { Plugins: { Directory: 'plugins' }, Telemetry: { Metrics: true, MetricsPort: 0 }, State: { Replica: 'r9' } },
    );
    const { stderr } = await startHttp(workplace);
    const lines = stderr()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (const line of lines) expect(line.replica).toBe('r9');
    const { metrics } = lines.find((line) => line.metrics !== undefined);
    expect(await (await fetch(metrics)).text()).toMatch(/^mortise_sessions\{replica="r9"\} 0$/m);
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
});
