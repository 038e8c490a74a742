import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { childrenOf, HAS_PROC, processIds, procStat } from './proc.js';
import { PROCESS_TAG_VARIABLE } from './tags.js';

/**
 * Platform module: resident memory of processes. macOS' branch is written by the documentation of `ps`, Windows' by that of
 * `tasklist`; both are untried.
 */

/** A process; `bytes` are resident. */
interface Row {
  pid: number;
  parent: number;
  group: number;
  bytes: number;
}

/** How processes are read. */
interface Platform {
  /** At least these processes, and also their descendants if that is cheap. */
  sample(groups: readonly number[]): Promise<Row[]>;
  /** Every process of the machine; processes that left their group are listed under their leader, if that can be determined. */
  all(groups: readonly number[]): Promise<Row[]>;
}

/**
 * Resident bytes of these processes with their groups and all that descends from them, by the leader's pid.
 * @param measurement `sample` is cheap, and misses what lost its parent or was started by a thread; `all` reads every process of
 *   the machine
 */
export async function measureMemory(
  groups: readonly number[],
  measurement: keyof Platform,
): Promise<Map<number, number>> {
  return sumByLeader(groups, await platform[measurement](groups));
}

function sumByLeader(groups: readonly number[], rows: readonly Row[]): Map<number, number> {
  const sums = new Map(groups.map((pid) => [pid, 0]));
  const leaderOf = groupOf(groups, rows);
  for (const row of new Map(rows.map((row) => [row.pid, row])).values()) {
    const leader = leaderOf(row);
    if (leader !== undefined) sums.set(leader, sums.get(leader)! + row.bytes);
  }
  return sums;
}

/** To which leader a process belongs, by its group or by its parents. */
function groupOf(groups: readonly number[], rows: readonly Row[]): (row: Row) => number | undefined {
  const isLeader = new Set(groups);
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const leaderOf = ({ pid, group, parent }: Row, depth = 0): number | undefined => {
    if (isLeader.has(pid)) return pid;
    if (isLeader.has(group)) return group;
    const next = byPid.get(parent);
    return next && depth < rows.length ? leaderOf(next, depth + 1) : undefined;
  };
  return leaderOf;
}

/** How long reading all processes can block the event loop at a time, in milliseconds. */
const SLICE_MS = 1;

const byProc: Platform = {
  sample: async (groups) => groups.flatMap(withDescendants),
  async all(groups) {
    const rows = await mapSequentially(processIds(), procRow);
    const tags = await readTags(rows);
    const leaderOf = groupOf(groups, rows);
    const owners = ownersByTag(groups, tags);
    return mapSequentially(rows, (row) => [leaderOf(row) === undefined ? adopted(row, owners, tags) : row]);
  },
};

/** Lets others have a turn now and then. */
async function mapSequentially<T, R>(
  items: readonly T[],
  map: (item: T) => readonly R[] | Promise<readonly R[]>,
): Promise<R[]> {
  const mapped: R[] = [];
  let sliceUntil = performance.now() + SLICE_MS;
  for (const item of items) {
    const results = map(item);
    mapped.push(...(results instanceof Promise ? await results : results));
    if (performance.now() < sliceUntil) continue;
    await nextTurn();
    sliceUntil = performance.now() + SLICE_MS;
  }
  return mapped;
}

/** The leaders by their own process tags: the last tag, if a leader runs a server with its own plugins. */
function ownersByTag(groups: readonly number[], tags: Tags): Map<string, number> {
  return new Map(
    groups.flatMap((pid) => {
      const last = tags.get(pid)?.at(-1);
      return last === undefined ? [] : [[last, pid] as const];
    }),
  );
}

function adopted(row: Row, owners: ReadonlyMap<string, number>, tags: Tags): Row {
  const owner = tags.get(row.pid)?.find((tag) => owners.has(tag));
  return owner === undefined ? row : { ...row, parent: owners.get(owner)! };
}

/** The process tags of each process. */
type Tags = ReadonlyMap<number, readonly string[]>;

/** By the process and when it began. */
const knownTags = new Map<string, readonly string[]>();

/**
 * Each process is asked once, because its environment stays what it was when it began. In the thread pool: the read waits while
 * the process changes its memory, and a process of low priority takes its time for that.
 */
async function readTags(rows: readonly ProcRow[]): Promise<Tags> {
  const found = await mapSequentially(rows, (row) => {
    const tags = knownTags.get(keyOf(row));
    return tags ? [[row, tags] as const] : tagsOf(row.pid).then((read) => [[row, read] as const]);
  });
  knownTags.clear();
  for (const [row, tags] of found) knownTags.set(keyOf(row), tags);
  return new Map(found.map(([{ pid }, tags]) => [pid, tags]));
}

const keyOf = ({ pid, startTicks }: ProcRow): string => `${pid} ${startTicks}`;

async function tagsOf(pid: number): Promise<string[]> {
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  const assigned = environment.split('\0').find((item) => item.startsWith(`${PROCESS_TAG_VARIABLE}=`));
  return assigned?.slice(PROCESS_TAG_VARIABLE.length + 1).split(' ') ?? [];
}

/** Only what the main thread has started: to read the children of all threads takes five times as long. */
function withDescendants(pid: number): ProcRow[] {
  return [...procRow(pid), ...childrenOf(pid, [pid]).flatMap(withDescendants)];
}

/** `startTicks` are since the machine started. */
type ProcRow = Row & { startTicks: number };

/** Empty if it has ended. */
function procRow(pid: number): ProcRow[] {
  const stat = procStat(pid);
  if (!stat) return [];
  const { parent, group, startTicks, residentPages } = stat;
  return [{ pid, parent, group, startTicks, bytes: residentPages * pageBytes() }];
}

let cachedPageBytes: number | undefined;

/** Node does not provide the page size, but it reports in bytes what /proc reports in pages. */
function pageBytes(): number {
  cachedPageBytes ??= 2 ** Math.round(Math.log2(process.memoryUsage.rss() / procStat(process.pid)!.residentPages));
  return cachedPageBytes;
}

async function byPs(): Promise<Row[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,pgid=,rss=']);
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [pid = 0, parent = 0, group = 0, kilobytes = 0] = line.trim().split(/\s+/).map(Number);
      return { pid, parent, group, bytes: kilobytes * 1024 };
    });
}

/** It knows no parents: each process counts for itself. */
async function byTasklist(): Promise<Row[]> {
  const { stdout } = await promisify(execFile)('tasklist', ['/FO', 'CSV', '/NH'], { windowsHide: true });
  return stdout.split('\n').map((line) => {
    const [, pid, , , memory = ''] = line.split('","');
    return { pid: Number(pid), parent: 0, group: 0, bytes: Number(memory.replace(/\D/g, '')) * 1024 };
  });
}

const everywhereElse = process.platform === 'win32' ? byTasklist : byPs;
const platform: Platform = HAS_PROC ? byProc : { sample: everywhereElse, all: everywhereElse };
