import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect, shared, stop, VERSIONS, type Version } from './support/clients.js';
import { codeOf, logOf, pluginsOf, progressOf, textOf } from './support/observe.js';
import { CAN_SEE_PROCESSES, processesOf } from './support/processes.js';
import { waitFor } from './support/wait-for.js';
import { BIN, createWorkplace, type Finished, ROOT, type Workplace } from './support/workplace.js';

const serverFile = (name: string) => `${ROOT}test/mounted-servers/${name}.mjs`;
const entry = (name: string, ...args: string[]) => ({ command: process.execPath, args: [serverFile(name), ...args] });
const OFFICIAL = { modern: entry('official'), legacy: entry('official', '--legacy') };
const KINDS = Object.keys(OFFICIAL) as (keyof typeof OFFICIAL)[];

/** The client's version and the mounted server's, in all pairs. */
const PAIRS = VERSIONS.flatMap((version) => KINDS.map((kind) => ({ version, kind })));

const mount = (McpServers: object, plugins: object = {}, finished?: Finished) =>
  createWorkplace({}, { Plugins: { Directory: 'plugins', McpServers, ...plugins } }, finished);

function open(
  workplace: Workplace,
  version: Version = '2025-11-25',
  options?: ClientOptions,
  prepare?: (client: Client) => void,
  finished?: Finished,
): Promise<Client> {
  return connect(workplace, { transport: 'stdio', version }, options, prepare, [], finished);
}

/** A workplace with these servers and a client of it, for the tests of a `describe` that change nothing in them. */
const sharedClient = (McpServers: object, version?: Version) =>
  shared(async (finished) => {
    const workplace = mount(McpServers, {}, finished);
    return { workplace, client: await open(workplace, version, {}, undefined, finished) };
  });

const call = (client: Client, name: string, args: Record<string, unknown> = {}, options = {}) =>
  client.callTool({ name: `mcp_m_${name}`, arguments: args }, options);

/** A mounted server over HTTP on the port, or a free one; it ends with the test. */
const startHttp = (args: string[], port = 0) => startServer('official', `--http=${port}`, ...args);

