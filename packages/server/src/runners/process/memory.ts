import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Platform module: resident memory of process groups. macOS' and Windows' branches are untried. */

const run = promisify(execFile);

/** Resident bytes of the process groups that these leaders lead, children included, by leader. */
export function measureGroups(leaders: readonly number[]): Promise<Map<number, number>> {
  if (process.platform === 'linux') return measureByProc(leaders);
  return process.platform === 'win32' ? measureByTasklist(leaders) : measureByPs(leaders);
}

const PAGE_BYTES = 4096;

async function measureByProc(leaders: readonly number[]): Promise<Map<number, number>> {
  const sums = new Map(leaders.map((pid) => [pid, 0]));
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  await Promise.all(
    pids.map(async (pid) => {
      try {
        const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
        // After the command's name in parentheses: state, parent, group, …, and resident pages as the 22nd field.
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const group = Number(fields[2]);
        const sum = sums.get(group);
        if (sum !== undefined) sums.set(group, sum + Number(fields[21]) * PAGE_BYTES);
      } catch {
        // It has ended meanwhile.
      }
    }),
  );
  return sums;
}

async function measureByPs(leaders: readonly number[]): Promise<Map<number, number>> {
  const sums = new Map(leaders.map((pid) => [pid, 0]));
  const { stdout } = await run('ps', ['-A', '-o', 'pgid=,rss=']);
  for (const line of stdout.split('\n')) {
    const [group = 0, kilobytes = 0] = line.trim().split(/\s+/).map(Number);
    const sum = sums.get(group);
    if (sum !== undefined) sums.set(group, sum + kilobytes * 1024);
  }
  return sums;
}

/** Windows has no process groups: the leader alone is measured. */
async function measureByTasklist(leaders: readonly number[]): Promise<Map<number, number>> {
  const sums = new Map<number, number>();
  const { stdout } = await run('tasklist', ['/FO', 'CSV', '/NH'], { windowsHide: true });
  for (const line of stdout.split('\n')) {
    const [, pid, , , memory = ''] = line.split('","');
    if (leaders.includes(Number(pid))) sums.set(Number(pid), Number(memory.replace(/\D/g, '')) * 1024);
  }
  return sums;
}
