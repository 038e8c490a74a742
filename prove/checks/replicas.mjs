import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../../bench/stats.mjs';
import { createWorkplace } from '../../bench/workplace.mjs';
import { readProc } from '../../packages/process/build/proc.js';
import { keyOf, PRINCIPALS } from '../replicas/caller.mjs';
import { callTimes, LIMITED, measureRate } from '../replicas/limited-rate.mjs';
import { ReplicaLoad } from '../replicas/load.mjs';
import { countOperations } from '../replicas/operations.mjs';
import { MAX_TEXT_CHARS, writePlugin, writeVersion } from '../replicas/plugin.mjs';
import { processorShares } from '../replicas/processor.mjs';
import { ReplicaSet } from '../replicas/replica-set.mjs';
import { checkEntries } from '../replicas/stored-entries.mjs';
import { Watchers } from '../replicas/watcher.mjs';

/** Together 200. */
const CLIENTS = { callers: 160, watchers: 40 };
const REDIS_AWAY_MS = 300;
const KNOWN_MS = 60_000;
const KEEP_MS = 60_000;
/** `LEASE_MS` in packages/server/src/state/shared-state.ts. */
const LEASE_MS = 10_000;
/** A third of the processors stays idle. Clients pause longer if less is, and shorter if far more is. */
const IDLE = { least: 1 / 3, much: 0.5 };
const PAUSE_MS = { first: 2_000, least: 200, most: 20_000 };
/** What is cut so soon after the last kill was cut by that. */
const SETTLED_MS = 3_000;
/** The operations on the store of one call. */
const MAX_OPERATIONS = 2;
const COUNTED_CALLS = 100;
const MAX_RATE_ERROR = 0.05;
const SLACK_BYTES = 2 * 1024 * 1024;
const MAX_BYTES_PER_CALL = 512;
const WHOLE = {
  kills: 80,
  killMs: 3_000,
  calmMs: 40_000,
  rateMs: 25_000,
  giveUpMs: 10_000,
  settleMs: 45_000,
  judges: true,
};
const SHORT = { kills: 2, killMs: 1_000, calmMs: 0, rateMs: 5_000, giveUpMs: 30_000, settleMs: 60_000, judges: false };
const CONTROL = { kills: 0, killMs: 3_000, calmMs: 0, rateMs: 0, giveUpMs: 30_000, settleMs: 1_500, judges: false };

async function openSet(workplace, { editNginx } = {}) {
  const plugins = workplace.folder();
  const ledger = join(workplace.folder(), 'ledger');
  writePlugin(plugins, ledger);
  const set = await ReplicaSet.start(workplace, {
    settings: {
      Plugins: { Directory: plugins, MaxConcurrentCalls: 400 },
      Tasks: { AfterMs: 500, KeepMs: KEEP_MS, MaxOpen: 1_000, MaxOpenPerPrincipal: 500 },
      Output: { MaxTextChars: MAX_TEXT_CHARS },
      Auth: { Keys: [...PRINCIPALS.map((Name) => ({ Name, Key: keyOf(Name) })), LIMITED] },
    },
    editNginx,
  });
  return { set, plugins, ledger };
}

/** The operations on the store of calls with and without a limit, before anything fails. */
async function checkOperations(set) {
  await set.ready();
  const problems = [];
  const counts = [];
  for (const [what, key, most] of [
    ['without a limit', keyOf(PRINCIPALS[0]), 0],
    ['with a limit', LIMITED.Key, MAX_OPERATIONS],
  ]) {
    const operations = await countOperations(set, () => callTimes(set.url, key, COUNTED_CALLS));
    counts.push(operations / COUNTED_CALLS);
    // Replicas use the store some times in a second by themselves.
    if (operations > (most + 0.5) * COUNTED_CALLS)
      problems.push(`${COUNTED_CALLS} calls ${what} were ${operations} operations on the store`);
  }
  return { problems, counts };
}

/** Kills a replica and starts it again, one after another. Redis is restarted twice meanwhile. */
async function runKills(set, load, { kills, killMs, change, signal }) {
  const shares = [];
  const nextShares = processorShares();
  const restarts = kills > 2 ? [Math.floor(kills / 3), Math.floor((2 * kills) / 3)] : [0, 1];
  await sleep(killMs / 2);
  for (let kill = 0; kill < kills && !signal?.aborted; kill++) {
    const at = kill % set.replicas.length;
    change();
    await set.kill(at);
    const restarting = [sleep(killMs), set.restart(at)];
    if (restarts.includes(kill)) restarting.push(restartRedis(set, kill === restarts[0] ? 'SIGTERM' : 'SIGKILL'));
    await Promise.all(restarting);
    shares.push(nextShares());
    pace(load, shares.at(-1).idle);
  }
  return { shares };
}

