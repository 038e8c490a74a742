import { describe, expect, it } from 'vitest';
import { shared, startHttp } from './support/clients.js';
import { requestMeta } from './support/raw-stdio.js';
import { createWorkplace } from './support/workplace.js';

const PLUGIN = `
export function register(api) {
  api.registerTool({
    name: 'weather.at', description: 'd',
    inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
    run: ({ region }) => 'Rain in ' + region,
  });
}`;
const HEADER_MISMATCH = -32020;

/** docs/spec/protocol.md#http-headers */
describe.each(['weather.at', 'weather_at'])('x-mcp-header of a tool that is called by the name %s', (name) => {
  const server = shared((finished) =>
    startHttp(createWorkplace({ 'plugins/p.mjs': PLUGIN }, {}, finished), [], finished),
  );

  async function call(headers: Record<string, string>) {
    const response = await fetch(server().url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': name,
        ...headers,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: { region: 'Bern' }, _meta: requestMeta({}) },
      }),
    });
    const text = await response.text();
    return { status: response.status, message: JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text) };
  }

  it.each([
    ['is missing', {}],
    ['differs from the argument', { 'mcp-param-region': 'Uri' }],
  ])('is refused when the header %s', async (_, headers) => {
    expect(await call(headers)).toMatchObject({ status: 400, message: { error: { code: HEADER_MISMATCH } } });
  });

  it('is accepted when the header repeats the argument', async () => {
    expect(await call({ 'mcp-param-region': 'Bern' })).toMatchObject({
      status: 200,
      message: { result: { content: [{ text: 'Rain in Bern' }] } },
    });
  });
});
