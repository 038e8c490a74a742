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

/**
 * As `openStdio`, over HTTP: connections stay open until `disconnect`, and are opened again by the next request. Requests are
 * rejected with an error whose `status` is that of the response, if there was one, and whose `isCut` is true if the response
 * ended early. Options of a request are `signal`, and `onOpen`, which is called when the response begins.
 * @param onMessage takes the requests and notifications of the server
 */
export async function openHttp(url, version, { key, capabilities = {}, onMessage } = {}) {
  const agent = new Agent({ keepAlive: true, timeout: MAX_IDLE_MS });
  let sessionId;
  let lastId = 0;

  function headersOf({ method, params }) {
    const name = params?.name ?? params?.uri ?? params?.taskId;
    return {
      accept: 'application/json, text/event-stream',
      ...(key && { authorization: `Bearer ${key}` }),
      ...(method !== 'initialize' && { 'mcp-protocol-version': version }),
      ...(sessionId && { 'mcp-session-id': sessionId }),
      ...(version === STATELESS && { 'mcp-method': method, ...(name && { 'mcp-name': name }) }),
    };
  }

  function send(verb, message, { signal, onOpen }) {
    const headers = { ...headersOf(message), ...(verb === 'POST' && { 'content-type': 'application/json' }) };
    return new Promise((resolve, reject) => {
      const sent = httpRequest(url, { method: verb, agent, headers, signal }, (response) => {
        let text = '';
        let seen = 0;
        if (response.statusCode < 300) onOpen?.();
        const isStream = response.headers['content-type']?.startsWith('text/event-stream');
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
          if (onMessage && isStream) seen = passOn(text, seen, onMessage);
        });
        response.on('error', reject).on('end', () => {
          sessionId ??= response.headers['mcp-session-id'];
          const { statusCode: status } = response;
          if (status > 299) reject(Object.assign(new Error(`status ${status}: ${text.slice(0, 300)}`), { status }));
          else resolve(answerIn(text, message.id));
        });
      });
      sent.on('error', reject).end(verb === 'POST' ? JSON.stringify({ jsonrpc: '2.0', ...message }) : undefined);
    });
  }
  const post = (message, options = {}) => send('POST', message, options);

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

  async function request(method, params = {}, { cancelAfterMs, ...options } = {}) {
    const message = { id: ++lastId, method, params: paramsFor(version, params, capabilities) };
    if (cancelAfterMs !== undefined) return cancelled(message, cancelAfterMs);
    const startedAt = performance.now();
    const answer = await post(message, options);
    if (answer === undefined) throw Object.assign(new Error('The response ended without an answer'), { isCut: true });
    return { message: answer, ms: performance.now() - startedAt };
  }
  const client = {
    ...{ version, capabilities, request },
    notify: (method) => post({ method }),
    /** Answers a request of the server. */
    respond: (id, result) => post({ id, result }),
    /** Opens the stream of a session, and resolves when it has ended. */
    listen: (options = {}) => send('GET', {}, options),
    disconnect: () => agent.destroy(),
  };
  await open(client);
  return client;
}

/** Passes the requests and notifications in the whole lines after `from` on. @returns where the next line begins */
function passOn(text, from, onMessage) {
  const end = text.lastIndexOf('\n') + 1;
  for (const message of messagesIn(text.slice(from, end))) if (message.method !== undefined) onMessage(message);
  return end;
}

/** The answer with this id in a body, which is JSON or a stream of events. */
function answerIn(text, id) {
  const messages = text.startsWith('{') ? [JSON.parse(text)] : messagesIn(text);
  return messages.find((message) => message.id === id && message.method === undefined);
}

function messagesIn(events) {
  const lines = events.split('\n').filter((line) => line.startsWith('data:'));
  const texts = lines.map((line) => line.replace(/^data:/, '').trim()).filter((data) => data !== '');
  return texts.map((data) => JSON.parse(data));
}
