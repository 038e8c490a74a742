import { Agent, request as httpRequest } from 'node:http';
import { startProcess } from '../../bench/client/process.mjs';
import { SESSIONS, STATELESS } from '../../bench/client/protocol.mjs';
import { answeredId, messageIn } from './messages.mjs';

const IN_FLIGHT = 8;
const GIVE_UP_MS = 60_000;

/** A server over HTTP that gets bodies as they are. Each has to get a response, below 500. */
export async function startFuzzedHttp(command, version) {
  const server = startProcess(command);
  const url = new URL(await server.seen(/http:\/\/[^\s"]+\/mcp/));
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
  let sessionId;
  let endError;
  server.ended.catch((error) => {
    endError = error;
  });

  function post(body) {
    const { method, params } = messageIn(body) ?? {};
    const name = params?.name ?? params?.uri ?? params?.taskId;
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      ...(sessionId && { 'mcp-session-id': sessionId }),
      ...(version === STATELESS && { ...headerOf('mcp-method', method), ...headerOf('mcp-name', name) }),
    };
    return new Promise((resolve, reject) => {
      const sent = httpRequest(url, { method: 'POST', agent, headers, timeout: GIVE_UP_MS }, (response) => {
        let text = '';
        const end = () => resolve({ status: response.statusCode, headers: response.headers, text });
        // A subscription stays open: its response has begun, and that is what is asked for.
        if (method === 'subscriptions/listen') response.on('error', end).destroy();
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', end).on('close', end);
      });
      sent.on('timeout', () => sent.destroy(new Error('no response')));
      const isStale = (error) => sent.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code);
      sent.on('error', (error) => (isStale(error) ? resolve(post(body)) : reject(error))).end(body);
    });
  }

  async function judged(body) {
    try {
      const { status, text } = await post(body);
      const id = answeredId(body);
      if (status >= 500) return `status ${status}: ${text.slice(0, 300)}`;
      if (status === 200 && id !== undefined && !text.includes(JSON.stringify(id)))
        return `no answer: ${text.slice(0, 300)}`;
    } catch (error) {
      return String(error);
    }
    return undefined;
  }

  async function send(bodies) {
    const startedAt = performance.now();
    const unanswered = [];
    let next = 0;
    const work = async () => {
      while (next < bodies.length && endError === undefined) {
        const body = bodies[next++];
        const failure = await judged(body);
        if (failure) unanswered.push(`${failure} to ${body}`);
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, work));
    return { ms: performance.now() - startedAt, unanswered, wrongLines: [], error: endError };
  }

  if (version === SESSIONS) {
    const params = { protocolVersion: SESSIONS, capabilities: {}, clientInfo: { name: 'prove', version: '1' } };
    const { headers } = await post(JSON.stringify({ jsonrpc: '2.0', id: 'open', method: 'initialize', params }));
    sessionId = headers['mcp-session-id'];
    await post('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  }
  return {
    pid: server.pid,
    send,
    async stop() {
      agent.destroy();
      await server.stop();
    },
  };
}

/** Only what a header can carry as it is: for anything else the server answers that header and body disagree. */
function headerOf(name, value) {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) ? { [name]: value } : {};
}
