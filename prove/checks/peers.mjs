import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProcess } from '../../bench/client/process.mjs';
import { checkEcho, ECHO } from '../../bench/client/protocol.mjs';
import { usageOf } from '../../bench/processes.mjs';
import { commandOf, SERVERS, serversFor, WAYS } from '../../bench/servers.mjs';
import { median, quantile } from '../../bench/stats.mjs';
import { createWorkplace } from '../../bench/workplace.mjs';
import { openHttp, openStdio } from '../load/clients.mjs';

const CLIENTS = 50;
/** Every tenth request of a client is a list. */
const LIST_EVERY = 10;
const ROUNDS = 3;
const TIMES_MS = { warmUp: 2_000, measured: 6_000 };
const SHORT_TIMES_MS = { warmUp: 200, measured: 500 };
const GIVE_UP_MS = 60_000;
const NAMES = ['bareSdk', 'fastmcp', 'csharp', 'inProcess', 'process'];
const OWN = ['inProcess', 'process'];
const PROXY = new URL('../faults/proxy.mjs', import.meta.url).pathname;
const FIGURES = {
  'requests/s': ({ rate }) => rate.toFixed(0),
  'ms p50': ({ p50 }) => p50.toFixed(1),
  'ms p99': ({ p99 }) => p99.toFixed(1),
  MB: ({ mb }) => mb.toFixed(0),
};
const KEYS = { 'requests/s': 'rate', 'ms p50': 'p50', 'ms p99': 'p99', MB: 'mb' };

/** Fifty clients over HTTP, or fifty requests at a time of one client over stdio, each without a pause. */
async function measure(command, { transport, version }, { warmUp, measured }) {
  const server = startProcess(command);
  const clients = [];
  try {
    if (transport === 'http') {
      const url = new URL(await server.seen(/http:\/\/[^\s"]+\/mcp/));
      for (let client = 0; client < CLIENTS; client++) clients.push(await openHttp(url, version));
    } else clients.push(...new Array(CLIENTS).fill(await openStdio(server, version)));
    await clients[0].request('tools/list');
    const state = { isOver: false, times: [], errors: [] };
    const running = Promise.all(clients.map((client) => requestUntilOver(client, state)));
    await sleep(warmUp);
    const startedAt = performance.now();
    state.times.length = 0;
    await Promise.race([sleep(measured), server.ended]);
    const times = state.times.slice();
    const ms = performance.now() - startedAt;
    const { self, children } = usageOf(server.pid) ?? { self: { rssMb: 0 }, children: { rssMb: 0 } };
    state.isOver = true;
    const isAnswered = await Promise.race([running, sleep(GIVE_UP_MS, undefined, { ref: false })]);
    if (!isAnswered) state.errors.push(`requests have no answer within ${GIVE_UP_MS} ms`);
    return {
      rate: (times.length * 1000) / ms,
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      mb: self.rssMb + children.rssMb,
      count: times.length,
      errors: state.errors,
    };
  } finally {
    for (const client of clients) client.disconnect();
    await server.stop();
  }
}

async function requestUntilOver(client, state) {
  for (let number = 1; !state.isOver; number++) {
    try {
      const isList = number % LIST_EVERY === 0;
      const answer = await (isList ? client.request('tools/list') : client.request('tools/call', ECHO));
      state.times.push(answer.ms);
      if (!isList) checkEcho(answer);
      else if (!answer.message.result?.tools?.some(({ name }) => name === ECHO.name))
        throw new Error(`No list: ${JSON.stringify(answer.message).slice(0, 500)}`);
    } catch (error) {
      state.errors.push(error.message);
      // A server that has ended answers nothing more.
      await sleep(10);
    }
  }
}

/** The servers that can be measured here, and why the others cannot. */
function availableServers(workplace) {
  const missing = new Map();
  if (!existsSync(new URL('../../bench/node_modules/fastmcp', import.meta.url)))
    missing.set('fastmcp', 'it is not installed: run `npm ci --prefix bench`');
  if (!SERVERS.csharp.isThere()) missing.set('csharp', 'dotnet is not installed');
  else {
    try {
      workplace.csharp([]);
    } catch (error) {
      missing.set('csharp', `it cannot be built: ${error.message.split('\n')[0]}`);
    }
  }
  return { names: NAMES.filter((name) => !missing.has(name)), missing };
}

/** The median of each figure over the rounds. The order of the servers changes with each round. */
async function compare(workplace, way, { names, isShort, signal }) {
  const rounds = new Map(names.map((name) => [name, []]));
  for (let round = 0; round < (isShort ? 1 : ROUNDS) && !signal?.aborted; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed())
      rounds
        .get(name)
        .push(await measure(await commandOf(name, workplace, way), way, isShort ? SHORT_TIMES_MS : TIMES_MS));
  }
  return new Map(
    [...rounds].map(([name, results]) => {
      const figures = Object.values(KEYS).map((key) => [key, median(results.map((result) => result[key]))]);
      const count = results.reduce((sum, result) => sum + result.count, 0);
      return [name, { ...Object.fromEntries(figures), count, errors: results.flatMap(({ errors }) => errors) }];
    }),
  );
}

/** A line for each server: its figures, and how they relate to those of the bare SDK. */
function notesOf({ title }, results) {
  const reference = results.get('bareSdk');
  return [...results].map(([name, result]) => {
    const figures = Object.entries(FIGURES).map(([unit, text]) => {
      const ratio = result[KEYS[unit]] / reference[KEYS[unit]];
      return `${text(result)} ${unit}${name === 'bareSdk' ? '' : ` (${ratio.toFixed(2)} ×)`}`;
    });
    return `${title}, ${SERVERS[name].title}: ${figures.join(', ')}, ${result.errors.length} errors`;
  });
}

/** The same requests to other servers and to ours, in turns; figures of the others are no failures. */
export const peers = {
  name: 'peers',
  async run({ isShort, signal }) {
    const workplace = createWorkplace();
    try {
      const { names: available, missing } = availableServers(workplace);
      const notes = [...missing].map(([name, why]) => `not run: ${SERVERS[name].title}: ${why}`);
      const failures = [];
      let tried = 0;
      for (const way of WAYS) {
        if (signal?.aborted) break;
        const names = serversFor(way, { names: available });
        const results = await compare(workplace, way, { names, isShort, signal });
        notes.push(...notesOf(way, results));
        for (const name of available.filter((other) => !names.includes(other)))
          notes.push(`${way.title}: ${SERVERS[name].title} does not serve this way`);
        for (const name of OWN) {
          const { count, errors } = results.get(name);
          tried += count;
          failures.push(...errors.map((error) => `${way.title}, ${SERVERS[name].title}: ${error}`));
        }
      }
      return { tried, failures, notes };
    } finally {
      workplace.remove();
    }
  },
  /** One call is answered with an error. */
  async control() {
    const workplace = createWorkplace();
    try {
      const [way] = WAYS;
      const { args, ...command } = await commandOf('process', workplace, way);
      const faulty = { ...command, args: [PROXY, 'error', '30', process.execPath, ...args] };
      const { errors } = await measure(faulty, way, SHORT_TIMES_MS);
      return errors.length === 1;
    } finally {
      workplace.remove();
    }
  },
};
