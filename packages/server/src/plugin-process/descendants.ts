import { readFileSync } from 'node:fs';

/**
 * Platform module: what a process has started and what that has, while all of them live; [] where Linux' /proc is not.
 * It finds what left the group and gave up its environment. Windows' own way of ending a process finds it by itself.
 */
export function descendantsOf(pid: number): number[] {
  const children = childrenOf(pid);
  return [...children, ...children.flatMap(descendantsOf)];
}

function childrenOf(pid: number): number[] {
  if (process.platform !== 'linux') return [];
  try {
    const words = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ');
    return words.filter((word) => word !== '').map(Number);
  } catch {
    return [];
  }
}