async function restartRedis(set, signal) {
  await set.endRedis(signal);
  await sleep(REDIS_AWAY_MS);
  await set.startRedis();
}

function pace(load, idle) {
  const factor = idle < IDLE.least ? 1.3 : idle > IDLE.much ? 0.85 : 1;
  load.pauseMs = Math.min(PAUSE_MS.most, Math.max(PAUSE_MS.least, load.pauseMs * factor));
}

async function heapsOf(set) {
  return Promise.all(set.replicas.map(async ({ heapOf, server }) => heapOf(server.pid)));
}

/** The part in which nothing fails: what a limited caller can do, and what the replicas hold. */
async function runCalm(set, load, { rateMs, calmMs, judges }) {
  await set.ready();
  const problems = [];
  const from = performance.now();
  const rate = rateMs > 0 ? await measureRate(set.url, { forMs: rateMs }) : undefined;
  // By now the replicas are warm, which were started only seconds before.
  const callsBefore = load.counts.calls;
  const before = await heapsOf(set);
  await sleep(calmMs - (performance.now() - from));
  await load.stop();
  const cut = load.cutAt.filter((at) => at > from + SETTLED_MS).length;
  if (cut > 0) problems.push(`${cut} requests were cut while nothing failed`);
  const limit = LIMITED.Limits.CallsPerSecond;
  // On a busy machine the bucket fills up meanwhile.
  const burst = judges ? 0 : LIMITED.Limits.Burst / (rateMs / 1000);
  const isTooFast = rate > limit * (1 + MAX_RATE_ERROR) + burst;
  if (isTooFast || (judges && rate < limit * (1 - MAX_RATE_ERROR)))
    problems.push(`a caller with a limit of ${limit} calls a second had ${rate.toFixed(1)}`);
  return { problems, rate, before, calls: load.counts.calls - callsBefore };
}

/** Whether all watchers know the last change, after they have connected and listed again. */
async function checkKnown(set, watchers, version) {
  await set.ready();
  const outdated = await watchers.outdated(version, KNOWN_MS);
  await watchers.stop();
  return {
    version,
    problems:
      outdated === 0 ? [] : [`${outdated} clients do not know the last of ${version} changes after ${KNOWN_MS} ms`],
  };
}

/** The heap of each replica at the end. */
async function judgeHeaps(set, { before, calls }, judges) {
  const after = await heapsOf(set);
  const grown = after.map((bytes, at) => bytes - before[at]);
  const most = SLACK_BYTES + MAX_BYTES_PER_CALL * calls;
  const problems = set.replicas.flatMap(({ name }, at) =>
    judges && grown[at] > most ? [`the heap of ${name} grew by ${grown[at]} bytes in ${calls} calls`] : [],
  );
  return { problems, after };
}

function checkEffects(ledger) {
  const lines = readFileSync(ledger, 'utf8').split('\n').filter(Boolean);
  const seen = new Set();
  const twice = lines.filter((line) => seen.size === seen.add(line).size);
  return { effects: lines.length, problems: twice.map((run) => `${run} was run twice`) };
}

async function proveReplicas({ random, seed, signal, size, waits, editNginx, sabotage }) {
  const workplace = createWorkplace();
  const { set, plugins, ledger } = await openSet(workplace, { editNginx });
  try {
    const operations = await checkOperations(set);
    const clients = CLIENTS.callers;
    const load = new ReplicaLoad({ url: set.url, clients, random, giveUpMs: size.giveUpMs, pauseMs: PAUSE_MS.first });
    const watchers = new Watchers(set.url, CLIENTS.watchers);
    load.start();
    let version = 0;
    const change = () => {
      writeVersion(plugins, ++version);
      set.reload();
    };
    const { shares } = await runKills(set, load, { ...size, change, signal });
    // For the ends of leases, and of the doubt about tasks.
    waits();
    const known = await checkKnown(set, watchers, version);
    const calm = await runCalm(set, load, size);
    await sabotage?.(set, load.tasks);
    await load.tasks.settle(size.settleMs);
    const heaps = await judgeHeaps(set, calm, size.judges);
    await load.tasks.check();
    const entries = await checkEntries(set, { keepMs: KEEP_MS, leaseMs: LEASE_MS });
    const effects = checkEffects(ledger);
    load.close();
    const resident = set.replicas.map(
      ({ server }) => /^VmRSS:\s+(\d+)/m.exec(readProc(server.pid, 'status'))[1] / 1024,
    );
    const failures = [load, operations, known, calm, heaps, entries, effects].flatMap(
      (part) => part.failures ?? part.problems,
    );
    return {
      tried: load.counts.calls,
      failures: failures.map((text) => `--seed ${seed}: ${text}`),
      notes: notesOf(load, { size, shares, known, operations, calm, heaps, entries, effects, resident }),
    };
  } finally {
    await set.stop();
    workplace.remove();
  }
}