/** One that prints its port; it ends with the test. `output` is what it wrote to stderr. */
async function startServer(
  name: string,
  ...args: string[]
): Promise<{ process: ChildProcess; port: number; url: string; output(): string }> {
  const child = spawn(process.execPath, [serverFile(name), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => stop(child));
  let output = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  const [line] = await once(child.stdout!, 'data');
  const real = Number(String(line));
  return { process: child, port: real, url: `http://127.0.0.1:${real}/mcp`, output: () => output };
}

/** A way to a server on a port, which can be closed; what comes through it is lost then. */
async function openWay(port: number) {
  const sockets = new Set<Socket>();
  const way = createServer((socket) => {
    const onward = createConnection(port, '127.0.0.1');
    for (const item of [socket, onward]) {
      sockets.add(item.on('error', () => {}));
      item.on('close', () => {
        for (const end of [socket, onward]) end.destroy();
        sockets.delete(item);
      });
    }
    socket.pipe(onward).pipe(socket);
  });
  const listen = (at: number) => once(way.listen(at, '127.0.0.1'), 'listening');
  await listen(0);
  const { port: own } = way.address() as AddressInfo;
  const close = () => {
    way.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(close);
  return { url: `http://127.0.0.1:${own}/mcp`, port: own, close, open: () => listen(own) };
}

/** What mostly waits is done at the same time. @throws Error that names the case that failed */
async function atOnce(cases: Record<string, () => Promise<unknown>>): Promise<void> {
  await Promise.all(
    Object.entries(cases).map(([name, run]) =>
      run().catch((cause: Error) => {
        throw new Error(`${name}: ${cause.message}`, { cause });
      }),
    ),
  );
}

/** In milliseconds: the SDK of the client has given up by then, what comes later is a look for what is away for longer. */
const AWAY_FOR_LONGER_MS = 4000;

/** Turns away whoever comes to a port where nothing listens, until someone comes although it was so for longer. */
async function lookedForInVain(port: number): Promise<void> {
  const awaySince = performance.now();
  let lastLook = awaySince;
  const listener = createServer((socket) => {
    lastLook = performance.now();
    socket.destroy();
  });
  await once(listener.listen(port, '127.0.0.1'), 'listening');
  onTestFinished(() => void listener.close());
  await waitFor(() => lastLook - awaySince > AWAY_FOR_LONGER_MS);
  await once(listener.close(), 'close');
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const HEADERS = { Authorization: 'Bearer top-secret-bearer' };
describe.each(PAIRS)('a client of $version and a $kind server', ({ version, kind }) => {
  const opened = sharedClient({ m: OFFICIAL[kind] }, version);

  it('passes tools, resources, prompts and completions through', async () => {
    const { client } = opened();
    const { tools } = await client.listTools();
    const add = tools.find(({ name }) => name === 'mcp_m_add');
    expect(add).toMatchObject({ description: 'Does add.', annotations: { readOnlyHint: true } });
    expect(await call(client, 'add', { a: 2, b: 3 })).toMatchObject({ structuredContent: { sum: 5 } });
    expect(await client.callTool({ name: 'mcp.m.echo', arguments: { text: 'hi' } })).toMatchObject({
      content: [{ type: 'text', text: 'hi' }],
    });
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toContain('note://today');
    expect(await client.readResource({ uri: 'note://today' })).toMatchObject({
      contents: [{ text: 'rain, api_key=[REDACTED]' }],
    });
    expect(await client.readResource({ uri: 'note://day/friday' })).toMatchObject({
      contents: [{ text: 'on friday' }],
    });
    expect((await client.listPrompts()).prompts).toMatchObject([
      { name: 'mcp.m.greet', arguments: [{ name: 'name' }] },
    ]);
    expect(await client.getPrompt({ name: 'mcp.m.greet', arguments: { name: 'Ada' } })).toMatchObject({
      messages: [{ content: { text: 'Greet Ada' } }],
    });
    const completed = [
      await client.complete({
        ref: { type: 'ref/prompt', name: 'mcp.m.greet' },
        argument: { name: 'name', value: 'A' },
      }),
      await client.complete({
        ref: { type: 'ref/resource', uri: 'note://day/{day}' },
        argument: { name: 'day', value: '' },
      }),
    ];
    expect(completed.map(({ completion }) => completion)).toEqual([
      { values: ['Ada', 'Alan'], total: 2, hasMore: false },
      { values: ['monday', 'tuesday'], total: 2, hasMore: false },
    ]);
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'note://day/{day}' },
      argument: { name: 'day', value: 'd' },
    });
    expect(completion).toMatchObject({ total: 150, hasMore: true });
    expect(completion.values).toHaveLength(100);
  });

  it('holds results to the contract: errors keep their words, secrets do not come through', async () => {
    const { client } = opened();
    const failed = await call(client, 'fail');
    expect(failed).toMatchObject({ isError: true, content: [{ type: 'text', text: 'The disk is full' }] });
    expect(codeOf(failed)).toBe('TOOL_ERROR');
    expect(textOf(await call(client, 'secret'))).toBe('password=[REDACTED]');
    expect(codeOf(await call(client, 'add', { a: 'x' }))).toBe('INVALID_PARAMS');
  });

  it('passes progress through', async () => {
    const { client } = opened();
    const seen = progressOf(client);
    await call(client, 'steps', {}, { onprogress() {} });
    expect(seen).toEqual([
      { progress: 1, total: 4, message: 'one' },
      { progress: 2, total: 4, message: 'two' },
      { progress: 3, total: 4, message: 'three' },
    ]);
  });

  it('passes a cancel through, and the server continues', async () => {
    const { workplace, client } = opened();
    await call(client, 'echo', { text: '' });
    const before = processesOf(workplace).filter(({ command }) => command.includes('official.mjs'));
    const controller = new AbortController();
    const lines = logOf(client);
    const waiting = call(client, 'wait', {}, { signal: controller.signal });
    await waitFor(() => lines().includes('waiting'));
    controller.abort();
    await expect(waiting).rejects.toThrow();
    await waitFor(() => lines().includes('told of the cancel'));
    expect(textOf(await call(client, 'echo', { text: 'still here' }))).toBe('still here');
    const after = processesOf(workplace).filter(({ command }) => command.includes('official.mjs'));
    expect(after.map(({ pid }) => pid)).toEqual(before.map(({ pid }) => pid));
  });

  it('asks the user, the model and for folders, and tells of changes of lists and resources', async () => {
    const questions: unknown[] = [];
    const changes: string[] = [];
    const client = await open(
      mount({ m: OFFICIAL[kind] }),
      version,
      {
        capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
        listChanged: { tools: { onChanged: () => changes.push('tools') } },
      },
      (item) => {
        item.setRequestHandler('elicitation/create', ({ params }) => {
          questions.push(params.message);
          return { action: 'accept', content: { name: 'Ada' } };
        });
        item.setRequestHandler('sampling/createMessage', () => ({
          role: 'assistant',
          content: { type: 'text', text: 'Paris' },
          model: 'm',
        }));
        item.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///work' }] }));
        item.setNotificationHandler('notifications/resources/updated', ({ params }) => void changes.push(params.uri));
      },
    );
    expect(textOf(await call(client, 'ask'))).toBe('Hello Ada');
    expect(questions).toEqual(['Who?']);
    if (kind === 'legacy') {
      expect(textOf(await call(client, 'ask_old'))).toBe('accept Ada, run 1');
      expect(textOf(await call(client, 'model'))).toBe('Paris');
      expect(textOf(await call(client, 'roots'))).toBe('file:///work');
    }

    if (version === '2025-11-25') await client.subscribeResource({ uri: 'note://today' });
    else await client.listen({ resourceSubscriptions: ['note://today'] });
    await call(client, 'grow');
    await waitFor(() => changes.includes('tools'));
    expect((await client.listTools(undefined, { cacheMode: 'refresh' })).tools.map(({ name }) => name)).toContain(
      'mcp_m_grown_1',
    );
    expect(textOf(await call(client, 'grown_1'))).toBe('new');
    await waitFor(async () => {
      await call(client, 'touch');
      return changes.includes('note://today');
    });
  });

  it('says what a client would need that cannot be asked', async () => {
    const { client } = opened();
    const questions = call(client, 'ask');
    if (version === '2025-11-25') expect(codeOf(await questions)).toBe('CAPABILITY_NOT_AVAILABLE');
    else await expect(questions).rejects.toMatchObject({ code: -32021 });
  });
});

