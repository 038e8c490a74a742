// Loaded before the server (`node --import`): at each SIGUSR2 it writes how long its event loop stood still since the last one.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 5;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
process.on('SIGUSR2', () => {
  const ms = delay.count === 0 ? 0 : Math.max(0, delay.max / 1e6 - RESOLUTION_MS);
  writeFileSync(process.env.BENCH_STALLS, `${JSON.stringify({ ms })}\n`);
  delay.reset();
});
