import type { Handler } from '../client-connection.js';
import { invalidParams } from '../errors.js';
import { isLoggingLevel, LOGGING_LEVELS } from '../logging.js';

/** `logging/setLevel` of 2025-11-25 sessions. With 2026-07-28 the level is in each request. */
export function loggingHandlers(): Record<string, Handler> {
  return {
    async 'logging/setLevel'({ level }, _ctx, connection) {
      if (!isLoggingLevel(level)) throw invalidParams(`params.level must be one of ${LOGGING_LEVELS.join(', ')}.`);
      connection.level = level;
      return {};
    },
  };
}
