import type { JsonObject } from '@mortise/plugin';
import { type ErrorOutcome, isJsonObject, suggestNames } from '@mortise/plugin/runtime';
import { callIdOf } from '../core/call-id.js';
import type { CallAnswer, Caller, CallResult } from '../core/server-api.js';
import { defaultOptions, takeCallOptions } from './call-options.js';
import { type CallServices, outputsOf } from './call-services.js';
import { refusalOf } from './refused-tool.js';
import { redactOutcome } from './results/redact-outcome.js';
import { respond } from './results/to-call-result.js';
import { notLoadedText, unavailableOwner } from './unloaded-plugin.js';

interface MissingCall {
  readonly name: string;
  readonly args: unknown;
  readonly caller: Caller;
}

/** The answer to a call of a name that no tool has; a plugin that is not loaded may have it. @param again calls it once more */
export async function callMissing(
  services: CallServices,
  call: MissingCall,
  again: () => Promise<CallAnswer>,
): Promise<CallAnswer> {
  const { redactor, snapshot } = services;
  const { name, caller } = call;
  const { tools, plugins } = snapshot(caller.principal);
  const names = tools.map(({ wireName }) => wireName);
  const unknown = { kind: 'unknown_tool', suggestions: suggestNames(name, names) } as const;
  const refusal = refusalOf(name, plugins);
  if (refusal) return { ...unknown, refusal: redactor.value(refusal) };
  const isThere = () => snapshot(caller.principal).findTool(name) !== undefined;
  const outcome = await unavailableOwner(services, name, caller, isThere);
  if (outcome === 'there') return again();
  if (outcome) return { kind: 'result', result: unavailable(services, call, outcome) };
  const notLoaded = notLoadedText(name, plugins, caller);
  return { ...unknown, ...(notLoaded !== undefined && { notLoaded: redactor.text(notLoaded) }) };
}

function unavailable(services: CallServices, { args, caller }: MissingCall, outcome: ErrorOutcome): CallResult {
  const { settings, redactor, showsCallIds } = services;
  const { options } = takeCallOptions(toObject(args), {}, defaultOptions(settings));
  const withId = { ...outcome, metadata: { callId: callIdOf(caller) } };
  return respond(redactOutcome(withId, redactor), {
    machineReadable: options.machineReadable,
    hasOutputSchema: false,
    isFirstParty: false,
    maxTextChars: settings.Output.MaxTextChars,
    maxResultBytes: services.maxResultBytes(caller),
    outputs: outputsOf(services, caller),
    showsCallId: showsCallIds,
  });
}

const toObject = (args: unknown): JsonObject => (isJsonObject(args) ? args : {});
