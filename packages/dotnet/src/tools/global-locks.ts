import type { LockTarget } from '../locks/lock.js';

const machineWide = (path: string): LockTarget => ({ scope: 'global', path });

/** What an operation on the whole machine writes to (contract.md §5, scope `global`). */
export const GLOBAL_LOCKS = {
  templates: machineWide('templates'),
  certificates: machineWide('certificates'),
  tools: machineWide('tools'),
  workloads: machineWide('workloads'),
  packageCaches: machineWide('package-caches'),
} as const;
