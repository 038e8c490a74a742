import type { JsonObject } from '@mortise/plugin';
import { contractSchemaText } from '@mortise/plugin/contract';
import { seesOnlySummaries, toSummaries } from '../../access/visible-status.js';
import { PLUGINS_META, PLUGINS_URI } from '../../core/page-names.js';
import type { PluginStatus } from '../../core/plugin-status.js';
import { LOCAL, type Principal } from '../../core/principal.js';
import type { Caller } from '../../core/server-api.js';
import type { Snapshot } from '../../core/snapshot.js';
import { StateUnavailableError } from '../../state/state-store.js';
import type { CallServices } from '../call-services.js';
import { redactIncomplete, toIncompleteAnswer } from '../incomplete-answer.js';
import { scopeMissing } from '../interceptors/required-scope.js';
import { CONTRACT_PAGE, CONTRACT_SCHEMA_URI, CONTRACT_URI } from '../results/contract-page.js';
import { OUTPUTS_URI, outputsOf } from '../results/output-store.js';
import { stateUnavailable } from '../results/state-unavailable.js';
import type { ReadAnswer } from './read-resource.js';

/** The data of the server's own resources. */
export interface OwnResourceSources {
  /** Returns the plugins that the principal sees. */
  plugins(): readonly PluginStatus[];
  /** Adds the current activity of each plugin. */
  withActivity(plugins: readonly PluginStatus[]): Promise<readonly PluginStatus[]>;
}

/**
 * Reads a resource that the server itself provides. Interceptors do not run for it, so the scope is checked here.
 * @returns undefined if the server provides no resource with this URI
 */
export function readOwnResource(
  services: CallServices,
  uri: string,
  caller: Caller,
  sources: OwnResourceSources,
): Promise<ReadAnswer | undefined> | ReadAnswer | undefined {
  if (!uri.startsWith('mortise://')) return undefined;
  const { principal } = caller;
  if (principal !== undefined && !principal.scopes.has('mortise:read')) {
    const refusal = redactIncomplete(scopeMissing(caller, 'mortise:read', uri), services.redactor);
    return toIncompleteAnswer(refusal, caller);
  }
  if (uri === PLUGINS_URI) {
    return readPlugins(services, uri, principal, sources);
  }
  if (uri === CONTRACT_URI) {
    return { kind: 'result', contents: [{ uri, mimeType: 'text/markdown', text: CONTRACT_PAGE }] };
  }
  if (uri === CONTRACT_SCHEMA_URI) {
    return { kind: 'result', contents: [{ uri, mimeType: 'application/schema+json', text: contractSchemaText() }] };
  }
  return uri.startsWith(OUTPUTS_URI) ? readOutput(services, uri, caller) : undefined;
}

/** Reads a stored output, also one that another replica has stored. @returns undefined if the caller has none */
async function readOutput(services: CallServices, uri: string, caller: Caller): Promise<ReadAnswer | undefined> {
  const outputs = outputsOf(services.outputs, caller);
  let contents = outputs.read(uri);
  try {
    if (contents === undefined) await outputs.fetch?.(uri);
    contents ??= outputs.read(uri);
  } catch (error) {
    if (!(error instanceof StateUnavailableError)) throw error;
    const message = `The output cannot be read now, because the state that the replicas share cannot be used: ${error.message}`;
    return toIncompleteAnswer(redactIncomplete(stateUnavailable(message), services.redactor), caller);
  }
  return contents && { kind: 'result', contents };
}

async function readPlugins(
  services: CallServices,
  uri: string,
  principal: Principal | undefined,
  { plugins, withActivity }: OwnResourceSources,
): Promise<ReadAnswer> {
  const shownPlugins = seesOnlySummaries(principal) ? toSummaries(plugins()) : await withActivity(plugins());
  const text = JSON.stringify(shownPlugins, null, 2);
  const actions = actionsOf(services.viewOf(principal));
  const _meta = {
    [PLUGINS_META.principal]: describePrincipal(principal),
    ...(actions.length > 0 && { [PLUGINS_META.actions]: services.redactor.value(Object.fromEntries(actions)) }),
  };
  return { kind: 'result', contents: [{ uri, mimeType: 'application/json', text, _meta }] };
}

/** Returns the actions of each tool with their parameters, by wire name (docs/spec/plugin-api.md#tool-actions). */
function actionsOf({ tools }: Snapshot): [string, JsonObject][] {
  return tools.flatMap(({ wireName, definition: { actions } }): [string, JsonObject][] =>
    actions ? [[wireName, actions as unknown as JsonObject]] : [],
  );
}

/** Describes the reader, so that a client can show who it is logged in as (docs/spec/access.md#reader). */
function describePrincipal({ name, scopes, profiles }: Principal = LOCAL): JsonObject {
  return { name, scopes: [...scopes], profiles: [...profiles] };
}
