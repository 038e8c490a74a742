import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect as connectSocket, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient, startHttp, VERSIONS } from './support/clients.js';
import { openListenStream } from './support/listen-stream.js';
import { request } from './support/replicas.js';
import { waitFor } from './support/wait-for.js';
import { createWorkplace } from './support/workplace.js';

/** A tool that makes a file when it has begun, ends when the test makes another, and makes a third if it was not cancelled. */
const PLUGIN = `
import { existsSync, writeFileSync } from 'node:fs';
export function register(api) {
  api.registerTool({
    name: 'waits', description: 'd', inputSchema: { type: 'object' }, timeoutMs: 600_000,
    async run({ file }, { signal }) {
      writeFileSync(file + '.begun', '');
      while (!existsSync(file) && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, 20));
      if (!signal.aborted) writeFileSync(file + '.done', '');
      return 'done';
    },
  });
}`;
const KEYS = ['ann', 'bob'].map((Name) => ({ Name, Key: `${Name}-secret-of-this-test-which-is-long-enough` }));
const [ANN, BOB] = KEYS.map(({ Key }) => Key) as [string, string];

interface Served {
  readonly url: string;
  readonly process: ChildProcess;
  /** The files of the calls. */
  readonly folder: string;
  begun(name?: string): Promise<boolean>;
  /** Lets the first call end. */
  go(): void;
  /** Sends SIGTERM, and resolves when the server refuses connections. */
  drain(): Promise<void>;
  /** Reloads the settings without a key. */
  removeKey(name: string): void;
}

async function serve(settings: object = {}): Promise<Served> {
  const all = { Plugins: { Directory: 'plugins' }, Dotnet: { Enabled: false }, Auth: { Keys: KEYS }, ...settings };
  const workplace = createWorkplace({ 'plugins/p.mjs': PLUGIN }, all);
  const server = await startHttp(workplace);
  const { folder } = workplace;
  return {
    ...{ ...server, folder },
    begun: (name = 'go') => waitFor(() => existsSync(join(folder, `${name}.begun`))),
    go: () => void workplace.write('go', ''),
    async drain() {
      server.process.kill('SIGTERM');
      await waitFor(() => isRefused(server.url));
    },
    removeKey(name) {
      const Keys = KEYS.filter(({ Name }) => Name !== name);
      workplace.write('appsettings.json', JSON.stringify({ ...all, Auth: { Keys } }));
      server.process.kill('SIGHUP');
    },
  };
}

async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connectSocket(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}

async function isRefused(url: string): Promise<boolean> {
  try {
    (await openSocket(url)).destroy();
    return false;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A connection that waited to be accepted when the server stopped listening is reset.
    if (code === 'ECONNRESET') return false;
    if (code !== 'ECONNREFUSED') throw error;
    return true;
  }
}

/** The answer to a request on a connection that is open already. */
function answerOn(socket: Socket, head: string, body = ''): Promise<string> {
  const headers = `Host: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  socket.end(`${head} HTTP/1.1\r\n${headers}Authorization: Bearer ${ANN}\r\n\r\n${body}`);
  return text(socket);
}

async function expectEnd({ process: server }: Served): Promise<void> {
  if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  expect(server.exitCode).toBe(0);
}

const paramsOf = ({ folder }: Served, name = 'go') => ({ name: 'waits', arguments: { file: join(folder, name) } });

const call = (server: Served, options: { key?: string; capabilities?: object } = {}, name?: string) =>
  request(server.url, 'tools/call', paramsOf(server, name), { key: ANN, ...options });

/** docs/spec/protocol.md#http-shutdown */
describe.skipIf(process.platform === 'win32')('a server over HTTP that gets SIGTERM', () => {
  it.each(VERSIONS)('answers a running call with its result, and then ends (%s)', async (version) => {
    const server = await serve();
    const client = createClient(version);
    const requestInit = { headers: { authorization: `Bearer ${ANN}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit }));
    onTestFinished(() => client.close());
    const answer = client.callTool(paramsOf(server));
    await server.begun();
    await server.drain();
    server.go();
    expect(await answer).toMatchObject({ content: [{ type: 'text', text: 'done' }] });
    await expectEnd(server);
  });

  it('ends streams, and refuses what is new, while a call runs', async () => {
    const server = await serve();
    const [probe, other] = [await openSocket(server.url), await openSocket(server.url)];
    const stream = await openListenStream(server.url, { toolsListChanged: true }, { key: ANN });
    const answer = call(server);
    await server.begun();
    await server.drain();
    await stream.ended;
    expect(stream.text()).toContain('retry: 500');
    expect(await answerOn(probe, 'GET /readyz')).toMatch(
      /^HTTP\/1\.1 503 [\s\S]*\r\nconnection: close\r\n[\s\S]*\r\n\r\n.*stopping/i,
    );
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(await answerOn(other, 'POST /mcp', ping)).toMatch(
      /^HTTP\/1\.1 503 [\s\S]*retry-after: 5[\s\S]*shutting down/i,
    );
    server.go();
    expect((await answer).result.content[0].text).toBe('done');
    await expectEnd(server);
  });

  it('cancels a call after Tools.TimeoutMs, and answers what to do', async () => {
    const server = await serve({ Tools: { TimeoutMs: 200 } });
    const answer = call(server);
    await server.begun();
    server.process.kill('SIGTERM');
    expect((await answer).result.structuredContent.errors).toMatchObject([
      {
        code: 'OPERATION_CANCELLED',
        message: 'The operation was cancelled: the server is shutting down',
        hint: 'Call again if the result is still needed.',
      },
    ]);
    await expectEnd(server);
  });

  it('ends a running call of a key that a reload removes, and no other', async () => {
    const server = await serve();
    const cut = call(server, { key: BOB }, 'other').then(
      () => 'answered',
      () => 'cut',
    );
    const answer = call(server);
    for (const name of ['go', 'other']) await server.begun(name);
    await server.drain();
    server.removeKey('bob');
    expect(await cut).toBe('cut');
    server.go();
    expect((await answer).result.content[0].text).toBe('done');
    await expectEnd(server);
  });

  it('lets a call end that has become a task', async () => {
    const server = await serve({ Tasks: { AfterMs: 1 } });
    const { result } = await call(server, { capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } });
    expect(result.resultType).toBe('task');
    await server.drain();
    server.go();
    await expectEnd(server);
    expect(existsSync(join(server.folder, 'go.done'))).toBe(true);
  });

  it('cancels running calls at once if it gets SIGINT', async () => {
    const server = await serve();
    const answer = call(server);
    await server.begun();
    server.process.kill('SIGINT');
    expect((await answer).result.structuredContent.errors[0].code).toBe('OPERATION_CANCELLED');
    await expectEnd(server);
  });
});
