export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** Writes to the server's log and to clients that asked for that level; never to stdout. Secrets are redacted. */
export interface Logger {
  trace(message: string, fields?: Record<string, unknown>): void;
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

export const LOG_LEVELS: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error'];

/** A logger that passes every line to `write`. */
export function createLogger(
  write: (level: LogLevel, message: string, fields?: Record<string, unknown>) => void,
): Logger {
  const at = (level: LogLevel) => (message: string, fields?: Record<string, unknown>) => write(level, message, fields);
  return { trace: at('trace'), debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