function notesOf(
  { counts, codes, tasks, pauseMs },
  { size, shares, known, operations, calm, heaps, entries, effects, resident },
) {
  const { calls, answered, refused, cut, begunAgain, intrusions } = counts;
  const byCode = [...codes].map(([code, count]) => `${count} ${code}`).join(', ');
  const { accepted, completed, lost, unavailable } = tasks.counts;
  const [idle, own] = ['idle', 'own'].map((name) => shares.map((share) => share[name]));
  const percent = (share) => `${Math.round(share * 100)} %`;
  const mb = (list) => list.map((bytes) => (bytes / 2 ** 20).toFixed(1)).join(', ');
  return [
    `${calls} calls and lists: ${answered} answered, ${refused} failed with a code${byCode && ` (${byCode})`}, ${cut} cut or 502 at ${size.kills} kills`,
    `${begunAgain} sessions begun again, ${intrusions} attempts to see another principal's data`,
    `${accepted} tasks: ${completed} completed, ${lost} TASK_LOST, at most ${Math.round(tasks.longestLossMs / 1000)} s after the call; ${unavailable} times STATE_UNAVAILABLE`,
    `${known.version} changes of a tool, which ${CLIENTS.watchers} clients listen to`,
    `${effects.effects} effects; ${entries.keys} keys at the end, of them ${entries.tasks} tasks`,
    `operations on the store per call: ${operations.counts[0]}, with a limited rate ${operations.counts[1]}, both with what replicas do by themselves`,
    `between two kills ${percent(quantile(idle, 0.5))} of both processors idle, at least ${percent(Math.min(...idle))}; the run itself used ${percent(quantile(own, 0.5))}; a pause of ${Math.round(pauseMs)} ms at the end`,
    ...(calm.rate === undefined
      ? []
      : [`a limit of ${LIMITED.Limits.CallsPerSecond} calls a second: ${calm.rate.toFixed(2)}`]),
    `heaps ${mb(calm.before)} MB, after ${calm.calls} calls without a kill ${mb(heaps.after)} MB; resident ${resident.map(Math.round).join(', ')} MB`,
  ];
}

/** Removes the end of one task, and replaces that of another, as a replica without a lease would. */
async function sabotage(set, tasks) {
  const deadline = performance.now() + CONTROL.giveUpMs;
  while (tasks.counts.completed < 2 && performance.now() < deadline) await sleep(50);
  const [removed, replaced] = tasks.ended.filter(({ task }) => task.status === 'completed');
  const keyOfTask = ({ task }) => `mortise:{task:${task.taskId}}:task`;
  await set.redis(async (client) => {
    await client.del(keyOfTask(removed));
    const record = JSON.parse(await client.hGet(keyOfTask(replaced), 'value'));
    const task = { ...record.task, status: 'cancelled', statusMessage: 'replaced', result: undefined };
    await client.hSet(keyOfTask(replaced), { value: JSON.stringify({ ...record, task }), token: '2' });
  });
}

/** nginx sends each request of a client without a session twice. */
function repeatRequests(text) {
  const mirror = `location = /mirror {
      internal;
      if ($http_mcp_session_id) { return 204; }
      proxy_pass http://mortise$request_uri;
      proxy_set_header Host $http_host;
    }`;
  return text.replace('location / {', `${mirror}\n    location / {\n      mirror /mirror;`);
}

/** Three replicas behind the nginx of deploy/, which are killed and restarted under load, and so is their Redis. */
export const replicas = {
  name: 'replicas',
  missing() {
    if (process.platform !== 'linux') return 'processors are read in /proc, which this system does not have';
    const missing = ['nginx', 'redis-server'].filter((program) => !isInstalled(program));
    return missing.length === 0 ? undefined : `there is no ${missing.join(' and no ')}`;
  },
  run: ({ isShort, ...context }) => proveReplicas({ ...context, size: isShort ? SHORT : WHOLE }),
  /** A task whose record is removed, one that is written without a lease, and calls that are run twice. */
  async control(context) {
    const { failures } = await proveReplicas({
      ...context,
      size: CONTROL,
      editNginx: repeatRequests,
      sabotage,
    });
    const expected = ['cannot be fetched', 'changed after its end', 'written without a lease', 'was run twice'];
    return expected.every((text) => failures.some((failure) => failure.includes(text)));
  },
};

function isInstalled(program) {
  try {
    execFileSync('which', [program], { stdio: 'ignore', env: { PATH: `${process.env.PATH}:/usr/sbin` } });
    return true;
  } catch {
    return false;
  }
}
