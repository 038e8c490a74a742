import type { LoggingLevel, LogMessage } from '@mortise/mcp';
import type { LogLevel } from '@mortise/plugin';
import type { LogLine } from '../../log/log.js';

/** The log level for the calls of a session that has set none. MCP leaves this choice to the server. */
export const DEFAULT_CALL_LEVEL: LoggingLevel = 'info';

const MCP_LEVEL: Record<LogLevel, LoggingLevel> = {
  trace: 'debug',
  debug: 'debug',
  info: 'info',
  warn: 'warning',
  error: 'error',
};

/** Converts a log line to the form in which MCP sends it. */
export function logMessage({ level, mcpLevel, message, fields, logger }: LogLine & { logger: string }): LogMessage {
  const hasFields = fields && Object.keys(fields).length > 0;
  const data = hasFields ? { ...fields, ...(message !== '' && { message }) } : message;
  return { level: mcpLevel ?? MCP_LEVEL[level], logger, data };
}
