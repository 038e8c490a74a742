import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { stop, type Version } from './clients.js';
import { waitFor } from './wait-for.js';
import { createWireCheck, expectValid } from './wire-check.js';
import { BIN, type Workplace } from './workplace.js';

/** A message as it stood on the wire. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at members that may be missing
export type Raw = any;

const DEADLINE_MS = 100_000;

export const CAPABILITIES = { elicitation: { form: {} }, sampling: {}, roots: {} };

/** A real server process to which tests speak in lines. */
export interface RawStdio {
  /** Every message of the server since the start, or the last clear(), in order. */
  readonly received: readonly Raw[];
  clear(): void;
  /** Sends a request and returns its id. With 2026-07-28 `_meta` gets what every request needs. */
  start(method: string, params?: object): number;
  notify(method: string, params?: object): void;
  answer(id: unknown, result: object): void;
  /** The first message so far, or next, that is wanted. */
  find(matches: (message: Raw) => boolean): Promise<Raw>;
  response(id: number): Promise<Raw>;
  /** The response to a request. */
  request(method: string, params?: object): Promise<Raw>;
  notifications(method: string): Raw[];
  /** Ends the server. Fails when anything that it wrote does not fit the protocol's schema. */
  close(): Promise<void>;
}

/** The `_meta` of a request with 2026-07-28. */
export function requestMeta(capabilities: object = CAPABILITIES) {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'mortise-test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
}

/** Starts a server; with 2025-11-25 the session is open. Whoever opens it closes it. */
export async function openRaw(
  { config, env, folder }: Workplace,
  version: Version,
  capabilities: object = CAPABILITIES,
): Promise<RawStdio> {
  const child = spawn(process.execPath, [BIN, 'serve', '--config', config], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const check = createWireCheck();
  const received: Raw[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    check.received(line);
    received.push(JSON.parse(line));
  });

  let lastId = 0;
  const send = (message: object) => {
    const line = JSON.stringify({ jsonrpc: '2.0', ...message });
    check.sent(line);
    child.stdin.write(`${line}\n`);
  };
  const raw: RawStdio = {
    received,
    clear() {
      received.length = 0;
    },
    start(method, params = {}) {
      lastId += 1;
      const input = params as { _meta?: object };
      const meta = version === '2026-07-28' ? { _meta: { ...requestMeta(capabilities), ...input._meta } } : {};
      send({ id: lastId, method, params: { ...params, ...meta } });
      return lastId;
    },
    notify: (method, params) => send({ method, params }),
    answer: (id, result) => send({ id, result }),
    find: (matches) => waitFor(() => received.find(matches), { timeoutMs: DEADLINE_MS }),
    response: (id) => raw.find((message) => message.id === id && !('method' in message)),
    request: (method, params) => raw.response(raw.start(method, params)),
    notifications: (method) => received.filter((message) => message.method === method),
    async close() {
      await stop(child);
      expectValid(check);
    },
  };
  if (version === '2025-11-25') {
    const clientInfo = { name: 'mortise-test', version: '1' };
    await raw.request('initialize', { protocolVersion: version, capabilities, clientInfo });
    raw.notify('notifications/initialized');
  }
  return raw;
}
