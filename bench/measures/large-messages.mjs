import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../client/index.mjs';
import { checkEcho, ECHO, SESSIONS } from '../client/protocol.mjs';
import { makeShape, SHAPE_NAMES } from '../shapes.mjs';
import { median } from '../stats.mjs';
import { freePort, GOOD_PLUGINS, LARGE_PLUGINS, STALL_PROBE } from '../workplace.mjs';

const WARM_UP_CALLS = 500;
const TARGET_MS = 100;
const STALLS_MS = 5000;
/** Between two large messages, so that the echoes between them are answered. */
const PAUSE_MS = 50;

const MIB = 1024 * 1024;
/** Just within the defaults. */
const LIMITS = { bytes: 7.9 * MIB, values: 98_000, depth: 60, blocks: 4900, metaBytes: 60_000 };

const call = (name, args) => ({ method: 'tools/call', params: { name, arguments: args } });
const load = (plugin) => call('builtin_plugins', { action: 'Reload', plugin });

/** What is asked of the server again and again: what one plugin, or one client, makes as large as it may be. */
const CASES = [
  ...SHAPE_NAMES.map((shape) => ({
    title: `a result: ${shape}`,
    plugin: 'shapes',
    request: () => call('make', { shape, limits: LIMITS }),
  })),
  ...['stdio', 'http'].flatMap((transport) =>
    SHAPE_NAMES.filter((shape) => !['many blocks', 'large _meta'].includes(shape)).map((shape) => ({
      title: `arguments over ${transport}: ${shape}`,
      plugin: 'shapes',
      transport,
      request: () => call('take', { value: makeShape(shape, LIMITS) }),
    })),
  ),
  { title: 'a schema of 10 MB', plugin: 'schema', request: () => load('schema') },
  { title: 'a description of 10 MB', plugin: 'description', request: () => load('description') },
  { title: '100,000 tools', plugin: 'tools', request: () => load('tools') },
  { title: 'lists that keep changing', plugin: 'churn', request: () => call('bad') },
  { title: '2,000 tools registered every 20 ms', plugin: 'registering', request: () => call('bad') },
  {
    title: '100 templates and a URI that almost fits',
    plugin: 'templates',
    request: () => ({ method: 'resources/read', params: { uri: `bad:${'a'.repeat(8000)}` } }),
  },
];

const unit = 'ms';

/** Measures by how much messages of the maximum size delay the calls of another plugin. Each case has a server of its own. */
export const largeMessages = {
  name: 'large-messages',
  meanings: [
    [
      'beside a result, beside arguments, beside …',
      'Echoes one after the other, while one message after the other is sent that is just within the limits, with pauses of 50 ms: by how much the slowest echo took longer than the median of those alone; and what the thread of the server computed at a stretch, at most, which other programs on the machine lengthen less.',
    ],
  ],
  async run({ workplace, scale }) {
    const rows = [];
    const targets = [];
    for (const { title, ...asked } of CASES) {
      const { delayMs, computedMs } = await measure(workplace, asked, scale.neighbours);
      const row = (measure, process) =>
        rows.push({ measure, way: `${asked.transport ?? 'stdio'} ${SESSIONS}`, unit, values: { process } });
      row(`beside ${title}, longest delay`, delayMs);
      row('… longest computation of the server', computedMs);
      targets.push({ target: `beside ${title}`, unit: 'ms delay', value: delayMs, atMost: TARGET_MS });
    }
    return { rows, targets };
  },
};

async function measure(workplace, { request, plugin, transport = 'stdio' }, { aloneMs, loadedMs }) {
  const Directory = [GOOD_PLUGINS, join(LARGE_PLUGINS, plugin)];
  const Plugins = { Directory, MaxMemoryMb: 2048, LoadTimeoutMs: 60_000 };
  const args = transport === 'http' ? ['--http', '--port', `${await freePort()}`] : [];
  const { stalls, command } = withStallProbe(workplace.mortise({ Plugins }, args));
  const client = await connect(command, { transport, version: SESSIONS });
  await client.request('tools/list');
  const { method, params } = request();
  for (let call = 0; call < WARM_UP_CALLS; call++) checkEcho(await client.request('tools/call', ECHO));
  await client.request(method, params);
  const alone = await echoesFor(client, aloneMs);
  await longestStall(client, stalls);
  let isOver = false;
  let answered = 0;
  const askAgainAndAgain = async () => {
    while (!isOver) {
      await client.request(method, params);
      answered++;
      await delay(PAUSE_MS);
    }
  };
  const asking = Promise.allSettled([askAgainAndAgain()]);
  const loaded = await echoesFor(client, loadedMs);
  const { cpuMs } = await longestStall(client, stalls);
  isOver = true;
  await client.stop();
  await asking;
  if (answered === 0) console.error(`${plugin}: no large message was answered in ${loadedMs} ms`);
  return {
    delayMs: (loaded.reduce((most, time) => Math.max(most, time), 0) - median(alone)) / 1000,
    computedMs: cpuMs,
  };
}

/** The command of a server that tells how long its event loop stood still, and the file that it writes that into. */
export function withStallProbe(server) {
  const stalls = join(server.cwd, 'stalls.json');
  const env = { ...server.env, BENCH_STALLS: stalls };
  return { stalls, command: { ...server, env, args: ['--import', STALL_PROBE, ...server.args] } };
}

/** `{ms, cpuMs}` since it was asked last. */
export async function longestStall(client, file) {
  rmSync(file, { force: true });
  process.kill(client.pid, 'SIGUSR2');
  const endsAt = performance.now() + STALLS_MS;
  while (performance.now() < endsAt) {
    try {
      return JSON.parse(readFileSync(file, 'utf8'));
    } catch {
      await delay(10);
    }
  }
  throw new Error('The server did not say how long it stood still');
}

/** Microseconds of each call. */
export async function echoesFor(client, ms) {
  const times = [];
  const endsAt = performance.now() + ms;
  while (performance.now() < endsAt) {
    const response = await client.request('tools/call', ECHO);
    checkEcho(response);
    times.push(response.ms * 1000);
  }
  return times;
}
