import { Agent, request as httpRequest } from 'node:http';
import { startProcess } from './process.mjs';
import { checkEcho, paramsFor, STATELESS } from './protocol.mjs';

const MAX_SOCKETS = 64;

/** A client over connections that stay open. Times end when the body is complete, before it is parsed. */
export async function connectHttp(command, version) {
  const server = startProcess(command);
  const url = new URL(await server.seen(/http:\/\/[^\s"]+\/mcp/));
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  let sessionId;
  let lastId = 0;

  function headersOf({ method, params }) {
    return {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(method !== 'initialize' && { 'mcp-protocol-version': version }),
      ...(sessionId && { 'mcp-session-id': sessionId }),
      ...(version === STATELESS && { 'mcp-method': method, ...(params?.name && { 'mcp-name': params.name }) }),
    };
  }

  function post(message) {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      const sent = httpRequest(url, { method: 'POST', agent, headers: headersOf(message) }, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk)).on('error', reject);
        response.on('end', () => {
          const ms = performance.now() - startedAt;
          sessionId ??= response.headers['mcp-session-id'];
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ ms, bytes: text.length, message: messageOf(text) });
        });
      });
      // A server ends connections that no one has used for a while (5 s in Node), at any moment: a request is then sent again.
      const isStale = (error) => sent.reusedSocket && error.code === 'ECONNRESET';
      sent.on('error', (error) => (isStale(error) ? resolve(post(message)) : reject(error))).end(body);
    });
  }

  return {
    version,
    pid: server.pid,
    request: (method, params = {}) => post({ id: ++lastId, method, params: paramsFor(version, params) }),
    notify: (method) => post({ method }),
    /** Keeps so many calls going until all are answered, and gives the milliseconds. */
    async pump(params, { calls, inFlight }) {
      let left = calls;
      const startedAt = performance.now();
      const worker = async () => {
        while (left-- > 0) checkEcho(await this.request('tools/call', params));
      };
      await Promise.all(Array.from({ length: inFlight }, worker));
      return performance.now() - startedAt;
    },
    async stop() {
      agent.destroy();
      await server.stop();
    },
  };
}

/** The response in a body, which is JSON or a stream of events that ends with it. */
function messageOf(text) {
  if (text === '' || text.startsWith('{')) return text === '' ? undefined : JSON.parse(text);
  const data = text.split('\n').filter((line) => line.startsWith('data:') && line.length > 'data: '.length);
  return JSON.parse(data.at(-1).slice('data:'.length));
}
