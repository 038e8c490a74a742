/** The levels of the log, the least severe first. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** Writes to the server's log and to clients that asked for that level, never to stdout. Secrets are redacted. */
export interface Logger {
  trace(message: string, fields?: Record<string, unknown>): void;
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** A logger that passes every line to `write`. */
export function createLogger(
  write: (level: LogLevel, message: string, fields?: Record<string, unknown>) => void,
): Logger {
  const at = (level: LogLevel) => (message: string, fields?: Record<string, unknown>) => write(level, message, fields);
  return { trace: at('trace'), debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
