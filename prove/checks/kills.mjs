import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { killOnFullDisk } from '../kills/full-disk.mjs';
import { createKilledServers } from '../kills/killed-server.mjs';

const KILLS = 300;
const SHORT_KILLS = 15;
const FULL_DISK_KILLS = 10;
const SHORT_FULL_DISK_KILLS = 1;
const CALLERS = 6;
const LATEST_MS = 400;
const ORPHAN_MS = 5_000;
const RECOVERY_MS = 30_000;
/** What is killed before the server itself, as often as each stands here. */
const CHILDREN = ['plugin', 'mounted', 'reaper', 'plugin', 'dotnet'];

const hasDotnet = () => spawnSync('dotnet', ['--version']).status === 0;

/** Calls tools without a pause until `stop`, and keeps the texts of those that were answered. */
function startLoad(client, { answered, prefix }) {
  let isStopped = false;
  let count = 0;
  const unanswered = new Set();
  async function caller(number) {
    while (!isStopped) {
      const text = `${prefix}-${number}-${count++}`;
      const name = ['echo', 'slow', client.far][number % 3];
      unanswered.add(text);
      try {
        const { message } = await client.request('tools/call', { name, arguments: { text } });
        if (message.result) answered.add(text);
        unanswered.delete(text);
      } catch {
        return;
      }
    }
  }
  const callers = Promise.all(Array.from({ length: CALLERS }, (_, number) => caller(number)));
  return {
    /** Waits until all calls that are running now have their answers; gives those that have none. */
    async withoutAnswer() {
      const running = [...unanswered];
      const deadline = performance.now() + RECOVERY_MS;
      while (running.some((text) => unanswered.has(text)) && performance.now() < deadline) await sleep(20);
      return running.filter((text) => unanswered.has(text));
    },
    /** Waits for the answers of the running calls. */
    async stop() {
      isStopped = true;
      await Promise.race([callers, sleep(RECOVERY_MS, undefined, { ref: false })]);
    },
  };
}

export const kills = {
  name: 'kills',
  async missing() {
    return process.platform === 'linux' ? undefined : 'processes are found in /proc, which this system does not have';
  },
  async run({ workplace, random, seed, isShort, signal }) {
    const withDotnet = hasDotnet();
    const servers = createKilledServers({ withDotnet });
    const wanted = isShort ? SHORT_KILLS : KILLS;
    const failures = [];
    const counts = {};
    const answered = new Set();
    const orphanMs = isShort ? RECOVERY_MS : ORPHAN_MS;
    let killed = 0;
    let life = 0;

    try {
      while (killed < wanted && failures.length < 20 && !signal?.aborted) {
        life += 1;
        const where = `--seed ${seed}, life ${life}`;
        const client = await servers.start();
        const { message } = await client.request('tools/list');
        const names = message.result.tools.map(({ name }) => name);
        client.far = names.find((name) => name.endsWith('far'));
        for (const name of ['echo', 'slow', 'far']) {
          if (!names.some((listed) => listed.endsWith(name)))
            failures.push(`${where}: the list lacks ${name}: ${names}`);
        }
        const load = startLoad(client, { answered, prefix: `${life}` });
        const kill = async (kind, pid) => {
          await sleep(random.integer(LATEST_MS));
          try {
            process.kill(pid, 'SIGKILL');
          } catch {
            return;
          }
          killed += 1;
          counts[kind] = (counts[kind] ?? 0) + 1;
        };
        for (let child = random.integer(5); child > 0 && killed < wanted - 1; child--) {
          const kind = random.pick(CHILDREN);
          if (kind === 'dotnet' && !withDotnet) continue;
          const failure = await killChild(kind, { servers, client, kill });
          if (failure) failures.push(`${where}, ${kind} killed: ${failure}`);
        }
        for (const text of await load.withoutAnswer()) failures.push(`${where}: the call ${text} has no answer`);
        // The server is killed while it builds, at times.
        const build = withDotnet && random.integer(3) === 0 ? startBuild(client) : undefined;
        if (build) await found(servers, 'dotnet');
        await kill('server', client.pid);
        build?.catch(() => {});
        await load.stop();
        const left = await servers.left(orphanMs);
        if (left.length > 0) failures.push(`${where}: orphans after ${orphanMs} ms: ${left.join(' | ')}`);
        for (const file of servers.halfWritten()) failures.push(`${where}: half-written: ${file}`);
        failures.push(...missingInAudit(servers, answered).map((text) => `${where}: not in the audit: ${text}`));
        answered.clear();
        for (const { pid } of servers.processes()) process.kill(pid, 'SIGKILL');
      }
      if (withDotnet) failures.push(...(await lockFailures(servers)).map((text) => `--seed ${seed}: ${text}`));
    } finally {
      for (const { pid } of servers.processes()) process.kill(pid, 'SIGKILL');
      servers.remove();
    }
    const notes = [
      Object.entries(counts)
        .map(([kind, count]) => `${count} of ${kind}`)
        .join(', '),
    ];
    const fullDisk = await killOnFullDisk({ workplace, kills: isShort ? SHORT_FULL_DISK_KILLS : FULL_DISK_KILLS });
    failures.push(...fullDisk.failures.map((failure) => `a kill with a full disk: ${failure}`));
    notes.push(fullDisk.note);
    if (!withDotnet) notes.push('dotnet is not installed: it was not killed');
    return { tried: killed, failures, notes };
  },
  /** An orphan, a half-written file, an answered call without a line, and a lock whose owner is dead. */
  async control({ random }) {
    const servers = createKilledServers({ withDotnet: false });
    const client = await servers.start();
    try {
      await client.request('tools/call', { name: 'echo', arguments: { text: 'known' } });
      await client.stop();
      const isClean = (await servers.left(ORPHAN_MS)).length === 0 && servers.halfWritten().length === 0;
      const env = { ...process.env, HOME: servers.home };
      const orphan = spawn('sleep', ['1000'], { env, detached: true, stdio: 'ignore' });
      const foundOrphan = (await servers.left(500)).length === 1;
      orphan.kill('SIGKILL');
      const foundCall = missingInAudit(servers, new Set(['known', `lost-${random.integer(1e6)}`])).length === 1;
      appendFileSync(servers.auditFile, '{"time":"2026-0');
      const foundFile = servers.halfWritten().length === 1;
      mkdirSync(servers.lockFolder, { recursive: true });
      writeFileSync(join(servers.lockFolder, 'dead.lock'), '{}');
      return isClean && foundOrphan && foundCall && foundFile && servers.staleLocks().length > 0;
    } finally {
      for (const { pid } of servers.processes()) process.kill(pid, 'SIGKILL');
      servers.remove();
    }
  },
};