describe.each(PAIRS)('a resource that a client of $version subscribes to, of a $kind server', ({ version, kind }) => {
  it('is watched although its server does not run yet, and after it has died', async () => {
    const workplace = mount({ m: entry('ticks', ...(kind === 'legacy' ? ['--legacy'] : [])) });
    const first = await open(workplace);
    await first.listTools();
    await first.close();
    let ticks = 0;
    const client = await open(workplace, version, {}, (item) =>
      item.setNotificationHandler('notifications/resources/updated', ({ params }) => {
        if (params.uri === 'tick://a') ticks += 1;
      }),
    );
    if (version === '2025-11-25') await client.subscribeResource({ uri: 'tick://a' });
    else await client.listen({ resourceSubscriptions: ['tick://a'] });
    await waitFor(() => ticks > 0);
    expect(codeOf(await call(client, 'die'))).toBe('PLUGIN_CRASHED');
    ticks = 0;
    await waitFor(() => ticks > 0);
  });
});

describe('a resource that a client subscribes to', () => {
  const ticking = async (workplace: Workplace) => {
    let ticks = 0;
    const client = await open(workplace, '2025-11-25', {}, (item) =>
      item.setNotificationHandler('notifications/resources/updated', () => {
        ticks += 1;
      }),
    );
    const again = async () => {
      ticks = 0;
      await waitFor(() => ticks > 0, { timeoutMs: 30_000 });
    };
    return { client, again };
  };

  it('is watched where the server lists many more, refused it once, or has heard of many others', async () => {
    const { client, again } = await ticking(mount({ m: entry('many-resources') }));
    const touch = async (uri: string) => textOf(await call(client, 'touch', { uri }));
    for (let i = 0; i < 1100; i++) {
      await client.subscribeResource({ uri: `job://${i}` });
      await client.unsubscribeResource({ uri: `job://${i}` });
    }
    for (const uri of ['job://now', 'thing://2050']) {
      await client.subscribeResource({ uri });
      await waitFor(async () => (await touch(uri)) === 'true');
      const notification = again();
      await touch(uri);
      await notification;
    }
    await client.subscribeResource({ uri: 'job://late' });
    // The server has refused it, and is not asked again by itself.
    await delay(200);
    expect(await touch('job://late')).toBe('false');
    await client.subscribeResource({ uri: 'job://late' });
    await waitFor(async () => (await touch('job://late')) === 'true');
  });

  it('is watched after a reload, which starts newer code beside the old', async () => {
    const script = (name: string) =>
      `import ${JSON.stringify(serverFile('ticks'))}; console.error('the ${name} one is ' + process.pid);`;
    const workplace = mount({ m: { command: process.execPath, args: ['server.mjs', '--legacy'] } });
    workplace.write('server.mjs', script('old'));
    const { client, again } = await ticking(workplace);
    const log = logOf(client);
    await client.subscribeResource({ uri: 'tick://a' });
    await again();
    const old = await waitFor(() => /the old one is (\d+)/.exec(log())?.[1]);
    workplace.write('server.mjs', script('new'));
    const { structuredContent } = await client.callTool({ name: 'builtin_plugins', arguments: { action: 'Reload' } });
    expect(structuredContent).toMatchObject({ changed: ['mcp.m'] });
    await waitFor(() => !isAlive(Number(old)));
    await again();
  });

  describe('of a server by URL', () => {
    /** Touches the resource past Mortise, whose own calls would find the way back. */
    const touchPast = async (url: string) => {
      const other = new Client({ name: 'other', version: '1' }, { versionNegotiation: { mode: 'auto' } });
      await other.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: HEADERS } }));
      const timer = setInterval(() => void other.callTool({ name: 'touch', arguments: {} }).catch(() => {}), 200);
      const stopTouching = () => {
        clearInterval(timer);
        return other.close();
      };
      onTestFinished(stopTouching);
      return stopTouching;
    };

    const serverAway = async (...args: string[]) => {
      const first = await startHttp(args);
      const { client, again } = await ticking(mount({ m: { url: first.url, headers: HEADERS } }));
      await client.subscribeResource({ uri: 'note://today' });
      const stopTouching = await touchPast(first.url);
      await again();
      await stopTouching();
      await stop(first.process);
      await lookedForInVain(first.port);
      await startHttp(args, first.port);
      await touchPast(first.url);
      await again();
    };

    const wayClosed = async (...args: string[]) => {
      const { port, url } = await startHttp(args);
      const way = await openWay(port);
      const { client, again } = await ticking(mount({ m: { url: way.url, headers: HEADERS } }));
      await client.subscribeResource({ uri: 'note://today' });
      await touchPast(url);
      await again();
      way.close();
      await lookedForInVain(way.port);
      await way.open();
      await again();
    };

    it('is watched again when the server, or the way there, was away for longer', () =>
      atOnce({
        'the server, modern': () => serverAway(),
        'the server, legacy': () => serverAway('--legacy'),
        'the way to the server, modern': () => wayClosed(),
        'the way to the server, legacy': () => wayClosed('--legacy'),
      }));
  });
});

