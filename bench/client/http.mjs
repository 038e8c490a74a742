import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { createConnection } from 'node:net';
import { CountedResponses } from './counted-responses.mjs';
import { Load } from './load.mjs';
import { createIds, ID_PLACE, PreparedRequests } from './prepared-requests.mjs';
import { startProcess } from './process.mjs';
import { paramsFor, STATELESS } from './protocol.mjs';
import { RawConnection } from './raw-http.mjs';
import { sendUnread, UNREAD_BATCH } from './unread-load.mjs';

const MAX_SOCKETS = 64;

/** A client over connections that stay open. Times end when the body is complete, before it is parsed. */
export async function connectHttp(command, version) {
  const server = startProcess(command);
  const url = new URL(await server.seen(/http:\/\/[^\s"]+\/mcp/));
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  let sessionId;
  const nextId = createIds();

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
    request: (method, params = {}) => post({ id: nextId(), method, params: paramsFor(version, params) }),
    notify: (method) => post({ method }),
    /** As that over stdio, with a connection for each request in flight; responses are counted, not parsed. */
    async pump({ method, params, check }, limits) {
      const load = new Load(limits);
      let fail;
      const failed = new Promise((_, reject) => {
        fail = reject;
      });
      const request = rawRequest(url, headersOf({ method, params }), { method, params: paramsFor(version, params) });
      const connections = Array.from({ length: limits.inFlight }, () => {
        const prepared = new PreparedRequests(request, { places: 1, nextId });
        const send = (count) => count > 0 && prepared.writeTo(raw.stream, count);
        const raw = new RawConnection({
          ...{ host: url.hostname, port: url.port, onError: fail },
          check: (text) => check({ message: messageOf(text) }),
          onResponse: () => send(load.answer(1)),
        });
        return { raw, send };
      });
      try {
        await Promise.race([Promise.all(connections.map(({ raw }) => raw.opened())), failed]);
        for (const { send } of connections.slice(0, load.start())) send(1);
        const result = await Promise.race([load.done, server.ended, failed]);
        for (const { raw } of connections) raw.checkSamples();
        return result;
      } finally {
        for (const { raw } of connections) raw.close();
      }
    },
    /** As that over stdio, on one connection: each request is sent without waiting for the response to the one before. */
    async sendUnread({ method, params }, { calls, isSettled }) {
      const request = rawRequest(url, headersOf({ method, params }), { method, params: paramsFor(version, params) });
      const requests = new PreparedRequests(request, { places: UNREAD_BATCH, nextId });
      const socket = createConnection({ host: url.hostname, port: url.port });
      const failed = once(socket, 'close').then(() => {
        throw new Error('The server has closed the connection');
      });
      const streams = { output: socket, input: socket, ended: Promise.race([server.ended, failed]) };
      try {
        return await sendUnread(streams, { requests, received: new CountedResponses(), calls, isSettled });
      } finally {
        failed.catch(() => {});
        socket.destroy();
      }
    },
    async stop() {
      agent.destroy();
      await server.stop();
    },
  };
}

/** A request as text: what comes before and after the id. */
function rawRequest({ host, pathname }, headers, { method, params }) {
  const before = '{"jsonrpc":"2.0","id":';
  const after = `,"method":${JSON.stringify(method)},"params":${JSON.stringify(params)}}`;
  const fields = { host, ...headers, 'content-length': Buffer.byteLength(before + ID_PLACE + after) };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return [`POST ${pathname} HTTP/1.1\r\n${head.join('')}\r\n${before}`, after];
}

/** The response in a body, which is JSON or a stream of events that ends with it. */
function messageOf(text) {
  if (text === '' || text.startsWith('{')) return text === '' ? undefined : JSON.parse(text);
  const data = text.split('\n').filter((line) => line.startsWith('data:') && line.length > 'data: '.length);
  return JSON.parse(data.at(-1).slice('data:'.length));
}
