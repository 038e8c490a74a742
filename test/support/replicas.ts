import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startHttp, stop } from './clients.js';
import { type Raw, requestMeta } from './raw-stdio.js';
import { freePort, type RedisServer, startRedis } from './redis.js';
import { waitFor } from './wait-for.js';
import { createWorkplace, type Finished, ROOT, type Workplace } from './workplace.js';

/** One of several servers that share state. */
export interface Replica {
  readonly name: string;
  readonly url: string;
  readonly process: ChildProcess;
  stderr(): string;
}

export interface ReplicaSet {
  readonly redis: RedisServer;
  readonly workplace: Workplace;
  readonly replicas: readonly Replica[];
  /** Ends a replica without warning. */
  kill(at: number): Promise<void>;
  /** Starts a replica again, on the port that it had. */
  restart(at: number): Promise<Replica>;
}

export interface SetOptions {
  readonly plugin: string;
  readonly settings?: object;
  readonly finished?: Finished;
}

/** Starts three real servers, with the names of deploy/compose.yaml, which share a real Redis. */
export async function startReplicas(options: SetOptions): Promise<ReplicaSet> {
  const { plugin, settings = {}, finished = onTestFinished } = options;
  const redis = await startRedis(['--appendonly', 'yes'], { finished });
  const workplace = createWorkplace(
    { 'plugins/p.mjs': plugin },
    {
      Tasks: { AfterMs: 1 },
      Plugins: { Directory: 'plugins' },
      Dotnet: { Enabled: false },
      Http: { StateKeys: ['a-key-of-all-replicas'] },
      State: { Redis: { Urls: [redis.url] } },
      ...settings,
    },
    finished,
  );
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  const start = async (at: number): Promise<Replica> => {
    const name = `mortise-${at + 1}`;
    const place = { ...workplace, env: { ...workplace.env, State__Replica: name } };
    const server = await startHttp(place, ['--port', `${ports[at]}`], finished);
    // Before it has reached the store, a call does not become a task.
    await waitFor(async () => (await (await fetch(new URL('/readyz', server.url))).text()) === 'ready\n');
    return { name, ...server };
  };
  const replicas = await Promise.all(ports.map((_, at) => start(at)));
  return {
    ...{ redis, workplace, replicas },
    async kill(at) {
      const exited = once(replicas[at]!.process, 'exit');
      replicas[at]!.process.kill('SIGKILL');
      await exited;
    },
    async restart(at) {
      replicas[at] = await start(at);
      return replicas[at];
    },
  };
}

const address = ({ url }: Replica) => new URL(url).host;

/** Starts nginx with the configuration of deploy/ in front of the replicas. @returns the URL of MCP */
export async function startNginx(
  replicas: readonly Replica[],
  { folder }: Workplace,
  finished: Finished = onTestFinished,
): Promise<string> {
  const port = await freePort();
  const home = join(folder, 'nginx');
  mkdirSync(home);
  copyFileSync(join(ROOT, 'deploy/nginx/nginx.conf'), join(home, 'nginx.conf'));
  writeFileSync(join(home, 'listen.conf'), `listen 127.0.0.1:${port};\n`);
  writeFileSync(join(home, 'replicas.conf'), replicasConf(replicas));
  const child = spawn('nginx', ['-p', home, '-c', join(home, 'nginx.conf'), '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
  });
  let errors = '';
  child.stderr!.on('data', (data) => {
    errors += data;
  });
  finished(() => stop(child));
  const ended = once(child, 'exit').then(() => {
    throw new Error(`nginx ended:\n${errors}`);
  });
  ended.catch(() => {});
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await Promise.race([waitFor(isReady), ended]);
  return `${url}/mcp`;
}

/** deploy/nginx/replicas.conf, with the addresses of these replicas. */
function replicasConf(replicas: readonly Replica[]): string {
  const text = readFileSync(join(ROOT, 'deploy/nginx/replicas.conf'), 'utf8');
  return replicas.reduce((conf, replica) => conf.replaceAll(`${replica.name}:3333`, address(replica)), text);
}

/** Sends a request of 2026-07-28. @returns the response, or undefined if the connection was cut */
export async function request(
  url: string,
  method: string,
  params: Raw = {},
  { key, capabilities }: { key?: string; capabilities?: object } = {},
): Promise<Raw> {
  const name = params.name ?? params.taskId;
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': name }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: requestMeta(capabilities) } }),
  });
  const text = await response.text();
  return JSON.parse(
    text.startsWith('{')
      ? text
      : text
          .split('\n')
          .findLast((line) => line.startsWith('data: {'))!
          .slice(6),
  );
}
