import type { JsonObject, PromptMessage, ResourceContents } from '@mortise/plugin';
import type {
  CallChannel,
  Completion,
  ErrorOutcome,
  InputRequiredOutcome,
  PromptOutcome,
  ReadOutcome,
} from '@mortise/plugin/runtime';
import type { Answer, Caller, CompletionRequest } from '../core/server-api.js';
import type { PluginRef } from '../core/snapshot.js';
import { suggestNames } from '../core/wire-names.js';
import { toErrorResult } from '../results/error-result.js';
import { CallLog, type CallServices, chargeIfLong, timeoutOf } from './call-services.js';
import { type FoundResource, findResource } from './find-resource.js';
import { redactBlocks, redactContents } from './redact-outcome.js';
import { runWithLimits } from './run-with-limits.js';

const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;
/** MCP's "resource not found". */
const NOT_FOUND = -32002;
const MAX_COMPLETIONS = 100;
/** How long completing an argument may take, if the plugin's own timeout is not shorter, in milliseconds. */
const COMPLETE_MS = 5_000;

export type ReadAnswer = Answer<{ contents: ResourceContents[] }>;
export type PromptAnswer = Answer<{ description?: string; messages: PromptMessage[] }>;
export type CompleteAnswer = Answer<{ values: string[]; total: number; hasMore: boolean }>;

/** Reads a plugin's resource: by its URI, else by the first template that matches. */
export async function readResource(services: CallServices, uri: string, caller: Caller): Promise<ReadAnswer> {
  const found = await findResource(services.snapshot(), uri, services.settings.Plugins.Limits);
  if (found) return read(services, found, uri, caller);
  const redactedUri = services.redactor.text(uri);
  return { kind: 'error', code: NOT_FOUND, message: `Resource not found: ${redactedUri}`, data: { uri: redactedUri } };
}

/** Where the resource's plugin has to be asked for changes, it is; one that no one offers does not change. */
export async function watchResource(services: CallServices, uri: string): Promise<void> {
  const found = await findResource(services.snapshot(), uri, services.settings.Plugins.Limits);
  found?.resource.runner.watchResource?.(uri);
}

/** No template of a plugin reaches what is the host's own. */
async function read(services: CallServices, found: FoundResource, uri: string, caller: Caller): Promise<ReadAnswer> {
  const { resource, key, variables } = found;
  const { runner } = resource;
  const outcome = await runLimited<ReadOutcome>(services, resource, { resource: uri }, caller, (channel) =>
    runner.readResource(key, uri, variables, channel),
  );
  if (outcome.kind !== 'success') return toIncompleteAnswer(services, outcome, caller);
  const startedAt = performance.now();
  const contents = redactContents(outcome.contents, services.redactor);
  chargeIfLong(runner, startedAt);
  return { kind: 'result', contents };
}

/** Gets a plugin's prompt. Missing required arguments are an error that names them. */
export async function getPrompt(
  services: CallServices,
  name: string,
  args: Record<string, string>,
  caller: Caller,
): Promise<PromptAnswer> {
  const snapshot = services.snapshot();
  const prompt = snapshot.findPrompt(name);
  if (!prompt)
    return unknownPrompt(
      name,
      snapshot.prompts.map(({ definition }) => definition.name),
    );
  const missing = prompt.definition.arguments
    .filter((argument) => argument.required && !args[argument.name])
    .map((argument) => argument.name);
  if (missing.length > 0) {
    const message = `The prompt '${name}' needs the argument${missing.length > 1 ? 's' : ''} ${missing.map((item) => `'${item}'`).join(', ')}`;
    return { kind: 'error', code: INVALID_PARAMS, message, data: { missing } };
  }
  const outcome = await runLimited<PromptOutcome>(services, prompt, { prompt: name }, caller, (channel) =>
    prompt.runner.getPrompt(prompt.definition.name, args, channel),
  );
  if (outcome.kind !== 'success') return toIncompleteAnswer(services, outcome, caller);
  const startedAt = performance.now();
  const blocks = redactBlocks(
    outcome.messages.map(({ content }) => content),
    services.redactor,
  );
  const messages = outcome.messages.map(({ role }, at) => ({ role, content: blocks[at]! }));
  chargeIfLong(prompt.runner, startedAt);
  const { description } = outcome;
  return {
    kind: 'result',
    ...(description === undefined ? {} : { description: services.redactor.text(description) }),
    messages,
  };
}

/**
 * Completes an argument of a prompt or a variable of a template. It has a turn and a deadline as a call has, without a
 * grace; who asks for completions is asked nothing.
 */