describe('a mounted server that dies', () => {
  it.skipIf(!CAN_SEE_PROCESSES)('ends each of a hundred calls with PLUGIN_CRASHED, and runs the next', async () => {
    const workplace = mount({ m: OFFICIAL.modern }, { MaxConcurrentCalls: 100 });
    const client = await open(workplace);
    await call(client, 'echo', { text: '' });
    const lines = logOf(client);
    const calls = Array.from({ length: 100 }, () => call(client, 'wait'));
    await waitFor(() => lines().split('waiting').length > 100);
    const [server] = processesOf(workplace).filter(({ command }) => command.includes('official.mjs'));
    process.kill(server!.pid, 'SIGKILL');
    const codes = (await Promise.all(calls)).map(codeOf);
    expect(new Set(codes)).toEqual(new Set(['PLUGIN_CRASHED']));
    expect(textOf(await call(client, 'echo', { text: 'again' }))).toBe('again');
    await client.close();
    await expect.poll(() => processesOf(workplace)).toEqual([]);
  });

  it('says what it printed last', async () => {
    const client = await open(mount({ m: OFFICIAL.legacy }));
    const died = await call(client, 'die');
    expect(codeOf(died)).toBe('PLUGIN_CRASHED');
    expect(textOf(died)).toContain('it exited with code 7');
    expect(textOf(died)).toContain('Out of cheese');
    expect(textOf(await call(client, 'echo', { text: 'again' }))).toBe('again');
  });

  it('is ended when a call that hangs was cancelled', async () => {
    const workplace = mount({ m: OFFICIAL.modern, other: OFFICIAL.modern });
    const client = await open(workplace, '2025-11-25');
    await call(client, 'echo', { text: '' });
    await expect(call(client, 'hang', {}, { timeout: 300 })).rejects.toThrow();
    const other = await client.callTool({ name: 'mcp_other_echo', arguments: { text: 'not concerned' } });
    expect(textOf(other)).toBe('not concerned');
    expect(textOf(await call(client, 'echo', { text: 'called before it was ended' }))).toBe(
      'called before it was ended',
    );
  });

  it.skipIf(!CAN_SEE_PROCESSES)('leaves nothing when the server is killed', async () => {
    const workplace = mount({ m: OFFICIAL.modern });
    const client = await open(workplace);
    await call(client, 'echo', { text: '' });
    const [server] = processesOf(workplace).filter(({ command }) => command.includes('mortise.mjs'));
    process.kill(server!.pid, 'SIGKILL');
    await expect.poll(() => processesOf(workplace)).toEqual([]);
  });
});

describe('a mounted server that lies', () => {
  const opened = sharedClient({ m: entry('liar') });

  it('loses what is wrong, and nothing else', async () => {
    const { client } = opened();
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name).filter((name) => name.startsWith('mcp_m_'));
    expect(names).toContain('mcp_m_good');
    for (const wrong of ['no_object', 'no_schema', 'bad name!']) expect(names.join()).not.toContain(wrong);
    const [plugin] = await pluginsOf(client);
    expect(plugin).toMatchObject({ name: 'mcp.m', path: 'Plugins.McpServers.m', state: 'loaded' });
    expect(plugin!.problems.map(({ code }) => code).sort()).toEqual([
      'RESOURCE_MALFORMED',
      'SERVER_LIST_FAILED',
      'SERVER_LIST_FAILED',
      'TOOL_NAME_INVALID',
      'TOOL_SCHEMA_INVALID',
      'TOOL_SCHEMA_INVALID',
    ]);
  });

  it.each([
    ['good', undefined, 'good'],
    ['breaks', 'TOOL_INVALID_RESULT', 'five'],
    ['empty', 'TOOL_INVALID_RESULT', 'without content'],
    ['no_block', 'TOOL_INVALID_RESULT', 'base64'],
    ['refuses', 'TOOL_ERROR', 'The moon is full'],
    ['nothing', 'TOOL_INVALID_RESULT', 'neither a result nor an error'],
    ['a_list', 'TOOL_INVALID_RESULT', 'neither a result nor an error'],
    ['a_text', 'TOOL_INVALID_RESULT', 'neither a result nor an error'],
  ])('gives for the result of %s: %s', async (name, code, words) => {
    const { client } = opened();
    const result = await call(client, name);
    expect(codeOf(result)).toBe(code);
    expect(textOf(result)).toContain(words);
  });

  it('is ended when it floods the server', async () => {
    const floods = ['floods', 'babbles', 'answers_unasked', 'shouts'];
    const servers = Object.fromEntries(floods.map((tool) => [tool, entry('liar')]));
    const client = await open(mount(servers, { Limits: { MessageBytes: 32 * 1024 * 1024 } }));
    for (const tool of floods) {
      const flooded = await client.callTool({ name: `mcp.${tool}.${tool}`, arguments: {} });
      expect(codeOf(flooded), tool).toBe('PLUGIN_CRASHED');
      expect(textOf(flooded), tool).toMatch(/exceeded the (message )?rate limit/);
    }
  });

  it('passes progress without a total and with a later one through', async () => {
    const { client } = opened();
    const seen = progressOf(client);
    await call(client, 'vague', {}, { onprogress() {} });
    expect(seen).toEqual([{ progress: 10 }, { progress: 20, total: 30 }]);
  });
});

