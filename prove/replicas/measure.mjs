// Replicas behind the nginx of deploy/, with one Redis: calls per second, and operations on the store per call.
//   node prove/replicas/measure.mjs [--seconds <n>] [--clients <n>]
// The clients, nginx, Redis and all replicas share the processors of this machine.
import { writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { stopAll } from '../../bench/client/process.mjs';
import { SESSIONS, STATELESS } from '../../bench/client/protocol.mjs';
import { quantile } from '../../bench/stats.mjs';
import { createWorkplace } from '../../bench/workplace.mjs';
import { openHttp } from '../load/clients.mjs';
import { countOperations } from './operations.mjs';
import { ReplicaSet } from './replica-set.mjs';

const COUNTS = [1, 2, 4];
const WARM_UP_MS = 2_000;
const TASK_MS = 300;
const PLUGIN = `
const inputSchema = { type: 'object', properties: { ms: { type: 'integer' } } };
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export function register(api) {
  api.registerTool({ name: 'echo', description: 'Answers.', inputSchema, run: () => 'text' });
  api.registerTool({ name: 'waits', description: 'Waits.', inputSchema, run: ({ ms }) => wait(ms).then(() => 'text') });
}`;
/** So many of each are opened at one replica, to learn what one takes. */
const OPENED = { sessions: 400, streams: 500, tasks: 200 };
const WARM_UP_SESSIONS = 100;
const PRINCIPALS = ['plain', 'other'];
const keyOf = (name) => `${name}-has-this-key-of-32-characters-or-more`;
const KEYS = [
  { Name: 'plain', Key: keyOf('plain') },
  { Name: 'other', Key: keyOf('other') },
  { Name: 'limited', Key: keyOf('limited'), Limits: { CallsPerSecond: 100_000 } },
];
const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '8' }, clients: { type: 'string', default: '64' } },
});
const MEASURED_MS = Number(values.seconds) * 1_000;
const CLIENTS = Number(values.clients);

const workplace = createWorkplace();
try {
  const plugins = workplace.folder();
  writeFileSync(join(plugins, 'measured.mjs'), PLUGIN);
  const lines = [];
  for (const count of COUNTS) lines.push(await measure(plugins, count));
  const head = ['replicas', 'echo', 'echo, limited', 'waits 50 ms', 'operations: echo', 'limited echo', 'task'];
  console.log(`${CLIENTS} clients, ${availableParallelism()} processors, load ${loadavg()[0].toFixed(1)} at the end\n`);
  console.log(`| ${head.join(' | ')} |\n|${'--:|'.repeat(head.length)}\n${lines.join('\n')}\n`);
  for (const line of await measureMemory(plugins)) console.log(line);
} finally {
  await stopAll();
  workplace.remove();
}

async function measure(plugins, count) {
  const settings = { Plugins: { Directory: plugins }, Tasks: { AfterMs: 100 }, Auth: { Keys: KEYS } };
  const set = await ReplicaSet.start(workplace, { settings, count });
  await set.ready();
  try {
    const cells = [];
    const operations = [];
    for (const [name, key] of [
      ['echo', 'plain'],
      ['echo', 'limited'],
      ['waits', 'plain'],
    ]) {
      const measured = await callFor(set, { name, arguments: { ms: 50 } }, key);
      cells.push(
        `${Math.round(measured.perSecond)} a second, p50 ${measured.p50.toFixed(0)} ms, p99 ${measured.p99.toFixed(0)} ms`,
      );
      if (name === 'echo') operations.push(measured.operations.toFixed(3));
    }
    operations.push((await operationsOfTasks(set)).toFixed(2));
    return `| ${[count, ...cells, ...operations].join(' | ')} |`;
  } finally {
    await set.stop();
  }
}

/** Each client calls again when its call is answered. */
async function callFor(set, params, key) {
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, () => openHttp(set.url, STATELESS, { key: keyOf(key) })),
  );
  let isOver = false;
  let times = [];
  const calling = clients.map(async (client) => {
    while (!isOver) {
      const { message, ms } = await client.request('tools/call', params);
      if (message.result?.content?.[0]?.text !== 'text') throw new Error(JSON.stringify(message));
      times.push(ms);
    }
  });
  await sleep(WARM_UP_MS);
  times = [];
  const startedAt = performance.now();
  const operations = await countOperations(set, () => sleep(MEASURED_MS));
  const seconds = (performance.now() - startedAt) / 1_000;
  const measured = times;
  isOver = true;
  await Promise.all(calling);
  for (const client of clients) client.disconnect();
  return {
    perSecond: measured.length / seconds,
    p50: quantile(measured, 0.5),
    p99: quantile(measured, 0.99),
    operations: operations / measured.length,
  };
}

