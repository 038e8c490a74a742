import { type CallChannel, DEFAULT_VERSION } from '@mortise/plugin/runtime';
import type { CallMeta } from '../worker/protocol.js';

/** Returns the data of a call that the plugin's process receives. */
export function callMeta({
  caller,
  clientCapabilities,
  inputMode,
  protocolVersion,
  answers,
  onceResults,
}: CallChannel): CallMeta {
  return {
    inputMode,
    caller,
    onceResults,
    ...(protocolVersion !== DEFAULT_VERSION[inputMode] && { protocolVersion }),
    ...(!isEmpty(clientCapabilities) && { clientCapabilities }),
    ...(!isEmpty(answers) && { answers }),
  };
}

function isEmpty(object: object): boolean {
  for (const _ in object) return false;
  return true;
}
