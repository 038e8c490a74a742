import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Platform module: resident memory of processes. macOS' and Windows' branches are untried. */

const run = promisify(execFile);

/** A process; `bytes` are resident. */
interface Row {
  pid: number;
  parent: number;
  group: number;
  bytes: number;
}

/** How processes are read. */
interface Platform {
  /** At least these processes, and where it is cheap their descendants. */
  near(leaders: readonly number[]): Promise<Row[]>;
  all(): Promise<Row[]>;
}

/**
 * Resident bytes of these processes with their groups and all that descends from them, by the leader's pid.
 * @param look `near` is cheap, and misses what lost its parent or was started by a thread; `all` reads every process of
 *   the machine
 */
export async function measureMemory(leaders: readonly number[], look: keyof Platform): Promise<Map<number, number>> {
  return sumByLeader(leaders, await platform[look](leaders));
}

function sumByLeader(leaders: readonly number[], rows: readonly Row[]): Map<number, number> {
  const sums = new Map(leaders.map((pid) => [pid, 0]));
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const leaderOf = ({ pid, group, parent }: Row, depth = 0): number | undefined => {
    if (sums.has(pid)) return pid;
    if (sums.has(group)) return group;
    const next = byPid.get(parent);
    return next && depth < rows.length ? leaderOf(next, depth + 1) : undefined;
  };
  for (const row of byPid.values()) {
    const leader = leaderOf(row);
    if (leader !== undefined) sums.set(leader, sums.get(leader)! + row.bytes);
  }
  return sums;
}

const byProc: Platform = {
  near: async (leaders) => (await Promise.all(leaders.map(withDescendants))).flat(),
  async all() {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    return (await Promise.all(pids.map((pid) => procRow(Number(pid))))).flat();
  },
};

async function withDescendants(pid: number): Promise<Row[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'latin1').catch(() => '');
  const pids = children.split(' ').filter((each) => each !== '');
  return (await Promise.all([procRow(pid), ...pids.map((each) => withDescendants(Number(each)))])).flat();
}

/** Empty when it has ended meanwhile. */
async function procRow(pid: number): Promise<Row[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
  if (stat === undefined) return [];
  const { parent, group, pages } = procStat(stat);
  return [{ pid, parent, group, bytes: pages * pageBytes() }];
}

function procStat(line: string): { parent: number; group: number; pages: number } {
  // After the command's name in parentheses: state, parent, group, …, and resident pages as the 22nd field.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return { parent: Number(fields[1]), group: Number(fields[2]), pages: Number(fields[21]) };
}

let knownPageBytes: number | undefined;

/** Nothing in Node tells the size of a page; but it tells in bytes what /proc tells in pages. */
function pageBytes(): number {
  knownPageBytes ??=
    2 ** Math.round(Math.log2(process.memoryUsage.rss() / procStat(readFileSync('/proc/self/stat', 'latin1')).pages));
  return knownPageBytes;
}

async function byPs(): Promise<Row[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,pgid=,rss=']);
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
  const { stdout } = await run('tasklist', ['/FO', 'CSV', '/NH'], { windowsHide: true });
  return stdout.split('\n').map((line) => {
    const [, pid, , , memory = ''] = line.split('","');
    return { pid: Number(pid), parent: 0, group: 0, bytes: Number(memory.replace(/\D/g, '')) * 1024 };
  });
}

const everywhereElse = process.platform === 'win32' ? byTasklist : byPs;
const platform: Platform = process.platform === 'linux' ? byProc : { near: everywhereElse, all: everywhereElse };
