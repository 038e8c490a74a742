import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../client/index.mjs';
import { checkEcho, ECHO, SESSIONS } from '../client/protocol.mjs';
import { quantile } from '../stats.mjs';
import { freePort, GOOD_PLUGINS, LARGE_PLUGINS, STALL_PROBE } from '../workplace.mjs';

const WARM_UP_CALLS = 500;
const TARGET_RATIO = 2;
const TARGET_P99_MS = 10;
const TARGET_STALL_MS = 50;
const STALLS_MS = 5000;

const BODY_CHARS = 8_000_000;
const MAX_BODY_BYTES = 16_000_000;

const call = { method: 'tools/call', params: { name: 'bad' } };
const numbers = () => Array.from({ length: BODY_CHARS / 8 }, (_, index) => 1000.25 + (index % 9000));
const objects = () => Array.from({ length: BODY_CHARS / 16 }, (_, index) => ({ a: index % 10, b: 'word' }));
const callWith = (values) => ({ method: 'tools/call', params: { name: 'bad', arguments: { values } } });
const load = (plugin) => ({
  method: 'tools/call',
  params: { name: 'builtin_plugins', arguments: { action: 'Reload', plugin } },
});

/** What is asked of the server again as soon as it has answered, by the plugin that makes it hard. */
const CASES = {
  schema: { title: 'a schema of 10 MB', request: load('schema') },
  description: { title: 'a description of 10 MB', request: load('description') },
  tools: { title: '100,000 tools', request: load('tools') },
  blocks: { title: '1,000,000 blocks', request: call },
  text: { title: '30 MB of text', request: call },
  text_in_process: { title: '30 MB of text in process', plugin: 'text', isolation: 'none', request: call },
  churn: { title: 'lists that keep changing', request: call },
  registering: { title: '2,000 tools registered every 20 ms', request: call },
  text_body: {
    ...{ title: 'a body of 8 MB of text', plugin: 'body', transport: 'http' },
    request: callWith('word '.repeat(BODY_CHARS / 5)),
  },
  numbers_body: {
    ...{ title: 'a body of 8 MB of numbers', plugin: 'body', transport: 'http' },
    request: callWith(numbers()),
  },
  objects_body: {
    ...{ title: 'a body of 8 MB of small objects', plugin: 'body', transport: 'http' },
    request: callWith(objects()),
  },
  numbers_line: { title: 'a line of 8 MB of numbers', plugin: 'body', request: callWith(numbers()) },
  objects_line: { title: 'a line of 8 MB of small objects', plugin: 'body', request: callWith(objects()) },
  templates: {
    title: '100 templates and a URI that almost fits',
    request: { method: 'resources/read', params: { uri: `bad:${'a'.repeat(8000)}` } },
  },
};

const unit = 'µs';

/** A good plugin beside each of those that are too large, one after the other: rows and targets. */
export async function measureLarge(workplace, scale) {
  const rows = [];
  const targets = [];
  for (const [name, { title, plugin = name, transport = 'stdio', ...asked }] of Object.entries(CASES)) {
    const way = `${transport} ${SESSIONS}`;
    const { alone, loaded } = await measure(workplace, { name, plugin, transport, ...asked }, scale);
    const row = (measure, value) => rows.push({ measure, way, unit, values: { process: value } });
    const at = (side, share) => quantile(side.times, share);
    row(`a good plugin beside ${title}, p50 (alone ${Math.round(at(alone, 0.5))} µs)`, at(loaded, 0.5));
    row(`… p99 (alone ${Math.round(at(alone, 0.99))} µs)`, at(loaded, 0.99));
    row(`… longest stall of the server (alone ${Math.round(alone.stall.ms)} ms)`, loaded.stall.ms * 1000);
    row('… longest computation of the server', loaded.stall.cpuMs * 1000);
    const target = { target: `a good plugin beside ${title}`, over: 'alone' };
    targets.push(
      { ...target, unit: '× p50', value: at(loaded, 0.5) / at(alone, 0.5), atMost: TARGET_RATIO },
      { ...target, unit: 'ms more p99', value: (at(loaded, 0.99) - at(alone, 0.99)) / 1000, atMost: TARGET_P99_MS },
      {
        target: `the server beside ${title}`,
        unit: 'ms longest stall',
        value: loaded.stall.ms,
        atMost: TARGET_STALL_MS,
      },
    );
  }
  return { rows, targets };
}

async function measure(workplace, { name, request, plugin, transport, isolation }, { aloneMs, loadedMs }) {
  const Plugins = {
    ...{ Directory: [GOOD_PLUGINS, join(LARGE_PLUGINS, plugin)], MaxMemoryMb: 2048, LoadTimeoutMs: 60_000 },
    ...(isolation && { Isolation: isolation }),
  };
  const server = workplace.mortise(
    { Plugins, Http: { MaxBodyBytes: MAX_BODY_BYTES } },
    transport === 'http' ? ['--http', '--port', `${await freePort()}`] : [],
  );
  const { stalls, command } = withStallProbe(server);
  const client = await connect(command, { transport, version: SESSIONS });
  await client.request('tools/list');
  for (let call = 0; call < WARM_UP_CALLS; call++) checkEcho(await client.request('tools/call', ECHO));
  await longestStall(client, stalls);
  const alone = { times: await echoesFor(client, aloneMs), stall: await longestStall(client, stalls) };
  let isOver = false;
  let answered = 0;
  const askAgainAndAgain = async () => {
    while (!isOver) {
      await client.request(request.method, request.params);
      answered++;
    }
  };
  const bad = Promise.allSettled([askAgainAndAgain()]);
  const loaded = { times: await echoesFor(client, loadedMs), stall: await longestStall(client, stalls) };
  isOver = true;
  await client.stop();
  await bad;
  if (answered === 0) console.error(`${name}: no request of the large plugin was answered in ${loadedMs} ms`);
  return { alone, loaded };
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
