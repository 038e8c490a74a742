import type { ClientCapabilities } from '../call-context.js';
import { INPUT_KINDS, MissingCapabilityError } from './input-requests.js';
import type { ErrorOutcome, InputRequest } from './outcome.js';
import { normaliseThrown } from './thrown.js';

const KIND_OF_METHOD = {
  'elicitation/create': INPUT_KINDS.elicit,
  'sampling/createMessage': INPUT_KINDS.sample,
  'roots/list': INPUT_KINDS.roots,
};

/** CAPABILITY_NOT_AVAILABLE if a client with these capabilities cannot answer one of the questions. */
export function missingCapability(
  requests: readonly InputRequest[],
  capabilities: ClientCapabilities,
): ErrorOutcome | undefined {
  const missing = requests
    .map((request) => ({ request, kind: KIND_OF_METHOD[request.method] }))
    .filter(({ request, kind }) => !kind.isAvailable(capabilities, request));
  return missing.length === 0 ? undefined : normaliseThrown(new MissingCapabilityError(missing));
}
