import { type CallChannel, DEFAULT_VERSION } from '@mortise/plugin/runtime';
import type { CallMeta } from '../worker/protocol.js';

/** The data of a call that its plugin's process gets. */
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