describe('a mounted server whose schemas take forever to check', () => {
  const opened = sharedClient({ m: entry('slow-schemas'), n: OFFICIAL.modern });
  const deep = (levels: number): object => (levels === 0 ? { x: 1 } : { x: deep(levels - 1) });

  it.each<[string, string, Record<string, unknown>, string]>([
    ['a pattern', 'pattern', { text: `${'a'.repeat(40)}!` }, 'TOOL_ERROR'],
    ['a pattern for names', 'names', { [`${'a'.repeat(40)}!`]: 1 }, 'TOOL_ERROR'],
    ['branches of itself', 'branches', { ...deep(50) }, 'TOOL_ERROR'],
    ['a pattern for its result', 'result', {}, 'TOOL_INVALID_RESULT'],
  ])('costs only its own calls: %s', async (_, tool, args, code) => {
    const { client } = opened();
    let isOver = false;
    const slow = call(client, tool, args).finally(() => {
      isOver = true;
    });
    for (let i = 0; i < 20; i++) {
      expect(textOf(await client.callTool({ name: 'mcp_n_echo', arguments: { text: 'here' } }))).toBe('here');
    }
    expect(isOver).toBe(false);
    const result = await slow;
    expect(codeOf(result)).toBe(code);
    expect(textOf(result)).toContain('it took more than 1 s');
    expect(textOf(await call(client, 'tree', { name: 'a', parts: [{ name: 'b' }] }))).toBe('done');
    expect(codeOf(await call(client, 'tree', { parts: [{ name: 5 }] }))).toBe('INVALID_PARAMS');
  });

  it('checks nothing that no one waits for any more', async () => {
    const { client } = opened();
    await call(client, 'tree', {});
    const slow = { text: `${'a'.repeat(40)}!` };
    const input = Array.from({ length: 10 }, () => {
      const cancel = new AbortController();
      const cancelled = call(client, 'pattern', slow, { signal: cancel.signal }).catch(() => 'gone');
      // By then the first is being checked, and the others wait.
      setTimeout(() => cancel.abort(), 100);
      return cancelled;
    });
    expect(new Set(await Promise.all(input))).toEqual(new Set(['gone']));
    const startedAt = performance.now();
    expect(textOf(await call(client, 'tree', { name: 'a' }))).toBe('done');
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });

  it('refuses arguments that are nested too deep, however deep', () => {
    const { config, env, folder } = opened().workplace;
    const json = `${'{"parts":['.repeat(5000)}${']}'.repeat(5000)}`;
    const args = [BIN, 'call', 'mcp.m.tree', '--json', json, '--config', config];
    const { stdout, status } = spawnSync(process.execPath, args, { env, cwd: folder, encoding: 'utf8' });
    expect(stdout).toContain('INVALID_PARAMS');
    expect(status).toBe(1);
  });

  it('is not offered with a schema that has no end', async () => {
    const { client } = opened();
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('mcp_m_endless');
    const plugin = (await pluginsOf(client)).find(({ name }) => name === 'mcp.m');
    expect(plugin!.problems).toMatchObject([{ code: 'TOOL_SCHEMA_INVALID' }]);
  });
});

