import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism, constants, setPriority } from 'node:os';

const AUTOGROUP_NICE = '19';

/**
 * Keeps every core busy with work of the lowest priority, which makes way at once. A core with nothing to do sleeps, and
 * on a virtual machine it takes longer to wake up than a process to answer. Returns what ends it.
 */
export function keepCoresAwake() {
  const spinners = Array.from({ length: availableParallelism() }, () => {
    const spinner = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore', detached: true });
    setPriority(spinner.pid, constants.priority.PRIORITY_LOW);
    // Where Linux groups processes by session, a priority counts within the group alone.
    if (process.platform === 'linux') attempt(() => writeFileSync(`/proc/${spinner.pid}/autogroup`, AUTOGROUP_NICE));
    return spinner;
  });
  return () => {
    for (const spinner of spinners) spinner.kill('SIGKILL');
  };
}

function attempt(work) {
  try {
    work();
  } catch {}
}
