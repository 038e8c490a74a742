import type { Log } from '../../log/log.js';
import { errorStack } from '../../util/error-message.js';

/**
 * Logs errors that a plugin's timer or forgotten promise throws outside of any call. The errors do not end the process,
 * so that the other plugins continue.
 */
export function logUncaughtErrors(log: Log): void {
  const report = (error: unknown) =>
    log.error('Uncaught error outside a call, probably in a plugin', {
      source: 'process',
      error: errorStack(error),
    });
  process.on('uncaughtException', report);
  process.on('unhandledRejection', report);
}
