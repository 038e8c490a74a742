import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shared, stop, VERSIONS } from '../support/clients.js';
import { codeOf, logOf, textOf } from '../support/observe.js';
import { waitFor } from '../support/wait-for.js';
import type { Workplace } from '../support/workplace.js';
import { call, entry, HEADERS, KINDS, mount, open, serverFile, startHttp } from './mounted.js';

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

/** In milliseconds. The SDK's client has stopped trying by then: a later connection is an attempt to find a server that is away for longer. */
const AWAY_FOR_LONGER_MS = 4000;

/** Listens where the server was and closes every connection, until one arrives more than AWAY_FOR_LONGER_MS after the start. */
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

describe('a resource of a server whose lists are remembered', () => {
  const remembered = shared(async (finished) => {
    const workplace = mount({ modern: entry('ticks'), legacy: entry('ticks', '--legacy') }, {}, finished);
    const first = await open(workplace, '2025-11-25', {}, undefined, finished);
    await first.listTools();
    await first.close();
    return workplace;
  });
  const URIS = { modern: 'tick://a', legacy: 'tock://a' };

  describe.each(VERSIONS)('that a client of %s subscribes to', (version) => {
    const heard = new Set<string>();
    const opened = shared((finished) =>
      open(
        remembered(),
        version,
        {},
        (client) =>
          client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.add(params.uri)),
        finished,
      ),
    );

    it.each(KINDS)('is watched although its %s server does not run yet, and after it has died', async (kind) => {
      const client = opened();
      const uri = URIS[kind];
      if (version === '2025-11-25') await client.subscribeResource({ uri });
      else await client.listen({ resourceSubscriptions: [uri] });
      await waitFor(() => heard.has(uri));
      expect(codeOf(await client.callTool({ name: `mcp_${kind}_die`, arguments: {} }))).toBe('PLUGIN_CRASHED');
      heard.delete(uri);
      await waitFor(() => heard.has(uri));
    });
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
    await client.subscribeResource({ uri: 'tock://a' });
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
