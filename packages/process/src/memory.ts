import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { childrenOf, HAS_PROC, processIds, procStat } from './proc.js';
import { PROCESS_TAG_VARIABLE } from './tags.js';

/**
 * Platform module: resident memory of processes. The branches for macOS and Windows follow the documentation of `ps`
 * and `tasklist`, and have not been tested.
 */

interface Row {
  pid: number;
  parent: number;
  group: number;
  /** Resident memory. */
  bytes: number;
}

/** The ways to list processes on one operating system. */
interface Platform {
  /** Lists at least the leaders of the groups, and also their descendants if that is cheap. */
  sample(groups: readonly number[]): Promise<Row[]>;
  /**
   * Lists every process of the machine. A process that left its group gets its leader as parent, if the leader is
   * known.
   */
  all(groups: readonly number[]): Promise<Row[]>;
}

/**
 * Measures the resident memory of process groups, including the descendants of their processes.
 * @param groups pids of the groups' leaders
 * @param measurement `sample` is cheap, but misses a process whose parent has ended or that a worker thread has
 *   started; `all` reads every process of the machine
 * @returns bytes by the leader's pid
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

/** Returns a function that finds the leader of a process, by its group or its ancestors. */
function groupOf(groups: readonly number[], rows: readonly Row[]): (row: Row) => number | undefined {
  const isLeader = new Set(groups);
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const leaderOf = ({ pid, group, parent }: Row, depth = 0): number | undefined => {
    if (isLeader.has(pid)) return pid;
    if (isLeader.has(group)) return group;
    const parentRow = byPid.get(parent);
    return parentRow && depth < rows.length ? leaderOf(parentRow, depth + 1) : undefined;
  };
  return leaderOf;
}

/** The longest time for which reading all processes may block the event loop, in milliseconds. */
const SLICE_MS = 1;

const byProc: Platform = {
  sample: async (groups) => groups.flatMap(withDescendants),
  async all(groups) {
    const rows = await mapSequentially(processIds(), procRow);
    const tags = await readTags(rows);
    const leaderOf = groupOf(groups, rows);
    const owners = ownersByTag(groups, tags);
    return mapSequentially(rows, (row) => [leaderOf(row) === undefined ? adopt(row, owners, tags) : row]);
  },
};

/** Maps one item after the other, and yields to the event loop every `SLICE_MS`. */
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

/** Returns the leaders by their process tags. If a leader has several tags, the last one is its own. */
function ownersByTag(groups: readonly number[], tags: Tags): Map<string, number> {
  return new Map(
    groups.flatMap((pid) => {
      const ownTag = tags.get(pid)?.at(-1);
      return ownTag === undefined ? [] : [[ownTag, pid] as const];
    }),
  );
}

/** Makes the leader whose tag a process has the parent of the process. */
function adopt(row: Row, owners: ReadonlyMap<string, number>, tags: Tags): Row {
  const leaderTag = tags.get(row.pid)?.find((tag) => owners.has(tag));
  return leaderTag === undefined ? row : { ...row, parent: owners.get(leaderTag)! };
}

/** The process tags of each process, by its pid. */
type Tags = ReadonlyMap<number, readonly string[]>;

/** The tags that the last measurement has read, by {@link keyOf}. */
const knownTags = new Map<string, readonly string[]>();

/**
 * Reads the tags of each process once, because /proc keeps showing its initial environment. The files are read in the
 * thread pool, because a read waits while the process changes its memory, which takes long if its priority is low.
 */
async function readTags(rows: readonly ProcRow[]): Promise<Tags> {
  const found = await mapSequentially(rows, (row) => {
    const tags = knownTags.get(keyOf(row));
    return tags ? [[row, tags] as const] : tagsOf(row.pid).then((newTags) => [[row, newTags] as const]);
  });
  knownTags.clear();
  for (const [row, tags] of found) knownTags.set(keyOf(row), tags);
  return new Map(found.map(([{ pid }, tags]) => [pid, tags]));
}

/** Identifies a process also if its pid is used again. */
const keyOf = ({ pid, startTicks }: ProcRow): string => `${pid} ${startTicks}`;

async function tagsOf(pid: number): Promise<string[]> {
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  const assignment = environment.split('\0').find((item) => item.startsWith(`${PROCESS_TAG_VARIABLE}=`));
  return assignment?.slice(PROCESS_TAG_VARIABLE.length + 1).split(' ') ?? [];
}

/** Returns only the children of main threads, because reading the children of all threads takes five times as long. */
function withDescendants(pid: number): ProcRow[] {
  return [...procRow(pid), ...childrenOf(pid, [pid]).flatMap(withDescendants)];
}

/** `startTicks` are since the machine started. */
type ProcRow = Row & { startTicks: number };

/** Returns the process in a list, which is empty if the process has ended. */
function procRow(pid: number): ProcRow[] {
  const stat = procStat(pid);
  if (!stat) return [];
  const { parent, group, startTicks, residentPages } = stat;
  return [{ pid, parent, group, startTicks, bytes: residentPages * pageBytes() }];
}

let cachedPageBytes: number | undefined;

/** Derives the page size, which Node does not provide, from its own memory in bytes (Node) and in pages (/proc). */
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

/** Lists the processes without parents and groups, which `tasklist` does not show: only the leaders are counted. */
async function byTasklist(): Promise<Row[]> {
  const { stdout } = await promisify(execFile)('tasklist', ['/FO', 'CSV', '/NH'], { windowsHide: true });
  return stdout.split('\n').map((line) => {
    const [, pid, , , memory = ''] = line.split('","');
    return { pid: Number(pid), parent: 0, group: 0, bytes: Number(memory.replace(/\D/g, '')) * 1024 };
  });
}

const listAll = process.platform === 'win32' ? byTasklist : byPs;
const platform: Platform = HAS_PROC ? byProc : { sample: listAll, all: listAll };
