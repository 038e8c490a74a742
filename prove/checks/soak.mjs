import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../../bench/stats.mjs';
import { createWorkplace } from '../../bench/workplace.mjs';
import { SoakLoad } from '../soak/load.mjs';
import { writePlugins, writeReloaded } from '../soak/plugins.mjs';
import { startServers } from '../soak/servers.mjs';

const MINUTES = 60;
const SHORT_SECONDS = 10;
/** So many calls that what the planted leak keeps is far more than the slack, and the longest time for them. */
const CONTROL = { calls: 6_000, meanPauseMs: 20, totalMs: 180_000 };
/** The load pauses after each round, and what the servers hold is measured. The first round warms them up. */
const ROUNDS = 6;
/** Or twice in a short round. */
const RELOAD_MS = 5_000;
const GIVE_UP_MS = 30_000;
const FIRST_MINUTE_MS = 60_000;
const MAX_TIMES_P99 = 2;
/** Half of the leak that the control plants. */
const MAX_BYTES_PER_CALL = 512;
/** Code that is compiled, and caches, whatever the number of calls. */
const SLACK_BYTES = 2 * 1024 * 1024;
/** In a short run, the first round has too few calls to warm a server up. */
const SHORT_SLACK_BYTES = 8 * 1024 * 1024;
const LEAK = new URL('../faults/leak.mjs', import.meta.url).href;
const DROP = new URL('../faults/drop.mjs', import.meta.url).href;

async function soakServers({
  random,
  seed,
  signal,
  totalMs,
  calls,
  judgesTimes,
  giveUpMs = GIVE_UP_MS,
  slackBytes = SLACK_BYTES,
  faults,
  meanPauseMs,
}) {
  const workplace = createWorkplace();
  const plugins = workplace.folder();
  writePlugins(plugins);
  const { servers, callers } = await startServers(workplace, plugins, { faults });
  const load = new SoakLoad({ callers, random, giveUpMs, meanPauseMs });
  const problems = [];
  const rows = servers.map((server) => ({ server, measured: [], held: [] }));
  let version = 0;
  const reload = () => {
    writeReloaded(plugins, ++version);
    for (const server of servers) server.reload();
  };
  const startedAt = performance.now();
  try {
    for (let round = 1; round <= ROUNDS && !signal?.aborted; round++) {
      const timer = faults ? undefined : setInterval(reload, Math.min(RELOAD_MS, totalMs / ROUNDS / 2));
      load.start();
      if (calls === undefined) await sleep(totalMs / ROUNDS, undefined, { signal }).catch(() => {});
      else await untilCalled(load, (calls * round) / ROUNDS, { maxMs: totalMs / ROUNDS, signal });
      clearInterval(timer);
      await load.stop();
      for (const { server, measured } of rows) {
        const now = await server.measure(version);
        if (now.problem) problems.push(`${server.name}, round ${round}: ${now.problem}`);
        measured.push(now);
      }
      if (faults === undefined && (round === 1 || round === ROUNDS))
        await Promise.all(rows.map(async (row) => row.held.push(await row.server.held(row.held[0]))));
    }
    problems.push(...rows.flatMap((row) => growthOf(row, slackBytes)));
  } finally {
    for (const server of servers) await server.stop();
    workplace.remove();
  }
  const times = timesOf(load.times, startedAt);
  if (judgesTimes && times.laterMs > times.firstMs * MAX_TIMES_P99)
    problems.push(
      `p99 was ${times.firstMs.toFixed(1)} ms in the first minute, and ${times.laterMs.toFixed(1)} ms later`,
    );
  return {
    tried: load.counts.calls,
    failures: [...load.failures, ...problems].map((text) => `--seed ${seed}: ${text}`),
    notes: notesOf(load.counts, { times, rows, version }),
  };
}

async function untilCalled({ counts }, calls, { maxMs, signal }) {
  const deadline = performance.now() + maxMs;
  while (counts.calls < calls && performance.now() < deadline && !signal?.aborted) await sleep(50);
}

/** What has grown since the first round. */
function growthOf({ server: { name }, measured, held: [before, after] }, slackBytes) {
  const [first, last] = [measured[0], measured.at(-1)];
  const calls = last.calls - first.calls;
  const grown = last.heap - first.heap;
  const problems = [];
  if (grown > slackBytes + MAX_BYTES_PER_CALL * calls)
    problems.push(`${name}: the heap grew by ${grown} bytes in ${calls} calls`);
  for (const what of ['handles', 'processes']) {
    if (after?.[what].length > before?.[what].length)
      problems.push(`${name}: ${what} were ${summaryOf(before[what])}, and then ${summaryOf(after[what])}`);
  }
  return problems;
}

function summaryOf(kinds) {
  const counts = new Map();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const list = [...counts].map(([kind, count]) => `${count} ${kind}`);
  return `${kinds.length} (${list.join(', ')})`;
}

function timesOf(times, startedAt) {
  const isFirst = ({ at }) => at - startedAt < FIRST_MINUTE_MS;
  const p99 = (some) =>
    quantile(
      some.map(({ ms }) => ms),
      0.99,
    );
  const later = times.filter((time) => !isFirst(time));
  return { firstMs: p99(times.filter(isFirst)), laterMs: later.length > 0 ? p99(later) : 0 };
}

function notesOf({ calls, lists, crashes, cancelled }, { times, rows, version }) {
  const counts = `${calls} calls: ${lists} lists, ${crashes} crashes, ${cancelled} cancelled; ${version} reloads`;
  const later = times.laterMs > 0 ? `, later ${times.laterMs.toFixed(1)} ms` : '';
  const servers = rows.map(({ server: { name }, measured, held }) => {
    const [first, last] = [measured[0], measured.at(-1)];
    const bytes = Math.round((last.heap - first.heap) / (last.calls - first.calls));
    const [from, to] = [first, last].map(({ resident }) => Math.round(resident / 2 ** 20));
    const counted = (what) => `${held.map((now) => now[what].length).join(' and then ')} ${what}`;
    return `${name}: ${bytes} bytes of heap a call, ${from} and then ${to} MB, ${counted('handles')}, ${counted('processes')}`;
  });
  return [counts, `p99 ${times.firstMs.toFixed(1)} ms in the first minute${later}`, ...servers];
}

/** Fifty clients over stdio and HTTP, in both versions, while plugins are reloaded and crash, and calls are cancelled. */
export const soak = {
  name: 'soak',
  async missing() {
    return process.platform === 'linux' ? undefined : 'handles are counted in /proc, which this system does not have';
  },
  run({ isShort, minutes = MINUTES, ...context }) {
    const totalMs = (isShort ? SHORT_SECONDS : minutes * 60) * 1000;
    const slackBytes = isShort ? SHORT_SLACK_BYTES : SLACK_BYTES;
    return soakServers({ ...context, totalMs, slackBytes, judgesTimes: totalMs > 2 * FIRST_MINUTE_MS });
  },
  /** A leak of 1 KB for each call, and a response that is dropped, in a server over HTTP whose plugins are not reloaded. */
  async control(context) {
    const { failures } = await soakServers({ ...context, ...CONTROL, giveUpMs: 5_000, faults: [LEAK, DROP] });
    return ['the heap grew', 'no answer'].every((text) => failures.some((failure) => failure.includes(text)));
  },
};
