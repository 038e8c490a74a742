import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProcess } from '../../bench/client/process.mjs';
import { SESSIONS, STATELESS } from '../../bench/client/protocol.mjs';
import { freePort } from '../../bench/workplace.mjs';
import { processIds, procStat, readProc } from '../../packages/process/build/proc.js';
import { addHeapProbe } from '../heap.mjs';
import { openHttp, openStdio } from '../load/clients.mjs';

const HTTP_CLIENTS = 48;
/** A client over stdio has a server of its own, and makes so many calls at a time. */
const STDIO_CALLS = 12;
const SETTLE_MS = 60_000;
/** Threads end after ten seconds without work. */
const STEADY_MS = 12_000;
const POLL_MS = 100;
const WARM_UP = ['steady', 'versioned', 'shaky'];

/**
 * Three servers on one plugins folder: one over HTTP for 48 clients, and one over stdio for a client of each version. With
 * faults there is only the one over HTTP, which has them.
 */
export async function startServers(workplace, plugins, { faults = [] } = {}) {
  const http = await startServer({ workplace, plugins, name: 'http', faults });
  const clients = await Promise.all(
    Array.from({ length: HTTP_CLIENTS }, (_, index) => openHttp(http.url, index % 2 === 0 ? SESSIONS : STATELESS)),
  );
  const servers = [{ ...http, clients }];
  for (const version of faults.length > 0 ? [] : [SESSIONS, STATELESS]) {
    const server = await startServer({ workplace, plugins, name: `stdio ${version}` });
    servers.push({ ...server, clients: [await openStdio(server.process, version)] });
  }
  const soaked = servers.map((server) => new SoakedServer(server));
  const callersOf = (server) =>
    Array.from({ length: server.isHttp ? 1 : STDIO_CALLS }, () => server.clients.map((client) => ({ client, server })));
  return { servers: soaked, callers: soaked.flatMap(callersOf).flat() };
}

/** That over stdio watches its files; that over HTTP is told by a signal. */
async function startServer({ workplace, plugins, name, faults = [] }) {
  const isHttp = name === 'http';
  const args = isHttp ? ['--http', '--port', `${await freePort()}`] : ['--watch'];
  const command = workplace.mortise({ Plugins: { Directory: plugins } }, args);
  // Another proof can run on this machine.
  const id = `${name} of ${process.pid}`;
  const heapOf = addHeapProbe(command);
  command.env.PROVE_SERVER = id;
  command.args = [...faults.map((module) => `--import=${module}`), ...command.args];
  const server = startProcess(command);
  const url = isHttp ? new URL(await server.seen(/http:\/\/[^\s"]+\/mcp/)) : undefined;
  return { name, isHttp, url, process: server, marker: `PROVE_SERVER=${id}\0`, heapOf };
}

class SoakedServer {
  calls = 0;
  #process;
  #marker;
  #heapOf;

  constructor({ name, isHttp, process, marker, heapOf, clients }) {
    Object.assign(this, { name, isHttp, clients });
    this.#process = process;
    this.#marker = marker;
    this.#heapOf = heapOf;
  }

  /** Has the server read its plugins again; that over stdio does so by itself. */
  reload() {
    if (this.isHttp) process.kill(this.#process.pid, 'SIGHUP');
  }

  stop = () => this.#process.stop();

  /** The bytes of the heap and of all memory, and the calls until now. The reloaded plugin has to answer in this version. */
  async measure(version) {
    const problem = await this.#callAll(version);
    const { pid } = this.#process;
    const heap = await this.#heapOf(pid);
    const resident = Number(/^VmRSS:\s+(\d+)/m.exec(readProc(pid, 'status'))[1]) * 1024;
    return { problem, heap, resident, calls: this.calls };
  }

  /**
   * What each handle of the server is, and its processes, while nothing is called and each plugin has a process. Waits until
   * these do not change any more, or are not more than `before`.
   */
  async held(before) {
    for (const client of this.clients) client.disconnect();
    const deadline = performance.now() + SETTLE_MS;
    let held = this.#held();
    let sinceMs = performance.now();
    for (;;) {
      await sleep(POLL_MS);
      const now = this.#held();
      if (!isSame(now, held)) sinceMs = performance.now();
      held = now;
      const isDone = before ? isWithin(held, before) : performance.now() - sinceMs > STEADY_MS;
      if (isDone || performance.now() > deadline) return held;
    }
  }

  /** Calls each plugin until it answers, the reloaded one in its newest version. */
  async #callAll(version) {
    const [client] = this.clients;
    const deadline = performance.now() + SETTLE_MS;
    for (const name of WARM_UP) {
      const expected = name === 'versioned' ? `${version} text` : 'text';
      for (;;) {
        const { message } = await client.request('tools/call', { name, arguments: { text: 'text' } });
        if (message.result?.content?.[0]?.text === expected) break;
        if (performance.now() > deadline) return `${name} is not '${expected}' but ${JSON.stringify(message)}`;
        await sleep(POLL_MS);
      }
    }
    return undefined;
  }

  #held() {
    const { pid } = this.#process;
    const processes = processIds().flatMap((id) => {
      const stat = procStat(id);
      if (stat?.isZombie) return stat.parent === pid ? ['zombie'] : [];
      return readProc(id, 'environ').includes(this.#marker) ? [kindOf(readProc(id, 'cmdline'))] : [];
    });
    return { handles: handlesOf(pid), processes: processes.sort() };
  }
}

const isWithin = (one, other) =>
  one.handles.length <= other.handles.length && one.processes.length <= other.processes.length;
const isSame = (one, other) => isWithin(one, other) && isWithin(other, one);

const kindOf = (line) => /[^/\0]+\.[cm]?js/.exec(line)?.[0] ?? line;

/** What each handle of a process is of. */
function handlesOf(pid) {
  return readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).replace(/:\[\d+\]/, '');
    } catch {
      return 'closed';
    }
  });
}