export async function complete(
  services: CallServices,
  { ref, argument, value, knownArguments }: CompletionRequest,
  caller: Caller,
): Promise<CompleteAnswer> {
  const { findPrompt, prompts, templates } = services.snapshot();
  const target =
    ref.type === 'prompt'
      ? findPrompt(ref.name)
      : templates.find(({ definition }) => definition.uriTemplate === ref.uriTemplate);
  if (!target) {
    return ref.type === 'prompt'
      ? unknownPrompt(
          ref.name,
          prompts.map(({ definition }) => definition.name),
        )
      : { kind: 'error', code: INVALID_PARAMS, message: `Unknown resource template: ${ref.uriTemplate}` };
  }
  if (!target.definition.completes.includes(argument)) return { kind: 'result', values: [], total: 0, hasMore: false };
  const outcome = await completeWithLimits(services, target, caller, (channel) =>
    target.runner.complete(ref, argument, value, knownArguments, channel),
  );
  if (outcome.kind === 'error') return toIncompleteAnswer(services, outcome, caller);
  const { completion } = outcome;
  const values = services.redactor.value(completion.values.slice(0, MAX_COMPLETIONS));
  const total = Math.max(completion.total ?? 0, completion.values.length);
  return { kind: 'result', values, total, hasMore: completion.hasMore === true || total > values.length };
}

interface Completed {
  readonly kind: 'completed';
  readonly completion: Completion;
}

/** Nothing where the values did not come in time; that the plugin is busy is an error. */
async function completeWithLimits(
  services: CallServices,
  owner: PluginRef,
  { signal, client }: Caller,
  work: (channel: CallChannel) => Promise<Completion>,
): Promise<Completed | ErrorOutcome> {
  const { completionConcurrency: concurrency, redactor, shutdown } = services;
  const caller: Caller = { signal, ...(client && { client }), clientCapabilities: {}, inputMode: 'ask' };
  const ownMs = timeoutOf(services, owner.plugin);
  const timeoutMs = Number.isFinite(ownMs) ? Math.min(COMPLETE_MS, ownMs) : ownMs;
  const log = new CallLog(services, caller, owner.plugin, () => ({}));
  const outcome = await runWithLimits<Completed>(
    {
      owner,
      timeoutMs,
      caller,
      concurrency,
      redactor,
      shutdown,
      limits: services.settings.Plugins.Limits,
      log,
      graceMs: 0,
    },
    async (channel) => ({ kind: 'completed', completion: await work(channel) }),
  );
  if (outcome.kind === 'completed' || outcome.errors[0]?.code === 'TOOL_BUSY') return outcome;
  if (!signal.aborted)
    services.log.warn('a completion did not end in time', { plugin: owner.plugin, code: outcome.errors[0]?.code });
  return { kind: 'completed', completion: { values: [] } };
}

function runLimited<T extends { kind: string }>(
  services: CallServices,
  owner: PluginRef,
  fields: Record<string, string>,
  caller: Caller,
  work: Parameters<typeof runWithLimits<T>>[1],
): Promise<T | ErrorOutcome> {
  const { concurrency, redactor, shutdown } = services;
  const { plugin } = owner;
  const log = new CallLog(services, caller, plugin, () => fields);
  const { Limits: limits } = services.settings.Plugins;
  return runWithLimits<T>(
    { owner, timeoutMs: timeoutOf(services, plugin), caller, concurrency, redactor, shutdown, limits, log },
    work,
  );
}

function toIncompleteAnswer(
  services: CallServices,
  outcome: ErrorOutcome | InputRequiredOutcome,
  caller: Caller,
): Exclude<Answer<object>, { kind: 'result' }> {
  if (outcome.kind === 'input_required')
    return { kind: 'input_required', requests: services.redactor.value(outcome.requests) };
  if (outcome.requiredCapabilities && caller.inputMode === 'retry') {
    return { kind: 'missing_capability', required: outcome.requiredCapabilities };
  }
  const { code, message, hint, mcpErrorCode } = toErrorResult(services.redactor.value(outcome.errors[0]!));
  return {
    kind: 'error',
    code: mcpErrorCode ?? INTERNAL_ERROR,
    message,
    data: { code, ...(hint ? { hint } : {}) } as JsonObject,
  };
}

function unknownPrompt(name: string, names: string[]): Exclude<Answer<object>, { kind: 'result' }> {
  return {
    kind: 'error',
    code: INVALID_PARAMS,
    message: `Unknown prompt: ${name}`,
    data: { suggestions: suggestNames(name, names) },
  };
}