const startBuild = (client, waitSeconds = 20) =>
  client.request('tools/call', {
    name: 'dotnet_project',
    arguments: { action: 'Build', project: 'slow.proj', waitSeconds },
  });

/** The first process of this kind, as soon as there is one. */
async function found(servers, kind) {
  const deadline = performance.now() + RECOVERY_MS;
  while (performance.now() < deadline) {
    const process = servers.processes().find((seen) => seen.kind === kind);
    if (process) return process.pid;
    await sleep(20);
  }
  return undefined;
}

/** Kills a child of the server. Calls have to succeed again after that. */
async function killChild(kind, { servers, client, kill }) {
  const build = kind === 'dotnet' ? startBuild(client) : undefined;
  const pid = await found(servers, kind);
  if (pid === undefined) return `it does not run within ${RECOVERY_MS} ms`;
  await kill(kind, pid);
  const answer = build && (await Promise.race([build, sleep(RECOVERY_MS, undefined, { ref: false })]));
  if (build && !answer?.message.result?.isError) return `the build's answer: ${JSON.stringify(answer?.message)}`;
  const name = kind === 'mounted' ? client.far : 'echo';
  const deadline = performance.now() + RECOVERY_MS;
  let message;
  while (performance.now() < deadline) {
    ({ message } = await client.request('tools/call', { name, arguments: { text: 'again' } }));
    const running = servers.processes().filter((seen) => seen.kind === kind);
    if (message.result?.isError !== true && (build || running.some((seen) => seen.pid !== pid))) return undefined;
    await sleep(20);
  }
  return `no call succeeds after that: ${JSON.stringify(message)}`;
}

const missingInAudit = (servers, answered) => {
  const audited = servers.audited();
  return [...answered].filter((text) => !audited.has(text));
};

/** After all kills, a build starts immediately: no lock of a dead owner holds it. When it has ended there is no lock. */
async function lockFailures(servers) {
  const client = await servers.start();
  const build = startBuild(client, 0);
  const pid = await found(servers, 'dotnet');
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
  const { message } = await build;
  await client.stop();
  if (pid === undefined) return [`a lock is stale: ${JSON.stringify(message)}`];
  return existsSync(servers.lockFolder) ? servers.staleLocks().map((name) => `a lock is left: ${name}`) : [];
}
