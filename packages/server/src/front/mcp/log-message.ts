import type { LoggingLevel, LogMessage } from '@mortise/mcp';
import type { LogLevel } from '@mortise/plugin';
import type { LogLine } from '../../log/log.js';

/** The log level for a session's own calls until it sets one; the specification of MCP leaves this to the server. */
export const DEFAULT_CALL_LEVEL: LoggingLevel = 'info';

const MCP_LEVEL: Record<LogLevel, LoggingLevel> = {
  trace: 'debug',
  debug: 'debug',
  info: 'info',
  warn: 'warning',
  error: 'error',
};

/** A line as MCP sends it. */
export function logMessage({ level, mcpLevel, message, fields, logger }: LogLine & { logger: string }): LogMessage {
  const hasFields = fields && Object.keys(fields).length > 0;
  const data = hasFields ? { ...fields, ...(message !== '' && { message }) } : message;
  return { level: mcpLevel ?? MCP_LEVEL[level], logger, data };
}
