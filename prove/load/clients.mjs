import { Agent, request as httpRequest } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { open, paramsFor, SESSIONS, STATELESS } from '../../bench/client/protocol.mjs';

/** Connections are not used again after this time: Node.js servers close them after five seconds, which a request may cross. */
const MAX_IDLE_MS = 3_000;
const CANCELLED = 'notifications/cancelled';

/**
 * A client over stdio of a server that was started, which can make several calls at a time. `request` gives the answer and the
 * milliseconds that it took; a call with `cancelAfterMs` is cancelled after that time, and gives undefined if it has no answer.
 */
export async function openStdio({ child, ended }, version) {
  const waiting = new Map();
  let lastId = 0;
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  createInterface({ input: child.stdout }).on('line', (text) => {
    const message = JSON.parse(text);
    if (message.method !== undefined) return;
    waiting.get(message.id)?.resolve(message);
    waiting.delete(message.id);
  });
  ended.catch((error) => {
    for (const { reject } of waiting.values()) reject(error);
  });

  async function request(method, params = {}, { cancelAfterMs } = {}) {
    const id = ++lastId;
    const startedAt = performance.now();
    const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    send({ id, method, params: paramsFor(version, params) });
    if (cancelAfterMs !== undefined) {
      await Promise.race([answer, sleep(cancelAfterMs)]);
      if (!waiting.delete(id)) return undefined;
      send({ method: CANCELLED, params: { requestId: id } });
      return undefined;
    }
    return { message: await answer, ms: performance.now() - startedAt };
  }
  const client = { version, request, notify: (method) => send({ method }), disconnect() {} };
  await open(client);
  return client;
}

/** As `openStdio`, over HTTP: connections stay open until `disconnect`, and are opened again by the next request. */
export async function openHttp(url, version) {
  const agent = new Agent({ keepAlive: true, timeout: MAX_IDLE_MS });
  let sessionId;
  let lastId = 0;

  function post(message, { signal } = {}) {
    const { method, params, id } = message;
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(method !== 'initialize' && { 'mcp-protocol-version': version }),
      ...(sessionId && { 'mcp-session-id': sessionId }),
      ...(version === STATELESS && { 'mcp-method': method, ...(params?.name && { 'mcp-name': params.name }) }),
    };
    return new Promise((resolve, reject) => {
      const sent = httpRequest(url, { method: 'POST', agent, headers, signal }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.on('error', reject).on('end', () => {
          sessionId ??= response.headers['mcp-session-id'];
          if (response.statusCode > 299) reject(new Error(`status ${response.statusCode}: ${text.slice(0, 300)}`));
          else resolve(answerIn(text, id));
        });
      });
      sent.on('error', reject).end(JSON.stringify({ jsonrpc: '2.0', ...message }));
    });
  }

  async function cancelled(message, cancelAfterMs) {
    const controller = new AbortController();
    const answer = post(message, version === STATELESS ? { signal: controller.signal } : {});
    const isAnswered = await Promise.race([answer.then(() => true), sleep(cancelAfterMs)]);
    if (isAnswered) return undefined;
    if (version === SESSIONS) await post({ method: CANCELLED, params: { requestId: message.id } });
    else controller.abort();
    // The response of a session ends without a message; the other one was ended by the client.
    await answer.catch((error) => {
      if (error.name !== 'AbortError') throw error;
    });
    return undefined;
  }

  async function request(method, params = {}, { cancelAfterMs } = {}) {
    const message = { id: ++lastId, method, params: paramsFor(version, params) };
    if (cancelAfterMs !== undefined) return cancelled(message, cancelAfterMs);
    const startedAt = performance.now();
    const answer = await post(message);
    if (answer === undefined) throw new Error('The response ended without an answer');
    return { message: answer, ms: performance.now() - startedAt };
  }
  const client = { version, request, notify: (method) => post({ method }), disconnect: () => agent.destroy() };
  await open(client);
  return client;
}

/** The answer with this id in a body, which is JSON or a stream of events. */
function answerIn(text, id) {
  const texts = text.startsWith('{') ? [text] : text.split('\n').filter((line) => line.startsWith('data:'));
  const messages = texts.map((line) => line.replace(/^data:/, '').trim()).filter((data) => data !== '');
  return messages.map((data) => JSON.parse(data)).find((message) => message.id === id && message.method === undefined);
}
