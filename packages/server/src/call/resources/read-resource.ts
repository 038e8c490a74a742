import { RPC_CODES } from '@mortise/mcp';
import type { JsonObject, ResourceContents } from '@mortise/plugin';
import type { ReadOutcome } from '@mortise/plugin/runtime';
import { callIdOf } from '../../core/call-id.js';
import type { Answer, Caller } from '../../core/server-api.js';
import { resourceLabel } from '../../plugins/pins/plugin-pins.js';
import type { CallServices } from '../call-services.js';
import { type FoundResource, findResource } from '../find-resource.js';
import { toIncompleteAnswer } from '../incomplete-answer.js';
import { redactContents } from '../results/redact-outcome.js';
import { runWithLimits } from '../run-with-limits.js';
import { unavailableOwner } from '../unloaded-plugin.js';

export type ReadAnswer = Answer<{ contents: ResourceContents[]; meta?: JsonObject }>;

/** Reads a plugin's resource: by its URI, else by the first template that matches. */
export async function readResource(services: CallServices, uri: string, caller: Caller): Promise<ReadAnswer> {
  const find = () => findResource(services.snapshot(caller.principal), uri, services.settings.Plugins.Limits);
  const found = await find();
  if (found) return read(services, found, uri, caller);
  const isThere = () => services.snapshot(caller.principal).resources.some(({ definition }) => definition.uri === uri);
  const unavailable = await unavailableOwner(services, resourceLabel(uri), caller, isThere);
  if (unavailable === 'there') return readResource(services, uri, caller);
  if (unavailable) return toIncompleteAnswer(services, unavailable, caller);
  return notFound(services, uri, `Resource not found: ${uri}`);
}

/** In the form that the SDK knows as a missing resource, whose code depends on the protocol version. */
function notFound({ redactor }: CallServices, uri: string, message: string): ReadAnswer {
  return {
    kind: 'error',
    code: RPC_CODES.resourceNotFound,
    message: redactor.text(message),
    data: { uri: redactor.text(uri) },
  };
}

async function read(services: CallServices, found: FoundResource, uri: string, caller: Caller): Promise<ReadAnswer> {
  const { resource, key, variables } = found;
  const { runner } = resource;
  const outcome = await runWithLimits<ReadOutcome>(
    services,
    {
      kind: 'resource',
      owner: resource,
      target: uri,
      caller,
      logFields: () => ({ resource: uri, callId: callIdOf(caller) }),
    },
    (channel) => runner.readResource(key, uri, variables, channel),
  );
  const [error] = outcome.kind === 'error' ? outcome.errors : [];
  if (error?.code === 'RESOURCE_NOT_FOUND') return notFound(services, uri, String(error.message));
  if (outcome.kind !== 'success') return toIncompleteAnswer(services, outcome, caller);
  const contents = redactContents(outcome.contents, services.redactor);
  const { meta } = outcome;
  return { kind: 'result', contents, ...(meta && { meta: services.redactor.value(meta) }) };
}
