import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { startHttp, stop, VERSIONS, type Version } from './support/clients.js';
import { type Raw, requestMeta } from './support/raw-stdio.js';
import { waitFor } from './support/wait-for.js';
import { BIN, createWorkplace, type Finished, type Workplace } from './support/workplace.js';

/** Says that it has begun, and pays no attention to its signal. */
const STUBBORN = `
export function register(api) {
  api.registerTool({
    name: 'stubborn', description: 'd', inputSchema: { type: 'object' }, timeoutMs: 600_000,
    run: (_, { progress }) => {
      progress.report({ done: 1, total: 2 });
      return new Promise((resolve) => setTimeout(resolve, 120_000));
    },
  });
}`;
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
/** The time that a server over HTTP waits for running calls at SIGTERM. */
const DRAIN = { Tools: { TimeoutMs: 500 } };
const CLIENT = { name: 'mortise-test', version: '1' };
const CANCELLED = 'OPERATION_CANCELLED';

const codeOf = ({ result }: Raw): string => result.structuredContent.errors[0].code;

/** The lines of a client of this version that calls the tool this many times, by the ids 1 and on. */
function messagesOf(version: Version, calls: number): object[] {
  const isModern = version === '2026-07-28';
  const open = [
    { id: 0, method: 'initialize', params: { protocolVersion: version, capabilities: {}, clientInfo: CLIENT } },
    { method: 'notifications/initialized' },
  ];
  const call = (id: number) => {
    const _meta = { ...(isModern && requestMeta({})), progressToken: id };
    return { id, method: 'tools/call', params: { name: 'stubborn', arguments: {}, _meta } };
  };
  const messages = [...(isModern ? [] : open), ...Array.from({ length: calls }, (_, at) => call(at + 1))];
  return messages.map((message) => ({ jsonrpc: '2.0', ...message }));
}

/** A server over stdio that was sent this, and what it writes. */
function startStdio({ config, env, folder }: Workplace, messages: object[], finished: Finished) {
  const child = spawn(process.execPath, [BIN, 'serve', '--config', config], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  finished(() => stop(child));
  const received: Raw[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => received.push(JSON.parse(line)));
  child.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  return { child, received, closed };
}

const isProgress = ({ method }: Raw) => method === 'notifications/progress';
const responsesOf = (received: Raw[]) => received.filter(({ id }) => typeof id === 'number' && id > 0);

/** Sends a message, and reads the JSON or the stream of the response; `messages` fills as they come. */
async function post(url: string, message: object, headers: Record<string, string>) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(message),
  });
  const messages: Raw[] = [];
  const isStream = response.headers.get('content-type')?.includes('event-stream');
  const done = isStream ? readEvents(response, messages) : response.text().then(() => {});
  return { response, messages, done };
}

async function readEvents({ body }: Response, messages: Raw[]): Promise<void> {
  let rest = '';
  for await (const text of body!.pipeThrough(new TextDecoderStream())) {
    const events = (rest + text).split('\n\n');
    rest = events.pop()!;
    for (const event of events) {
      const data = /^data: ?(\{.*)$/m.exec(event)?.[1];
      if (data) messages.push(JSON.parse(data));
    }
  }
}

/** A call over HTTP that has begun. */
async function callOverHttp(url: string, version: Version) {
  const messages = messagesOf(version, 1);
  const call = messages.at(-1)!;
  const versioned = { 'mcp-protocol-version': version };
  if (version === '2026-07-28') {
    return post(url, call, { ...versioned, 'mcp-method': 'tools/call', 'mcp-name': 'stubborn' });
  }
  const opened = await post(url, messages[0]!, {});
  const session = { ...versioned, 'mcp-session-id': opened.response.headers.get('mcp-session-id')! };
  await (await post(url, messages[1]!, session)).done;
  return post(url, call, session);
}

async function expectEnd(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  expect(child.exitCode).toBe(0);
}

// They wait for a grace of seconds: at the same time.
describe.concurrent.each(VERSIONS)('a server that is stopped while a tool ignores its signal (%s)', (version) => {
  it.for(SIGNALS)('%s: answers the call before it closes stdout', async (signal, { onTestFinished }) => {
    const workplace = createWorkplace({ 'plugins/p.mjs': STUBBORN }, {}, onTestFinished);
    const { child, received, closed } = startStdio(workplace, messagesOf(version, 1), onTestFinished);
    await waitFor(() => received.some(isProgress));
    child.kill(signal);
    expect(await closed).toEqual([0, null]);
    expect(responsesOf(received).map(codeOf)).toEqual([CANCELLED]);
  });

  it.for(SIGNALS)('%s: answers the call before it ends the HTTP response', async (signal, { onTestFinished }) => {
    const workplace = createWorkplace({ 'plugins/p.mjs': STUBBORN }, DRAIN, onTestFinished);
    const server = await startHttp(workplace, [], onTestFinished);
    const { messages, done } = await callOverHttp(server.url, version);
    await waitFor(() => messages.some(isProgress));
    server.process.kill(signal);
    await done;
    expect(responsesOf(messages).map(codeOf)).toEqual([CANCELLED]);
    await expectEnd(server.process);
  });
});

describe.concurrent.each(VERSIONS)('input that ends while calls run longer than the server waits (%s)', (version) => {
  it('has each of them answered, also those that are queued', async ({ onTestFinished }) => {
    const workplace = createWorkplace(
      { 'plugins/p.mjs': STUBBORN },
      { Plugins: { Directory: 'plugins', MaxConcurrentCalls: 16 } },
      onTestFinished,
    );
    const calls = 24;
    const { child, received, closed } = startStdio(workplace, messagesOf(version, calls), onTestFinished);
    child.stdin.end();
    expect(await closed).toEqual([0, null]);
    const responses = responsesOf(received);
    expect(responses.map(({ id }) => id).sort((a, b) => a - b)).toEqual(
      Array.from({ length: calls }, (_, at) => at + 1),
    );
    expect(new Set(responses.map(codeOf))).toEqual(new Set([CANCELLED]));
  });
});
