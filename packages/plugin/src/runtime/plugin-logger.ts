import { isJsonObject, type JsonObject, setMember } from '../json.js';
import { createLogger, type Logger } from '../logger.js';
import { describeError, describeValue, isError } from './describe.js';
import type { PluginLogEntry } from './plugin-instance.js';
import { toJsonValue } from './to-json-value.js';

/** A logger for plugin code. It accepts any value and never throws. */
export function createPluginLogger(log: (entry: PluginLogEntry) => void, scope?: string): Logger {
  return createLogger((level, message, fields) => {
    const plain = fields === undefined ? undefined : jsonFields(fields);
    log({
      level,
      message: typeof message === 'string' ? message : messageText(message),
      ...(plain !== undefined && { fields: plain }),
      ...(scope !== undefined && { scope }),
    });
  });
}

function messageText(message: unknown): string {
  if (isError(message)) return describeError(message);
  const isScalar = typeof message === 'number' || typeof message === 'boolean' || typeof message === 'bigint';
  return isScalar ? String(message) : describeValue(message);
}

/** Converts fields to JSON. An Error becomes its name, message and stack trace. */
function jsonFields(fields: unknown): JsonObject {
  try {
    if (isError(fields)) return { error: errorFields(fields) };
    if (typeof fields !== 'object' || fields === null) return { value: toJsonValue(fields) ?? null };
    const plain: JsonObject = {};
    for (const [key, value] of Object.entries(fields)) {
      const member = isError(value) ? errorFields(value) : toJsonValue(value);
      if (member !== undefined) setMember(plain, key, member);
    }
    return plain;
  } catch (error) {
    return { fields: `${describeValue(fields)} that cannot be logged: ${describeError(error)}` };
  }
}

function errorFields(error: Error): JsonObject {
  const own = toJsonValue({ ...error });
  return {
    ...(isJsonObject(own) ? own : {}),
    name: String(error.name),
    message: describeError(error),
    ...(typeof error.stack === 'string' && { stack: error.stack }),
  };
}