/** Tasks that nobody asks for until they have ended. */
async function operationsOfTasks(set) {
  const client = await openHttp(set.url, STATELESS, { key: keyOf('plain'), capabilities: TASKS });
  const operations = await countOperations(set, async () => {
    const calls = Array.from({ length: CLIENTS / 2 }, () =>
      client.request('tools/call', { name: 'waits', arguments: { ms: TASK_MS } }),
    );
    for (const { message } of await Promise.all(calls))
      if (message.result?.resultType !== 'task') throw new Error(JSON.stringify(message));
    await sleep(2 * TASK_MS);
  });
  client.disconnect();
  return operations / (CLIENTS / 2);
}

/** The memory of one replica and of Redis, by session, stream and task, and the processor time of Redis. */
async function measureMemory(plugins) {
  const settings = {
    ...{ Plugins: { Directory: plugins, MaxConcurrentCalls: 1_000 }, Auth: { Keys: KEYS } },
    Tasks: { AfterMs: 100, MaxOpen: 1_000, MaxOpenPerPrincipal: 1_000 },
  };
  const set = await ReplicaSet.start(workplace, { settings, count: 1 });
  await set.ready();
  const [replica] = set.replicas;
  const url = new URL(`http://127.0.0.1:${replica.port}/mcp`);
  const heap = () => replica.heapOf(replica.server.pid);
  const lines = [];
  const clients = [];
  async function open(version, key) {
    const capabilities = version === STATELESS ? TASKS : {};
    const client = await openHttp(url, version, { key: keyOf(key), capabilities });
    clients.push(client);
    return client;
  }
  const grow = async (what, of, run) => {
    const before = await of();
    await run();
    lines.push(`${what}: ${((await of()) - before) / OPENED[what.split(' ')[0]]} bytes each`);
  };
  try {
    await (await open(STATELESS, 'plain')).request('tools/call', { name: 'echo', arguments: {} });
    // What is made once is made before.
    for (let at = 0; at < WARM_UP_SESSIONS; at++) (await open(SESSIONS, PRINCIPALS[at % 2])).listen().catch(() => {});
    const stored = () =>
      set.redis(async (client) => Number(/used_memory:(\d+)/.exec(await client.sendCommand(['INFO', 'memory']))[1]));
    await grow('tasks with a short result, memory of Redis', stored, async () => {
      const client = await open(STATELESS, 'plain');
      const call = () => client.request('tools/call', { name: 'waits', arguments: { ms: TASK_MS } });
      await Promise.all(Array.from({ length: OPENED.tasks }, call));
      await sleep(2 * WARM_UP_MS);
    });
    await grow('streams of subscriptions/listen, heap of the replica', heap, async () => {
      for (let at = 0; at < OPENED.streams; at++) {
        const client = await open(STATELESS, PRINCIPALS[at % 2]);
        const params = { notifications: { toolsListChanged: true } };
        client.request('subscriptions/listen', params).catch(() => {});
      }
      await sleep(WARM_UP_MS);
    });
    await grow('sessions with a stream, heap of the replica', heap, async () => {
      for (let at = 0; at < OPENED.sessions; at++) (await open(SESSIONS, PRINCIPALS[at % 2])).listen().catch(() => {});
      await sleep(WARM_UP_MS);
    });
    const connections = await set.redis(async (client) => String(await client.sendCommand(['CLIENT', 'LIST'])));
    lines.push(`connections of the replica to Redis: ${connections.match(/name=mortise:/g).length}`);
    const histogram = await set.redis((client) => client.sendCommand(['LATENCY', 'HISTOGRAM', 'evalsha']));
    lines.push(`microseconds of Redis for a script, and how many scripts took no longer: ${JSON.stringify(histogram)}`);
    return lines;
  } finally {
    for (const client of clients) client.disconnect();
    await set.stop();
  }
}
