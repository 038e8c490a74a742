// A server by URL that answers calls with a status of HTTP beside a JSON-RPC error, as many do: MCP 2025-11-25, or
// 2026-07-28 with `--modern`. `--slow=<ms>`: it takes so long to say which version it speaks. It prints its port.
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { modern: { type: 'boolean' }, slow: { type: 'string', default: '0' } } });
const isModern = values.modern;
const serverInfo = { name: 'http-status', version: '1' };
const capabilities = { tools: {} };
const tool = (name) => ({ name, description: 'd', inputSchema: { type: 'object' } });
const METHODS = {
  ...(isModern
    ? { 'server/discover': () => ({ supportedVersions: ['2026-07-28'], serverInfo, capabilities }) }
    : { initialize: () => ({ protocolVersion: '2025-11-25', serverInfo, capabilities }) }),
  'tools/list': () => ({
    tools: ['works', 'sessions', 's400', 's404', 's500', 's429', 's401', 's403', 'page', 'html', 'endless'].map(tool),
  }),
};
let sessions = 0;
const COMMON = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const end = (status, message) => {
    response.writeHead(status, { 'content-type': typeof message === 'string' ? 'text/html' : 'application/json' });
    response.end(typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message }));
  };
  if (request.method !== 'POST') return end(405, '');
  const { id, method, params } = JSON.parse(body);
  if (id === undefined) return end(202, '');
  if (method === (isModern ? 'server/discover' : 'initialize')) sessions += 1;
  if (method === 'server/discover') await delay(Number(values.slow));
  const result = METHODS[method]?.();
  if (result) return end(200, { id, result: isModern ? { ...COMMON, ...result } : result });
  const name = method === 'tools/call' ? params.name : '';
  if (name === 'works')
    return end(200, { id, result: { ...(isModern && COMMON), content: [{ type: 'text', text: 'done' }] } });
  if (name === 'sessions') {
    const content = [{ type: 'text', text: String(sessions) }];
    return end(200, { id, result: { ...(isModern && COMMON), content } });
  }
  if (name === 'html') return end(200, '<h1>Welcome</h1>');
  if (name === 'endless') {
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = () => {
      while (!response.destroyed && response.write(' '.repeat(1_000_000)));
    };
    response.on('drain', more);
    return more();
  }
  if (name === 's429') return end(429, 'Slow down');
  if (name === 's401' || name === 's403') return end(Number(name.slice(1)), 'Go away');
  if (name === 'page') return end(502, '<h1>Bad gateway</h1>');
  end(Number(name.slice(1)) || 400, { id, error: { code: -32601, message: 'The moon is full' } });
}).listen(0, '127.0.0.1', function () {
  console.log(this.address().port);
});
