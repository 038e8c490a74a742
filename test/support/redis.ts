import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectTcp, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { waitFor } from './wait-for.js';
import type { Finished } from './workplace.js';

/** Why the tests of shared state are skipped; undefined where Debian's redis-server is installed. */
export const noRedis = isInstalled('redis-server') ? undefined : 'there is no redis-server';
/** Why the tests of the load balancer are skipped. */
export const noNginx = isInstalled('nginx') ? undefined : 'there is no nginx';

function isInstalled(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore', env: { PATH: `${process.env.PATH}:/usr/sbin` } });
    return true;
  } catch {
    return false;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** A real Redis on a free port of loopback. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Starts it again after {@link stop}, on the same port and with the same data, if it saved any. */
  start(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Sends a signal, such as SIGSTOP and SIGCONT. */
  signal(signal: NodeJS.Signals): void;
  /** Runs a command with redis-cli. @returns its output */
  command(...args: string[]): string;
}

/** @param options as on the command line, such as `--appendonly yes` */
export async function startRedis(
  options: readonly string[] = [],
  { finished = onTestFinished, password }: { finished?: Finished; password?: string } = {},
): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'mortise-redis-'));
  const port = await freePort();
  let child: ChildProcess | undefined;
  const auth = password === undefined ? [] : ['--requirepass', password];
  const server: RedisServer = {
    port,
    url: `redis://${password === undefined ? '' : `:${password}@`}127.0.0.1:${port}`,
    async start() {
      const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '', ...auth, ...options];
      child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
      const { stdout } = child;
      await new Promise<void>((resolve, reject) => {
        let output = '';
        stdout!.on('data', (data) => {
          output += data;
          if (output.includes('Ready to accept connections')) resolve();
        });
        child!.once('exit', () => reject(new Error(`redis-server ended:\n${output}`)));
      });
    },
    async stop(signal = 'SIGTERM') {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill(signal);
      child.kill('SIGCONT');
      await exited;
    },
    signal: (signal) => void child!.kill(signal),
    command: (...args) =>
      execFileSync('redis-cli', ['-h', '127.0.0.1', '-p', `${port}`, ...(password ? ['-a', password] : []), ...args], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim(),
  };
  finished(async () => {
    await server.stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  await server.start();
  return server;
}

/** Starts three servers as one cluster. @returns them; each knows the others */
export async function startCluster(finished: Finished): Promise<readonly RedisServer[]> {
  const options = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000'];
  const servers = await Promise.all(
    [1, 2, 3].map(async () => startRedis([...options, '--cluster-port', `${await freePort()}`], { finished })),
  );
  const [first, ...others] = servers as [RedisServer, RedisServer, RedisServer];
  const firstBus = first.command('CONFIG', 'GET', 'cluster-port').split('\n').at(-1)!;
  for (const other of others) other.command('CLUSTER', 'MEET', '127.0.0.1', `${first.port}`, firstBus);
  const slots = ['0 5460', '5461 10922', '10923 16383'];
  for (const [at, server] of servers.entries()) server.command('CLUSTER', 'ADDSLOTSRANGE', ...slots[at]!.split(' '));
  const isWhole = (server: RedisServer) => {
    const info = server.command('CLUSTER', 'INFO');
    return info.includes('cluster_state:ok') && info.includes('cluster_known_nodes:3');
  };
  await waitFor(() => servers.every(isWhole));
  return servers;
}

/** A primary and its replica, which a Redis Sentinel watches under the name `main`. */
export interface WatchedRedis {
  readonly sentinelUrl: string;
  readonly primary: RedisServer;
  readonly replica: RedisServer;
}

export async function startSentinel(finished: Finished): Promise<WatchedRedis> {
  const primary = await startRedis([], { finished });
  const replica = await startRedis(['--replicaof', '127.0.0.1', `${primary.port}`], { finished });
  await waitFor(() => replica.command('INFO', 'replication').includes('master_link_status:up'));
  const folder = mkdtempSync(join(tmpdir(), 'mortise-sentinel-'));
  const port = await freePort();
  const file = join(folder, 'sentinel.conf');
  const settings = [
    ...[`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, `sentinel monitor main 127.0.0.1 ${primary.port} 1`],
    ...['sentinel down-after-milliseconds main 1000', 'sentinel failover-timeout main 3000', ''],
  ];
  writeFileSync(file, settings.join('\n'));
  const child = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' });
  finished(async () => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  });
  const knowsReplica = () =>
    spawnSync('redis-cli', ['-p', `${port}`, 'SENTINEL', 'REPLICAS', 'main'], { encoding: 'utf8' }).stdout.includes(
      `${replica.port}`,
    );
  await waitFor(knowsReplica);
  return { sentinelUrl: `redis://127.0.0.1:${port}`, primary, replica };
}

/** A way to a server that takes so much longer in each direction. @returns its port */
export async function slowWay(port: number, delayMs: number, finished: Finished = onTestFinished): Promise<number> {
  const sockets = new Set<Socket>();
  const pipe = (from: Socket, to: Socket) => {
    from.on('data', async (data) => {
      await delay(delayMs);
      if (!to.destroyed) to.write(data);
    });
    from.on('close', () => to.destroy());
    from.on('error', () => to.destroy());
    sockets.add(from);
  };
  const server = createServer((near) => {
    const far = connectTcp(port, '127.0.0.1');
    pipe(near, far);
    pipe(far, near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  finished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as { port: number }).port;
}
