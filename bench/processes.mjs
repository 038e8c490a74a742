import { readdirSync, readFileSync } from 'node:fs';

/** Whether this system tells what other processes use: Linux does. */
export const canMeasure = process.platform === 'linux';

/**
 * Processor time and resident memory of a process, and of all that it started: `{cpuUs, rssMb}` each, and how many these are. Undefined where
 * the system does not tell.
 */
export function usageOf(pid) {
  if (!canMeasure) return undefined;
  const children = descendantsOf(pid).map(usage);
  return {
    self: usage(pid),
    children: children.reduce(add, { cpuUs: 0, rssMb: 0 }),
    childCount: children.length,
  };
}

const add = (a, b) => ({ cpuUs: a.cpuUs + b.cpuUs, rssMb: a.rssMb + b.rssMb });

/** User and system time of all threads; schedstat counts nanoseconds where stat counts hundredths of a second. */
function usage(pid) {
  const threads = list(`/proc/${pid}/task`).map((thread) =>
    Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]),
  );
  const rssKb = /^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0;
  return { cpuUs: threads.reduce((sum, ns) => sum + ns, 0) / 1000, rssMb: rssKb / 1024 };
}

function descendantsOf(pid) {
  const parents = list('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), Number(read(`/proc/${name}/stat`).split(') ').at(-1).split(' ')[1])]);
  const below = (parent) => parents.filter(([, of]) => of === parent).flatMap(([child]) => [child, ...below(child)]);
  return below(pid);
}

/** A process may end while it is looked at. */
function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function list(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
