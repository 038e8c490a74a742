import type { PluginLogEntry } from '@mortise/plugin/runtime';

/** Log lines of one turn of the event loop; more are dropped and counted. */
const MAX_LINES_A_TICK = 500;

/** A line of the plugin's log. `id` is the call's; absent outside of calls. */
export type LogLine = (entry: PluginLogEntry, id?: number) => void;

/** Bounds a burst of log lines, as a loop without an await writes them. */
export function createBatchedLog(send: LogLine): LogLine {
  let lines = 0;
  const endTick = () => {
    const dropped = lines - MAX_LINES_A_TICK;
    lines = 0;
    if (dropped > 0) send({ level: 'warn', message: `${dropped} log lines dropped` });
  };
  return (entry, id) => {
    if (lines === 0) setImmediate(endTick);
    lines += 1;
    if (lines <= MAX_LINES_A_TICK) send(entry, id);
  };
}
