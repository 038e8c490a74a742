import type { Handler } from '../client-connection.js';
import type { Front } from '../front.js';
import { completionHandlers } from './completion.js';
import { promptHandlers } from './prompts.js';
import { resourceHandlers } from './resources.js';
import { loggingHandlers } from './set-logging-level.js';
import { toolHandlers } from './tools.js';

/** All methods that are answered, by name. */
export function handlersOf(front: Front): Record<string, Handler> {
  return {
    ...toolHandlers(front),
    ...resourceHandlers(front),
    ...promptHandlers(front),
    ...completionHandlers(front),
    ...loggingHandlers(),
  };
}
