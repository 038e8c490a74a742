import { spawnSync } from 'node:child_process';
import { watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandomEdits, differences, disagreements } from '../edits/random-edits.mjs';
import { createShopServers } from '../edits/shop-server.mjs';

const COUNTS = { changes: 500, builds: 25, kills: 200 };
const SHORT_COUNTS = { changes: 8, builds: 1, kills: 2 };
const MAX_FAILURES = 20;
/** Most of this time the .NET process works; the files are written in a few milliseconds of it. */
const KILL_WITHIN_MS = 300;
const KILL_WHILE_WRITING_MS = 6;
/** Of a file, on a slow disk. */
const SLOW_WRITE_MS = 250;
const SLOW_DISK = new URL('../faults/slow-disk.mjs', import.meta.url).href;
const TORN_CHANGE = new URL('../faults/torn-change.mjs', import.meta.url).href;

/** Random renames and fixes do what their previews say, and all of it or nothing if a process is killed. */
export const edits = {
  name: 'edits',
  async missing() {
    if (process.platform !== 'linux') return 'processes are found in /proc, which this system does not have';
    return spawnSync('dotnet', ['--version']).status === 0 ? undefined : 'dotnet is not installed';
  },

  async run(context) {
    const counts = context.isShort ? SHORT_COUNTS : COUNTS;
    const servers = createShopServers();
    try {
      const run = await open(servers, context);
      const changed = await change(run, counts);
      const killed = await kill(run, counts);
      return {
        tried: counts.changes + counts.kills,
        failures: run.failures,
        notes: [changed, killed],
      };
    } finally {
      servers.remove();
    }
  },

  /** A file is written by half, and a change stops after its first file without a way back. */
  async control(context) {
    const servers = createShopServers();
    try {
      const run = await open(servers, context, [`--import=${TORN_CHANGE}`]);
      const next = async (symbol, newName) => {
        const { data } = await servers.code('Rename', { symbol, newName });
        return { preview: data, action: 'Rename', args: { symbol, newName, apply: true } };
      };
      const halves = await compare(run, await next('Big.Twice', 'Double'));
      run.restore();
      const one = await next('Cart.Add', 'Put');
      const before = run.contents();
      await servers.code(one.action, one.args).catch(() => {});
      const mixed = stateOf(run, before, run.after(before, one.preview.changes));
      return halves.some((text) => text.includes('not as in the preview')) && mixed === MIXED;
    } finally {
      servers.remove();
    }
  },
};

async function open(servers, { random, seed, signal }, nodeArgs) {
  await servers.start(nodeArgs);
  const restored = await servers.call('dotnet_project', { action: 'Restore', project: 'Shop.slnx' });
  if (restored.isError) throw new Error(`The solution is not restored: ${JSON.stringify(restored.data)}`);
  const { folder, code } = servers;
  return { ...createRandomEdits({ folder, code, random }), servers, random, seed, signal, failures: [] };
}

const isOver = ({ failures, signal }) => failures.length >= MAX_FAILURES || signal?.aborted;

/** Renames and fixes, each written and compared with its preview. @returns a note */
async function change(run, { changes, builds }) {
  const everyBuild = Math.ceil(changes / builds);
  const tally = { changes: 0, files: 0, conflicts: 0, refused: 0, built: 0 };
  while (tally.changes < changes && !isOver(run)) {
    run.restore();
    const one = await run.randomChange();
    if (one.isError) {
      tally.refused += 1;
      continue;
    }
    const where = `--seed ${run.seed}, change ${tally.changes}, ${one.action} ${JSON.stringify(one.args)}`;
    const isBuilt = tally.changes % everyBuild === 0;
    run.failures.push(...(await compare(run, one, isBuilt)).map((failure) => `${where}: ${failure}`));
    tally.changes += 1;
    tally.built += isBuilt ? 1 : 0;
    tally.files += one.preview.changes.length;
    tally.conflicts += one.preview.conflicts?.length > 0 ? 1 : 0;
  }
  run.restore();
  return `${tally.changes} changes of ${tally.files} files, ${tally.conflicts} with conflicts, ${tally.built} built; ${tally.refused} calls had nothing to change or were refused`;
}

