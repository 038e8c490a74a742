import type { JsonObject } from '@mortise/plugin';
import { contractSchemaText } from '@mortise/plugin/contract';
import { isSummary, toSummaries } from '../../access/visible-status.js';
import type { PluginStatus } from '../../core/plugin-status.js';
import { LOCAL, type Principal } from '../../core/principal.js';
import type { Caller } from '../../core/server-api.js';
import type { Snapshot } from '../../core/snapshot.js';
import type { CallServices } from '../call-services.js';
import { redactIncomplete, toIncompleteAnswer } from '../incomplete-answer.js';
import { scopeMissing } from '../interceptors/required-scope.js';
import { CONTRACT_PAGE, CONTRACT_SCHEMA_URI, CONTRACT_URI } from '../results/contract-page.js';
import { OUTPUTS_URI, outputsOf } from '../results/output-store.js';
import type { ReadAnswer } from './read-resource.js';

/** Where the server's own resources come from. */
export interface OwnResourceSources {
  /** What the principal sees of the plugins. */
  plugins(): readonly PluginStatus[];
  /** The same with what they do now. */
  active(plugins: readonly PluginStatus[]): Promise<readonly PluginStatus[]>;
}

/** Reads a resource of the server itself, which no interceptor sees; undefined for a URI that has none. */
export function readOwnResource(
  services: CallServices,
  uri: string,
  caller: Caller,
  sources: OwnResourceSources,
): Promise<ReadAnswer> | ReadAnswer | undefined {
  if (!uri.startsWith('mortise://')) return undefined;
  const { principal } = caller;
  if (principal !== undefined && !principal.scopes.has('mortise:read')) {
    const refusal = redactIncomplete(scopeMissing(caller, 'mortise:read', uri), services.redactor);
    return toIncompleteAnswer(refusal, caller);
  }
  if (uri === 'mortise://plugins') {
    return readPlugins(services, uri, principal, sources);
  }
  if (uri === CONTRACT_URI) {
    return { kind: 'result', contents: [{ uri, mimeType: 'text/markdown', text: CONTRACT_PAGE }] };
  }
  if (uri === CONTRACT_SCHEMA_URI) {
    return { kind: 'result', contents: [{ uri, mimeType: 'application/schema+json', text: contractSchemaText() }] };
  }
  const contents = uri.startsWith(OUTPUTS_URI) ? outputsOf(services.outputs, caller).read(uri) : undefined;
  return contents && { kind: 'result', contents };
}

async function readPlugins(
  services: CallServices,
  uri: string,
  principal: Principal | undefined,
  { plugins, active }: OwnResourceSources,
): Promise<ReadAnswer> {
  const seen = isSummary(principal) ? toSummaries(plugins()) : await active(plugins());
  const text = JSON.stringify(seen, null, 2);
  const actions = actionsOf(services.snapshot(principal));
  const _meta = {
    'mortise/principal': describePrincipal(principal),
    ...(actions.length > 0 && { 'mortise/actions': services.redactor.value(Object.fromEntries(actions)) }),
  };
  return { kind: 'result', contents: [{ uri, mimeType: 'application/json', text, _meta }] };
}

/** What each action of a tool takes, by the name of the tool (docs/spec/plugin-api.md#tool-actions). */
function actionsOf({ tools }: Snapshot): [string, JsonObject][] {
  return tools.flatMap(({ wireName, definition: { actions } }): [string, JsonObject][] =>
    actions ? [[wireName, actions as unknown as JsonObject]] : [],
  );
}

/** Who reads, so that a client can show it (docs/spec/access.md#reader). */
function describePrincipal({ name, scopes, profiles }: Principal = LOCAL): JsonObject {
  return { name, scopes: [...scopes], profiles: [...profiles] };
}
