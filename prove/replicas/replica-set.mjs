import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createClient } from '@redis/client';
import { startProcess } from '../../bench/client/process.mjs';
import { freePort } from '../../bench/workplace.mjs';
import { addHeapProbe } from '../heap.mjs';

const NGINX = fileURLToPath(new URL('../../deploy/nginx', import.meta.url));
/** The names in deploy/nginx/replicas.conf. */
const NAMES = ['mortise-1', 'mortise-2', 'mortise-3'];
const READY_MS = 60_000;
const POLL_MS = 50;
const PATH = `${process.env.PATH}:/usr/sbin`;

/** Three replicas on loopback with one Redis, behind nginx with the files of deploy/. */
export class ReplicaSet {
  /** The URL of MCP at nginx. */
  url;
  replicas = [];
  #workplace;
  #settings;
  #redisPort;
  #redis;
  #nginx;
  #reloads = 0;

  /**
   * @param settings of each replica, besides those of the store
   * @param editNginx changes the text of nginx.conf
   * @param count of replicas; other counts than that of deploy/ have no routes for sessions
   */
  static async start(workplace, { settings, editNginx = (text) => text, count = NAMES.length }) {
    const set = new ReplicaSet();
    set.#workplace = workplace;
    set.#redisPort = await freePort();
    set.#settings = { ...settings, Http: { StateKeys: ['a-key-of-all-replicas'], MaxSessions: 1_000 } };
    set.#settings.State = { Redis: { Urls: [`redis://127.0.0.1:${set.#redisPort}`] } };
    const folder = workplace.folder();
    set.redisFolder = folder;
    try {
      await set.startRedis();
      for (let at = 0; at < count; at++) set.replicas.push({ name: `mortise-${at + 1}`, port: await freePort() });
      await Promise.all(set.replicas.map((_, at) => set.restart(at)));
      await set.#startNginx(workplace.folder(), editNginx);
    } catch (error) {
      await set.stop();
      throw error;
    }
    return set;
  }

  /** Ends a replica without warning. */
  async kill(at) {
    const { server } = this.replicas[at];
    this.replicas[at].isUp = false;
    server.child.kill('SIGKILL');
    await server.ended.catch(() => {});
  }

  /** Starts a replica again, on its port, and resolves when it listens. */
  async restart(at) {
    const replica = this.replicas[at];
    const reloads = this.#reloads;
    const command = this.#workplace.mortise(this.#settings, ['--http', '--port', `${replica.port}`]);
    replica.heapOf = addHeapProbe(command);
    command.env.State__Replica = replica.name;
    replica.server = startProcess(command);
    await replica.server.seen(/http:\/\/[^\s"]+\/mcp/);
    replica.isUp = true;
    if (this.#reloads !== reloads) replica.server.child.kill('SIGHUP');
  }

  /** Resolves when every replica can use the store. */
  async ready() {
    for (const { name, port } of this.replicas)
      await until(`${name} is ready`, async () => (await textAt(`http://127.0.0.1:${port}/readyz`)) === 'ready\n');
  }

  /** Has every replica read its plugins again, those that are starting as soon as they can. */
  reload() {
    this.#reloads += 1;
    for (const { server, isUp } of this.replicas) if (isUp) server.child.kill('SIGHUP');
  }

  async startRedis() {
    const args = ['--port', `${this.#redisPort}`, '--bind', '127.0.0.1', '--dir', this.redisFolder];
    args.push('--save', '', '--appendonly', 'yes', '--maxmemory-policy', 'noeviction');
    this.#redis = startProcess({ file: 'redis-server', args, env: { PATH }, cwd: this.redisFolder });
    this.#redis.child.stdout.resume();
    await Promise.race([this.#redis.ended, until('Redis answers', () => this.redis((client) => client.ping()))]);
  }

  /** Ends Redis with a signal. */
  async endRedis(signal) {
    this.#redis.child.kill(signal);
    await this.#redis.ended.catch(() => {});
  }

  /** Runs some commands on a connection of their own. */
  async redis(run) {
    const client = createClient({ url: `redis://127.0.0.1:${this.#redisPort}`, socket: { reconnectStrategy: false } });
    client.on('error', () => {});
    await client.connect();
    try {
      return await run(client);
    } finally {
      client.destroy();
    }
  }

  async stop() {
    await this.#nginx?.stop();
    // At SIGTERM they would wait for the tasks that still run.
    await Promise.all(this.replicas.map(({ server }) => server?.stop('SIGINT')));
    await this.#redis?.stop();
  }

  /** The routes of deploy/, with the addresses of these replicas. */
  #routes(text) {
    const server = ({ name }) => `  server ${name}:3333 max_fails=1 fail_timeout=2s;\n`;
    const upstream = text.slice(0, text.indexOf('}\n') + 2);
    const routes =
      this.replicas.length === NAMES.length
        ? text
        : upstream.replace(/( {2}server .*\n)+/, this.replicas.map(server).join('')) +
          'map $mortise_replica $mortise_upstream { default mortise; }\n';
    return this.replicas.reduce((conf, { name, port }) => conf.replaceAll(`${name}:3333`, `127.0.0.1:${port}`), routes);
  }

  async #startNginx(home, editNginx) {
    const port = await freePort();
    const conf = join(home, 'nginx.conf');
    mkdirSync(home, { recursive: true });
    cpSync(NGINX, home, { recursive: true });
    writeFileSync(conf, editNginx(readFileSync(conf, 'utf8')));
    writeFileSync(join(home, 'listen.conf'), `listen 127.0.0.1:${port};\n`);
    const routes = join(home, 'replicas.conf');
    writeFileSync(routes, this.#routes(readFileSync(routes, 'utf8')));
    const args = ['-p', home, '-c', conf, '-g', 'daemon off;'];
    this.#nginx = startProcess({ file: 'nginx', args, env: { PATH }, cwd: home });
    const isServing = async () => (await textAt(`http://127.0.0.1:${port}/healthz`)) !== undefined;
    await Promise.race([this.#nginx.ended, until('nginx answers', isServing)]);
    this.url = new URL(`http://127.0.0.1:${port}/mcp`);
  }
}

/** @returns undefined for any other status than 200 */
async function textAt(url) {
  const response = await fetch(url);
  return response.ok ? response.text() : undefined;
}

/** Resolves when `isTrue` gives a true value, whatever it throws before. */
async function until(what, isTrue) {
  const deadline = performance.now() + READY_MS;
  for (;;) {
    const value = await isTrue().catch(() => undefined);
    if (value) return;
    if (performance.now() > deadline) throw new Error(`Not within ${READY_MS} ms: ${what}`);
    await sleep(POLL_MS);
  }
}