/** Writes a change, with its conflicts. @returns what is not as its preview says */
async function compare({ servers, contents, after }, { action, args, preview }, isBuilt = false) {
  const before = contents();
  const applied = await servers.code(action, { ...args, hash: preview.hash, force: true });
  if (applied.isError) return [`refused: ${JSON.stringify(applied.data.errors)}`];
  const failures = differences(contents(), after(before, preview.changes)).map(
    (file) => `${file} is not as in the preview`,
  );
  const { data } = await servers.code('Diagnostics', { severity: 'error' });
  const expected = preview.errorCount ?? applied.data.errorCount;
  const left = data.errorCount < expected ? await countErrors({ servers, contents }) : data.errorCount;
  if (applied.data.errorCount !== expected || left !== expected) {
    const counts = `${applied.data.errorCount} when it was written, ${left} after it`;
    failures.push(`${expected} errors in the preview, ${counts}: ${JSON.stringify(data.diagnostics)}`);
  }
  if (!isBuilt) return failures;
  const built = await servers.call('dotnet_project', { action: 'Build', project: 'Shop.slnx', noRestore: true });
  return [...failures, ...disagreements(built, data)];
}

/** Diagnostics of the solution are those of a build, which stops after errors in declarations; those of a file are all of it. */
async function countErrors({ servers, contents }) {
  let count = 0;
  for (const file of contents().keys()) {
    if (!file.endsWith('.cs')) continue;
    const { data } = await servers.code('Diagnostics', { file, severity: 'error' });
    count += data.errorCount;
  }
  return count;
}

const OLD = 'all files are old';
const NEW = 'all files are new';
const MIXED = 'some files are old and some are new';
const HALF = 'a file is neither old nor new';

function stateOf({ contents }, before, wanted) {
  const found = contents();
  if (differences(found, before).length === 0) return OLD;
  if (differences(found, wanted).length === 0) return NEW;
  const isKnown = ([file, text]) => [before.get(file), wanted.get(file)].includes(text);
  return [...found].every(isKnown) ? MIXED : HALF;
}

/**
 * Kills the server or its .NET process while it changes files; the disk of every other server is slow.
 * @returns a note
 */
async function kill(run, { kills }) {
  const { servers, failures } = run;
  const counts = {};
  let isSlow = false;
  for (let done = 0; done < kills && !isOver(run); ) {
    run.restore();
    const one = await run.randomChange();
    if (one.isError) continue;
    const victim = run.random.integer(4) === 0 ? 'dotnet' : 'server';
    const before = run.contents();
    const wanted = run.after(before, one.preview.changes);
    const answer = await killWhile(run, one, { victim, isSlow });
    const left = stateOf(run, before, wanted);
    if (victim === 'server') {
      isSlow = !isSlow;
      await servers.start(isSlow ? [`--import=${SLOW_DISK}`] : []);
    }
    // The first call after the kill may meet the dead process, and answers that another one is started.
    await servers.code('Symbols', { symbol: 'Cart' });
    const state = stateOf(run, before, wanted);
    const found = left === HALF || state === MIXED || (answer?.isError === false && state !== NEW) ? [left, state] : [];
    found.push(...run.temporaries(), ...servers.journals());
    const where = `--seed ${run.seed}, kill ${done} of ${victim}, ${one.action} ${JSON.stringify(one.args)}`;
    if (found.length > 0) failures.push(`${where}: ${found.join(', then ')}`);
    counts[`${victim}: ${left}`] = (counts[`${victim}: ${left}`] ?? 0) + 1;
    done += 1;
  }
  run.restore();
  const { data } = await servers.code('Diagnostics', { severity: 'error' });
  if (data.errorCount !== 0) failures.push(`--seed ${run.seed}: ${data.errorCount} errors after all kills`);
  const list = Object.entries(counts).map(([kind, count]) => `${count} of ${kind}`);
  return `killed, before the next start: ${list.join('; ')}`;
}

/** Writes a change, and kills a process meanwhile. @returns the answer; undefined without one */
async function killWhile({ servers, random }, { action, args, preview }, { victim, isSlow }) {
  const calling = servers.code(action, { ...args, force: true }).catch(() => undefined);
  if (victim === 'server' && (isSlow || random.integer(2) === 0)) {
    await begun(servers.journalFolder, calling);
    await sleep(random.integer(isSlow ? SLOW_WRITE_MS * (preview.changes.length + 2) : KILL_WHILE_WRITING_MS));
  } else {
    await sleep(random.integer(KILL_WITHIN_MS));
  }
  const pid = victim === 'server' ? servers.pid() : servers.hostPid();
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
  return calling;
}

/** Resolves when a change begins to write, or has its answer. */
async function begun(journalFolder, calling) {
  const stopped = new AbortController();
  const writes = new Promise((resolve) => {
    watch(journalFolder, { signal: stopped.signal }, resolve).on('error', resolve);
  });
  await Promise.race([writes, calling]);
  stopped.abort();
}