describe('mounting', () => {
  it('starts nothing when the lists are remembered, until a tool is called', async () => {
    const workplace = mount({ m: OFFICIAL.modern });
    const first = await open(workplace);
    const { tools } = await first.listTools();
    await first.close();
    const client = await open(workplace);
    expect((await client.listTools()).tools).toEqual(tools);
    if (CAN_SEE_PROCESSES)
      expect(processesOf(workplace).filter(({ command }) => command.includes('official.mjs'))).toEqual([]);
    expect(textOf(await call(client, 'echo', { text: 'now' }))).toBe('now');
  });

  it('shows servers that cannot be started, and why', async () => {
    const servers = {
      missing: { command: 'no-such-program' },
      dies: { command: process.execPath, args: ['-e', 'console.error("no token given"); process.exit(3)'] },
      untried: { command: process.execPath, args: ['a\0b'] },
      away: { url: 'http://127.0.0.1:9/mcp' },
      'two words': OFFICIAL.modern,
      m: OFFICIAL.modern,
    };
    const client = await open(mount(servers));
    const plugins = await pluginsOf(client);
    const states = plugins.map(({ name, state, problems }) => [name, state, problems[0]?.code]);
    expect(states).toEqual([
      ['mcp.away', 'failed', 'SERVER_NOT_CONNECTED'],
      ['mcp.dies', 'failed', 'SERVER_NOT_CONNECTED'],
      ['mcp.m', 'loaded', undefined],
      ['mcp.missing', 'failed', 'SERVER_NOT_CONNECTED'],
      ['mcp.two words', 'failed', 'SERVER_NAME_INVALID'],
      ['mcp.untried', 'failed', 'SERVER_NOT_CONNECTED'],
    ]);
    expect(JSON.stringify(plugins)).toContain('no token given');
  });

  it('waits for a server of 2026-07-28 alone that starts slowly', async () => {
    const client = await open(mount({ m: entry('slow-start', '4000') }));
    const isThere = () =>
      call(client, 'hello').then(
        (result) => codeOf(result) === undefined,
        () => false,
      );
    await waitFor(isThere);
    expect(textOf(await call(client, 'hello'))).toBe('at last');
  });

  it('asks a server that a reload names what it offers now', async () => {
    const workplace = mount({ m: entry('named') });
    const file = workplace.write('name', 'old');
    workplace.write(
      'appsettings.json',
      JSON.stringify({
        Plugins: { Directory: 'plugins', McpServers: { m: { ...entry('named'), env: { NAME_FILE: file } } } },
        Dotnet: { Enabled: false },
      }),
    );
    const client = await open(workplace);
    const names = async () =>
      (await client.listTools(undefined, { cacheMode: 'refresh' })).tools.map(({ name }) => name);
    const reload = (args: object) =>
      client.callTool({ name: 'builtin_plugins', arguments: { action: 'Reload', ...args } });
    expect(await names()).toContain('mcp_m_old');
    workplace.write('name', 'new');
    expect(textOf(await reload({}))).toBe('Nothing has changed');
    expect(await names()).toContain('mcp_m_old');
    expect(textOf(await reload({ plugin: 'mcp.m' }))).toBe('changed: mcp.m');
    expect(await names()).toContain('mcp_m_new');
    expect(codeOf(await reload({ plugin: 'mcp.n' }))).toBe('INVALID_PARAMS');
  });

  it('offers what it can of a server whose lists cannot be read, and reads them again', async () => {
    const workplace = mount({});
    const file = workplace.write('state', 'fails');
    const more = { Plugins: { McpServers: { m: entry('broken-lists', file) } }, Dotnet: { Enabled: false } };
    workplace.write('appsettings.json', JSON.stringify(more));
    const client = await open(workplace);
    const listedNames = async () => {
      const { tools } = await client.listTools(undefined, { cacheMode: 'refresh' });
      const { resources } = await client.listResources(undefined, { cacheMode: 'refresh' });
      return [...tools.map(({ name }) => name), ...resources.map(({ uri }) => uri)];
    };
    const problems = async () => (await pluginsOf(client))[0]!.problems.map(({ code }) => code);
    expect(await listedNames()).not.toContain('mcp_m_pid');
    expect(await listedNames()).toContain('thing://one');
    expect(await problems()).toEqual(['SERVER_LIST_FAILED']);
    workplace.write('state', 'works');
    await waitFor(async () => (await listedNames()).includes('mcp_m_pid'));
    expect(await problems()).toEqual([]);
    const pid = textOf(await call(client, 'pid'));
    workplace.write('state', 'fails');
    await client.callTool({ name: 'builtin_plugins', arguments: { action: 'Reload', plugin: 'mcp.m' } });
    expect(await listedNames()).toEqual(expect.arrayContaining(['mcp_m_pid', 'thing://one']));
    expect(await problems()).toEqual(['SERVER_LIST_FAILED']);
    expect(textOf(await call(client, 'pid'))).not.toBe(pid);
  });

  it('asks a server again whose script has changed', async () => {
    /** The arguments that start a server, and its script. */
    const scripts: Record<string, [args: string[], file: string]> = {
      second: [['--import', './hook.mjs', 'server.mjs'], 'server.mjs'],
      folder: [['server'], 'server/index.mjs'],
      own: [['.'], 'index.js'],
    };
    const servers = Object.entries(scripts).map(([name, [args]]) => [name, { command: process.execPath, args }]);
    const workplace = mount(Object.fromEntries(servers));
    workplace.write('hook.mjs', '');
    workplace.write('server/package.json', '{ "main": "index.mjs" }');
    const writeScripts = (tool: string) => {
      const name = JSON.stringify(workplace.write(tool, tool));
      for (const [, file] of Object.values(scripts))
        workplace.write(file, `process.env.NAME_FILE = ${name}; import(${JSON.stringify(serverFile('named'))});`);
    };
    const names = async () => {
      const client = await open(workplace);
      const { tools } = await client.listTools();
      await client.close();
      return tools.map(({ name }) => name).filter((name) => name.startsWith('mcp_'));
    };
    writeScripts('old');
    expect(await names()).toEqual(['mcp_folder_old', 'mcp_own_old', 'mcp_second_old']);
    writeScripts('newer');
    expect(await names()).toEqual(['mcp_folder_newer', 'mcp_own_newer', 'mcp_second_newer']);
  });

  it('gives a server the usual environment and what its entry names, whose secrets are not shown', async () => {
    const workplace = mount({ m: { ...OFFICIAL.modern, env: { UPSTREAM_TOKEN: 'abcdefgh' } } });
    Object.assign(workplace.env, { HIDDEN: 'of the server' });
    const client = await open(workplace);
    expect(textOf(await call(client, 'token'))).toBe('it is [REDACTED], and HIDDEN is undefined');
  });

  it('keeps the first of two resources of one URI, and shows the other', async () => {
    const client = await open(mount({ a: OFFICIAL.modern, b: OFFICIAL.modern }));
    const { resources } = await client.listResources();
    expect(resources.filter(({ uri }) => uri === 'note://today')).toHaveLength(1);
    const plugins = await pluginsOf(client);
    expect(plugins.map(({ name, problems }) => [name, problems.map(({ code }) => code)])).toEqual([
      ['mcp.a', []],
      ['mcp.b', ['RESOURCE_DUPLICATE', 'RESOURCE_DUPLICATE']],
    ]);
  });

  it('mounts a Mortise, whose own resources stay its own', async () => {
    const inner = createWorkplace(
      {
        'plugins/echo.cjs': `module.exports.register = (api) => api.registerTool({
        name: 'echo', description: 'd', inputSchema: { type: 'object' }, run: () => 'of the inner one' });`,
      },
      // A mounted server does not get the settings in the environment of this one.
      { Plugins: { Directory: 'plugins', StartWaitMs: 60_000 } },
    );
    const m = { command: process.execPath, args: [BIN, 'serve', '--config', inner.config] };
    const client = await open(mount({ m }));
    expect(textOf(await call(client, 'echo'))).toBe('of the inner one');
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['mortise://plugins', 'mortise://contract']);
    const [plugin] = await pluginsOf(client);
    expect(new Set(plugin!.problems.map(({ code }) => code))).toEqual(new Set(['RESOURCE_URI_RESERVED']));
  });

  it('shows a server that does not start any more, until it does', async () => {
    const workplace = mount({ m: { command: process.execPath, args: ['server.mjs'] } });
    const works = `import ${JSON.stringify(serverFile('official'))};`;
    workplace.write('server.mjs', works);
    const client = await open(workplace);
    expect(textOf(await call(client, 'echo', { text: 'a' }))).toBe('a');
    workplace.write('server.mjs', 'throw new Error("half written")');
    expect(codeOf(await call(client, 'die'))).toBe('PLUGIN_CRASHED');
    const broken = await call(client, 'echo', { text: 'b' });
    expect(codeOf(broken)).toBe('PLUGIN_UNAVAILABLE');
    expect(textOf(broken)).toContain('half written');
    const problems = async () => (await pluginsOf(client))[0]!.problems.map(({ code }) => code);
    expect(await problems()).toEqual(['SERVER_NOT_CONNECTED']);
    workplace.write('server.mjs', works);
    await waitFor(async () => codeOf(await call(client, 'echo', { text: 'c' })) === undefined);
    expect(await problems()).toEqual([]);
  });

  it('finds a server by URL that is started later', async () => {
    const first = await startHttp([]);
    await stop(first.process);
    const client = await open(mount({ m: { url: first.url, headers: HEADERS } }));
    expect((await pluginsOf(client))[0]).toMatchObject({ state: 'failed' });
    await startHttp([], first.port);
    await waitFor(async () => (await pluginsOf(client))[0]!.state === 'loaded');
    expect(textOf(await call(client, 'echo', { text: 'late' }))).toBe('late');
  });

  it('pins definitions, and can refuse those that change', async () => {
    const workplace = mount({ m: OFFICIAL.modern }, { OnChange: 'refuse' });
    const client = await open(workplace);
    await client.listTools();
    await call(client, 'grow');
    await waitFor(async () =>
      (await pluginsOf(client)).some(({ problems }) => problems[0]?.code === 'PLUGIN_DEFINITION_CHANGED'),
    );
    const names = async (by: Client) =>
      (await by.listTools(undefined, { cacheMode: 'refresh' })).tools.map(({ name }) => name);
    expect(await names(client)).toEqual(['builtin_plugins']);
    // A process that begins again offers what was trusted: it is asked by a reload, and at the next start.
    await client.callTool({ name: 'builtin_plugins', arguments: { action: 'Reload' } });
    expect(await names(client)).toContain('mcp_m_grow');
    await call(client, 'grow');
    await waitFor(async () => (await names(client)).length === 1);
    await client.close();
    expect(await names(await open(workplace))).toContain('mcp_m_grow');
  });
});

