import { readdirSync, readFileSync } from 'node:fs';

/**
 * Platform module: what a process has started and what that has, while all of them live; [] where Linux' /proc is not.
 * It finds what left the group and gave up its environment. Windows' own way of ending a process finds it by itself.
 */
export function descendantsOf(pid: number): number[] {
  const children = childrenOf(pid);
  return [...children, ...children.flatMap(descendantsOf)];
}

/** Each thread has those that it started. */
function childrenOf(pid: number): number[] {
  if (process.platform !== 'linux') return [];
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) => childrenOfThread(pid, thread));
  } catch {
    return [];
  }
}

function childrenOfThread(pid: number, thread: string): number[] {
  try {
    const ids = readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ');
    return ids.filter((word) => word !== '').map(Number);
  } catch {
    // The thread has ended; the main thread has its children then.
    return [];
  }
}
