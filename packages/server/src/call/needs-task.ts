import type { ErrorOutcome } from '@mortise/plugin/runtime';
import type { Caller } from '../core/server-api.js';
import { capabilityNotAvailable } from './results/error-outcomes.js';

const EXTENSION = 'io.modelcontextprotocol/tasks';

/**
 * The refusal of a tool that takes so long that it needs a client with tasks (docs/spec/protocol.md#tasks). Callers that are
 * not clients of MCP wait as long as it takes.
 */
export function taskRefusal({ protocolVersion, clientCapabilities }: Caller): ErrorOutcome | undefined {
  const { extensions } = clientCapabilities;
  const isKnown = typeof extensions === 'object' && extensions !== null && EXTENSION in extensions;
  if (protocolVersion === undefined || isKnown) return undefined;
  const reason = 'the tool takes longer than a client without the tasks extension waits';
  const refusal = capabilityNotAvailable('tasks', reason, ['Use a client that supports the MCP extension for tasks']);
  return { ...refusal, requiredCapabilities: { extensions: { [EXTENSION]: {} } } };
}
