import type { JsonObject, LogLevel } from '@mortise/plugin';
import { ownMember, type PluginLogEntry } from '@mortise/plugin/runtime';
import { isObject } from './rpc-errors.js';

/** MCP's levels, by ours. */
const LEVELS: Readonly<Record<string, LogLevel>> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
};

/** A `notifications/message` of a server as a line of a plugin's log. */
export function toLogEntry({ level, logger, data }: JsonObject): PluginLogEntry {
  const scope = typeof logger === 'string' && logger !== '' ? { scope: logger } : {};
  const own = ownMember(LEVELS, String(level)) ?? 'info';
  if (typeof data === 'string') return { level: own, message: data, ...scope };
  const { message, ...fields } = isObject(data) ? data : { data: data ?? null };
  const isText = typeof message === 'string';
  return {
    level: own,
    message: isText ? message : 'a message of the server',
    fields: isText || message === undefined ? fields : { ...fields, message },
    ...scope,
  };
}
