import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProcess } from '../../bench/client/process.mjs';
import { paramsFor, SESSIONS, STATELESS } from '../../bench/client/protocol.mjs';
import { quantile } from '../../bench/stats.mjs';
import { createWorkplace, freePort } from '../../bench/workplace.mjs';
import { openHttp } from '../load/clients.mjs';
import { writeBadPlugins } from '../neighbours/bad-plugins.mjs';
import { callGood, GOOD } from '../neighbours/good-caller.mjs';

const COUNT = 100;
const SHORT_COUNT = 30;
const BUSY = 10;
const WARM_UP_MS = 2_000;
const TIMES_MS = { alone: 5_000, beside: 15_000 };
const SHORT_TIMES_MS = { alone: 500, beside: 1_500 };
const CONTROL_TIMES_MS = { alone: 2_000, beside: 5_000 };
const MAX_TIMES_P50 = 2;
const MAX_MORE_P99_MS = 20;
const ANSWER_MS = 60_000;
const HANG = new URL('../faults/hang.mjs', import.meta.url).href;

/** A server over HTTP with a good plugin and bad ones. */
async function openServer({ random, count, faults = [] }) {
  const workplace = createWorkplace();
  const plugins = workplace.folder();
  const bad = writeBadPlugins(plugins, { random, count });
  writeFileSync(join(plugins, 'good.mjs'), GOOD);
  // What a bad plugin goes on with after its calls ends with its process.
  const settings = { Plugins: { Directory: plugins, LoadTimeoutMs: 3_000, IdleMs: 1_000 } };
  const command = workplace.mortise(settings, ['--http', '--port', `${await freePort()}`]);
  command.args = [...faults.map((module) => `--import=${module}`), ...command.args];
  const server = startProcess(command);
  const url = new URL(await server.seen(/http:\/\/[^\s"]+\/mcp/));
  const client = await openHttp(url, SESSIONS);
  const { message } = await client.request('tools/list');
  await callGood(client, { forMs: WARM_UP_MS });
  return {
    ...{ bad, url, client, pid: server.pid, tools: message.result.tools },
    async stop() {
      client.disconnect();
      await server.stop();
      workplace.remove();
    },
  };
}

/** Calls the good plugin alone, and then beside bad ones that are called again whenever their call has ended. */
async function measure({ client, url }, some, { alone, beside, onBeside = () => {} }) {
  const before = await callGood(client, { forMs: alone });
  const state = { isOver: false, answered: 0, failures: [] };
  const calling = some.map((plugin) => callBad(url, plugin, state));
  onBeside();
  const loaded = await callGood(client, { forMs: beside });
  state.isOver = true;
  await Promise.all(calling);
  const failures = [...before.failures, ...loaded.failures, ...state.failures];
  return { alone: before.times, beside: loaded.times, answered: state.answered, failures };
}

/** Answers are not looked at: reading the largest ones would delay the good plugin's calls, which this process measures. */
async function callBad(url, { name, what }, state) {
  while (!state.isOver) {
    try {
      const status = await statusOf(url, name);
      state.answered += 1;
      if (status !== 200) state.failures.push(`${name} (${what}): status ${status}`);
    } catch (error) {
      state.failures.push(`${name} (${what}): ${error.message}`);
      return;
    }
    // One that has no tool is refused immediately.
    await sleep(20);
  }
}

function statusOf(url, name) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': STATELESS,
    'mcp-method': 'tools/call',
    'mcp-name': name,
  };
  const params = paramsFor(STATELESS, { name, arguments: {} });
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, timeout: ANSWER_MS }, (response) => {
      response.on('error', reject).on('end', () => resolve(response.statusCode));
      response.resume();
    });
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${ANSWER_MS} ms`))).on('error', reject);
    sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
  });
}

/** What a list lacks: the good tool as it was, and the tool of each bad plugin that has registered one. */
async function listFailures({ client, bad, tools }) {
  const { message } = await client.request('tools/list');
  const now = new Map(message.result?.tools.map((tool) => [tool.name, JSON.stringify(tool)]));
  const isGood = now.get('good') === JSON.stringify(tools.find(({ name }) => name === 'good'));
  const missing = bad.filter(({ name, isListed }) => isListed && !now.has(name));
  return [
    ...(isGood ? [] : [`the list has the good tool as ${now.get('good')}`]),
    ...missing.map(({ name, what }) => `the list lacks ${name} (${what})`),
  ];
}

function compare(rounds) {
  const of = (when, share) =>
    quantile(
      rounds.flatMap((round) => round[when]),
      share,
    );
  const p50 = { alone: of('alone', 0.5), beside: of('beside', 0.5) };
  const p99 = { alone: of('alone', 0.99), beside: of('beside', 0.99) };
  const text = (name, { alone, beside }) =>
    `${name} ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside bad ones`;
  const [p50Text, p99Text] = [text('p50', p50), text('p99', p99)];
  const failures = [];
  if (p50.beside > p50.alone * MAX_TIMES_P50) failures.push(p50Text);
  if (p99.beside > p99.alone + MAX_MORE_P99_MS) failures.push(p99Text);
  return { failures, notes: [`${p50Text}; ${p99Text}`] };
}

/** A hundred bad plugins, ten of which are busy at a time, beside a good one. */
export const badNeighbours = {
  name: 'bad-neighbours',
  async run({ random, seed, isShort, signal }) {
    const server = await openServer({ random, count: isShort ? SHORT_COUNT : COUNT });
    const rounds = [];
    const failures = await listFailures(server);
    try {
      for (let from = 0; from < server.bad.length && !signal?.aborted; from += BUSY) {
        const some = server.bad.slice(from, from + BUSY);
        const round = await measure(server, some, isShort ? SHORT_TIMES_MS : TIMES_MS);
        rounds.push(round);
        failures.push(...round.failures, ...(await listFailures(server)));
      }
    } finally {
      await server.stop();
    }
    const times = compare(rounds);
    if (!isShort) failures.push(...times.failures);
    const answered = rounds.reduce((sum, round) => sum + round.answered, 0);
    return {
      tried: rounds.reduce((sum, { alone, beside }) => sum + alone.length + beside.length, answered),
      failures: failures.map((text) => `--seed ${seed}: ${text}`),
      notes: [`${server.bad.length} bad plugins, ${answered} calls of them`, ...times.notes],
    };
  },
  /** The server's own loop stands still for two seconds. */
  async control({ random }) {
    const server = await openServer({ random, count: 0, faults: [HANG] });
    try {
      const onBeside = () => process.kill(server.pid, 'SIGUSR2');
      const { failures } = compare([await measure(server, [], { ...CONTROL_TIMES_MS, onBeside })]);
      return failures.length > 0;
    } finally {
      await server.stop();
    }
  },
};
