import type { LoggingLevel } from '@mortise/mcp';
import type { JsonObject } from '@mortise/plugin';
import { isJsonObject, ownMember, type PluginLogEntry } from '@mortise/plugin/runtime';

type Level = Pick<PluginLogEntry, 'level' | 'mcpLevel'>;

/** The levels of Mortise's log by those of MCP. */
const LEVELS: Readonly<Record<LoggingLevel, Level>> = {
  debug: { level: 'debug' },
  info: { level: 'info' },
  notice: { level: 'info', mcpLevel: 'notice' },
  warning: { level: 'warn' },
  error: { level: 'error' },
  critical: { level: 'error', mcpLevel: 'critical' },
  alert: { level: 'error', mcpLevel: 'alert' },
  emergency: { level: 'error', mcpLevel: 'emergency' },
};

/** Converts a `notifications/message` of a server to a line of a plugin's log. */
export function toLogEntry({ level, logger, data }: JsonObject): PluginLogEntry {
  const scope = typeof logger === 'string' && logger !== '' ? { scope: logger } : {};
  const own = ownMember(LEVELS, String(level)) ?? LEVELS.info;
  if (typeof data === 'string') return { ...own, message: data, ...scope };
  const { message, ...fields } = isJsonObject(data) ? data : { data: data ?? null };
  const isText = typeof message === 'string';
  return {
    ...own,
    message: isText ? message : '',
    fields: isText || message === undefined ? fields : { ...fields, message },
    ...scope,
  };
}
