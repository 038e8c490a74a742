import { spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Platform module: the end of process groups. Windows' branch is written by its documented rules and untried. */
function end(pid: number): void {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}

const groups = new Set<number>();

// Nothing but the closed pipe ends it: a terminal's Ctrl+C reaches whole groups, and the server may still be busy ending.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const pid = Number(line.slice(1));
  if (!Number.isSafeInteger(pid) || pid <= 1) return;
  if (line.startsWith('+')) groups.add(pid);
  else groups.delete(pid);
});
lines.on('close', () => {
  for (const pid of groups) end(pid);
  process.exit(0);
});
