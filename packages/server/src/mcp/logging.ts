import type { LoggingLevel } from '@modelcontextprotocol/server';
import type { LogLevel } from '@mortise/plugin';
import type { LogLine } from '../logging/log.js';

/** The levels of MCP (RFC 5424), the least severe first. */
export const LOGGING_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const satisfies readonly LoggingLevel[];

/** The log level for a 2025-11-25 session's own calls until it sets one; the specification leaves this to the server. */
export const DEFAULT_CALL_LEVEL: LoggingLevel = 'info';

const MCP_LEVEL: Record<LogLevel, LoggingLevel> = {
  trace: 'debug',
  debug: 'debug',
  info: 'info',
  warn: 'warning',
  error: 'error',
};

/** Whether this is a level of MCP logging. */
export function isLoggingLevel(value: unknown): value is LoggingLevel {
  return (LOGGING_LEVELS as readonly unknown[]).includes(value);
}

/** `notifications/message` for a line, or undefined when it is below the level. No level: nothing is sent. */
export function logNotification(line: LogLine & { logger: string }, threshold: LoggingLevel | undefined) {
  const level = MCP_LEVEL[line.level];
  if (threshold === undefined || LOGGING_LEVELS.indexOf(level) < LOGGING_LEVELS.indexOf(threshold)) return undefined;
  const { message, fields, logger } = line;
  const data = fields && Object.keys(fields).length > 0 ? { ...fields, message } : message;
  return { method: 'notifications/message', params: { level, logger, data } } as const;
}