const HTTP_PAIRS = VERSIONS.flatMap((version) => [
  { version, kind: 'modern', args: [] as string[] },
  { version, kind: 'legacy', args: ['--legacy'] },
]);

describe.each(HTTP_PAIRS)('a client of $version and a $kind server over HTTP', ({ version, args }) => {
  it('passes calls, progress and questions through, and does not show its headers', async () => {
    const { url } = await startHttp(args);
    const client = await open(
      mount({ m: { url, headers: HEADERS } }),
      version,
      { capabilities: { elicitation: { form: {} } } },
      (item) => item.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } })),
    );
    expect(textOf(await call(client, 'echo', { text: 'of top-secret-bearer' }))).toBe('of [REDACTED]');
    const seen = progressOf(client);
    await call(client, 'steps', {}, { onprogress() {} });
    expect(seen).toHaveLength(3);
    expect(textOf(await call(client, 'ask'))).toBe('Hello Ada');
    expect(await call(client, 'add', { a: 1, b: 1 })).toMatchObject({ structuredContent: { sum: 2 } });
  });

  it('ends calls when the server goes, and finds it again', async () => {
    const first = await startHttp(args);
    const client = await open(mount({ m: { url: first.url, headers: HEADERS } }), version);
    await call(client, 'echo', { text: '' });
    const waiting = call(client, 'wait');
    await waitFor(() => first.output().includes('waiting'));
    const cancelled = once(first.process, 'exit');
    first.process.kill('SIGKILL');
    await cancelled;
    // By when the loss is noticed: at this call, or by the one that waits.
    expect(['PLUGIN_CRASHED', 'PLUGIN_UNAVAILABLE']).toContain(codeOf(await call(client, 'echo', { text: 'hello' })));
    await startHttp(args, first.port);
    await waitFor(async () => codeOf(await call(client, 'echo', { text: 'back' })) === undefined);
    expect(codeOf(await waiting)).toBe('PLUGIN_CRASHED');
  });
});

