// Loaded before the server (`node --import`): at each SIGUSR2 it writes how long its event loop stood still since the last one.
import { readFileSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 5;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();

/** The processor time of this thread in milliseconds; NaN where the system does not tell. */
function threadCpuMs() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return Number.NaN;
  }
}

// A loop that is free has a turn every few milliseconds: what it computed between two of them, it computed at a stretch.
let mostCpuMs = 0;
let lastCpuMs = threadCpuMs();
setInterval(() => {
  const now = threadCpuMs();
  mostCpuMs = Math.max(mostCpuMs, now - lastCpuMs - RESOLUTION_MS);
  lastCpuMs = now;
}, RESOLUTION_MS).unref();

process.on('SIGUSR2', () => {
  const ms = delay.count === 0 ? 0 : Math.max(0, delay.max / 1e6 - RESOLUTION_MS);
  writeFileSync(process.env.BENCH_STALLS, `${JSON.stringify({ ms, cpuMs: mostCpuMs })}\n`);
  delay.reset();
  mostCpuMs = 0;
});
