import type { PluginLogEntry } from '@mortise/plugin/runtime';

/** The maximum number of log lines in one turn of the event loop. Further lines are dropped and counted. */
const MAX_LINES_A_TICK = 500;

/** Logs a line of the plugin. @param id the id of the call that wrote the line, if any */
export type LogLine = (entry: PluginLogEntry, id?: number) => void;

/** Limits bursts of log lines, such as those of a loop without an await. */
export function createRateLimitedLog(send: LogLine): LogLine {
  let lines = 0;
  const endTick = () => {
    const dropped = lines - MAX_LINES_A_TICK;
    lines = 0;
    if (dropped > 0)
      send({ level: 'warn', message: `${dropped} log lines were dropped because the plugin logs too fast` });
  };
  return (entry, id) => {
    if (lines === 0) setImmediate(endTick);
    lines += 1;
    if (lines <= MAX_LINES_A_TICK) send(entry, id);
  };
}