describe.each([[[]], [['--modern']]])('a server by URL that says errors by status %j', (args) => {
  it('ends those calls alone: it is there', async () => {
    const { url } = await startServer('http-status', ...args);
    const client = await open(mount({ m: { url } }));
    for (const name of ['s400', 's404', 's500', 's404']) {
      const result = await call(client, name);
      expect(codeOf(result)).toBe('TOOL_ERROR');
      expect(textOf(result)).toContain('The moon is full');
    }
    expect(textOf(await call(client, 'works'))).toBe('done');
    for (const [name, words] of Object.entries({
      s429: 'HTTP 429',
      s401: 'HTTP 401',
      s403: 'the headers of its entry',
      page: 'Bad gateway',
      html: 'text/html',
      endless: 'more than',
    })) {
      const result = await call(client, name);
      expect(codeOf(result), name).toBe('TOOL_ERROR');
      expect(textOf(result)).toContain(words);
    }
    expect(textOf(await call(client, 'works'))).toBe('done');
    expect(textOf(await call(client, 'sessions'))).toBe('1');
  });
});

describe('a server by URL that is slow to say which version it speaks', () => {
  it('is waited for', async () => {
    const [modern, legacy] = await Promise.all([
      startServer('http-status', '--slow=4000', '--modern'),
      startServer('http-status', '--slow=4000'),
    ]);
    const client = await open(mount({ m: { url: modern.url }, n: { url: legacy.url } }));
    expect(textOf(await call(client, 'works'))).toBe('done');
    expect(textOf(await client.callTool({ name: 'mcp_n_works', arguments: {} }))).toBe('done');
  });
});

describe('a session over HTTP that the server has forgotten', () => {
  it('is opened again, without an error', async () => {
    const first = await startHttp(['--legacy']);
    const client = await open(mount({ m: { url: first.url, headers: HEADERS } }));
    await call(client, 'echo', { text: '' });
    const cancelled = once(first.process, 'exit');
    first.process.kill('SIGKILL');
    await cancelled;
    await startHttp(['--legacy'], first.port);
    const lines = logOf(client);
    expect(textOf(await call(client, 'echo', { text: 'as if nothing was' }))).toBe('as if nothing was');
    expect(lines()).not.toContain('ended');
  });
});

/** `npm ci --prefix bench` installs it. */
const HAS_FASTMCP = existsSync(`${ROOT}bench/node_modules/fastmcp`);

describe.skipIf(!HAS_FASTMCP)('a server built with fastmcp 4 (bench/node_modules)', () => {
  it('is mounted like any other', async () => {
    const client = await open(mount({ m: entry('fastmcp') }));
    expect(textOf(await call(client, 'echo', { text: 'fast' }))).toBe('fast');
    expect(await client.readResource({ uri: 'fast://one' })).toMatchObject({ contents: [{ text: 'one' }] });
    expect(await client.getPrompt({ name: 'mcp.m.hello' })).toMatchObject({
      messages: [{ content: { text: 'Hello!' } }],
    });
  });
});
