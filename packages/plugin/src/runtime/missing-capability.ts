import type { ClientCapabilities } from '../call-context.js';
import { INPUT_REQUEST_TYPES, MissingCapabilityError } from './input-requests.js';
import type { ErrorOutcome, InputRequest } from './outcome.js';
import { normaliseThrown } from './thrown.js';

const KIND_OF_METHOD = {
  'elicitation/create': INPUT_REQUEST_TYPES.elicit,
  'sampling/createMessage': INPUT_REQUEST_TYPES.sample,
  'roots/list': INPUT_REQUEST_TYPES.roots,
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
