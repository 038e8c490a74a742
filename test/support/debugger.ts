import { randomBytes } from 'node:crypto';
import { get, request } from 'node:http';
import type { Socket } from 'node:net';
import { createServer } from 'node:net';
import { waitFor } from './wait-for.js';

/** A debugger that speaks the inspector's protocol: JSON messages over one WebSocket. */
export interface Debugger {
  /** Resolves with the result. */
  call(method: string, params?: object): Promise<Record<string, unknown>>;
  /** The next event of this name. */
  next(event: string): Promise<Record<string, unknown>>;
  /** Every event of this name. */
  on(event: string, listener: (params: Record<string, unknown>) => void): void;
  close(): void;
}

/** Attaches to the Node process that waits for a debugger on this port, or soon will. */
export async function attachDebugger(port: number): Promise<Debugger> {
  const socket = await openSocket(new URL(await addressOf(port)));
  const waiting = new Map<number | string, (value: Record<string, unknown>) => void>();
  const listeners = new Map<string, (params: Record<string, unknown>) => void>();
  let lastId = 0;
  readFrames(socket, (text) => {
    const { id, result, method, params } = JSON.parse(text);
    const key = id ?? method;
    listeners.get(key)?.(params ?? {});
    waiting.get(key)?.(result ?? params ?? {});
    waiting.delete(key);
  });
  const answerTo = (key: number | string) =>
    new Promise<Record<string, unknown>>((resolve) => {
      waiting.set(key, resolve);
    });
  return {
    call(method, params = {}) {
      const id = ++lastId;
      socket.write(frameOf(JSON.stringify({ id, method, params })));
      return answerTo(id);
    },
    next: answerTo,
    on: (event, listener) => void listeners.set(event, listener),
    close: () => socket.destroy(),
  };
}

async function addressOf(port: number): Promise<string> {
  const list = await waitFor(() => textAt(`http://127.0.0.1:${port}/json/list`).catch(() => undefined));
  return JSON.parse(list)[0].webSocketDebuggerUrl;
}

function textAt(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, async (response) => resolve(Buffer.concat(await response.toArray()).toString())).on('error', reject);
  });
}

function openSocket({ hostname, port, pathname }: URL): Promise<Socket> {
  const headers = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
  };
  return new Promise((resolve, reject) => {
    request({ hostname, port, path: pathname, headers })
      .on('upgrade', (_response, socket: Socket, head) => {
        socket.unshift(head);
        resolve(socket);
      })
      .on('error', reject)
      .end();
  });
}

/** A text frame of RFC 6455 with a mask of zeros, which leaves the text as it is. */
function frameOf(text: string): Buffer {
  const payload = Buffer.from(text);
  const header = Buffer.alloc(8);
  header[0] = 0x81;
  header[1] = 0x80 | 126;
  header.writeUInt16BE(payload.length, 2);
  return Buffer.concat([header, payload]);
}

function readFrames(socket: Socket, onText: (text: string) => void): void {
  let bytes = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (let frame = firstFrame(bytes); frame; frame = firstFrame(bytes)) {
      onText(bytes.toString('utf8', frame.start, frame.end));
      bytes = bytes.subarray(frame.end);
    }
  });
}

function firstFrame(bytes: Buffer): { start: number; end: number } | undefined {
  if (bytes.length < 10) return undefined;
  const short = bytes[1]!;
  const start = short < 126 ? 2 : short === 126 ? 4 : 10;
  const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  return bytes.length < start + length ? undefined : { start, end: start + length };
}

/** A plugin whose tool `stepped` stops for a debugger. */
export const STEPPED = `export function register(api) {
  api.registerTool({
    name: 'stepped',
    description: 'Stops for a debugger.',
    run: ({ text }) => {
      debugger;
      return text + ' continued';
    },
  });
}`;

/** A port of this machine that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
