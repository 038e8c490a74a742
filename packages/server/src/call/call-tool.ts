import { RPC_CODES } from '@mortise/mcp';
import type { ErrorResponse, JsonObject } from '@mortise/plugin';
import {
  type CallChannel,
  type ErrorOutcome,
  isJsonObject,
  type Outcome,
  type OutcomeError,
  type SuccessOutcome,
} from '@mortise/plugin/runtime';
import type { Redactor } from '@mortise/redact';
import { isFirstParty } from '../access/operations.js';
import { callIdOf } from '../core/call-id.js';
import type { CallAnswer, Caller, CallResult } from '../core/server-api.js';
import type { Tool } from '../core/snapshot.js';
import { errorStack } from '../util/error-message.js';
import { type CallOptions, defaultOptions, takeCallOptions, withoutNulls } from './call-options.js';
import { type CallServices, outputsOf } from './call-services.js';
import { toIncompleteAnswer } from './incomplete-answer.js';
import { callMissing } from './missing-tool.js';
import { taskRefusal } from './needs-task.js';
import { capabilityNotAvailable, errorOutcome, errorOutcomes } from './results/error-outcomes.js';
import { redactOutcome } from './results/redact-outcome.js';
import { type RespondOptions, respond } from './results/to-call-result.js';
import { lastChars } from './results/truncate.js';
import { runWithLimits } from './run-with-limits.js';
import { checkOutput } from './validate-output.js';
import { withOtherTool } from './validation/other-tool.js';
import { fillRequiredDefaults } from './validation/required-defaults.js';
import { ValidationUnavailableError } from './validation/schema-validator.js';

class Call {
  constructor(
    public tool: Tool,
    readonly caller: Caller,
    /** The defaults until the arguments are read. */
    public options: CallOptions,
  ) {}

  /** For the log; most calls need none. */
  get id(): string {
    return callIdOf(this.caller);
  }
}

/**
 * The pipeline of a call: resolve → validate → admit → execute → normalise (where the tool runs) → redact → respond.
 * Never rejects: whatever happens is an answer.
 */
export function callTool(services: CallServices, name: string, args: unknown, caller: Caller): Promise<CallAnswer> {
  const tool = services.snapshot(caller.principal).findTool(name);
  if (!tool) return callMissing(services, { name, args, caller }, () => callTool(services, name, args, caller));
  const options = defaultOptions(services.settings);
  const call = new Call(tool, caller, options);
  const toAnswer = (outcome: Outcome) => answer(services, call, outcome);
  const toInternalError = (error: unknown) => toAnswer(internalError(services, call, error));
  try {
    const outcome = runCall(services, call, args);
    if (outcome instanceof Promise) return outcome.then(toAnswer, toInternalError);
    return Promise.resolve(toAnswer(outcome));
  } catch (error) {
    return Promise.resolve(toInternalError(error));
  }
}

function runCall(services: CallServices, call: Call, rawArgs: unknown): Outcome | Promise<Outcome> {
  const { tool, caller } = call;
  const { inputSchema, timeoutMs, needsTask } = tool.definition;
  const refusal = needsTask && taskRefusal(caller);
  if (refusal) return refusal;
  const input = rawArgs ?? {};
  if (!isJsonObject(input)) return errorOutcome('INVALID_PARAMS', 'The arguments must be a JSON object');
  tool.runner.expectCall?.();
  const named = isFirstParty(tool) ? withoutNulls(input, inputSchema) : input;
  const callOptions = takeCallOptions(named, inputSchema, call.options);
  call.options = callOptions.options;
  const args = withDefaults(callOptions.args, tool);
  const check = services.checks.arguments(args, tool);
  const violations = Array.isArray(check) ? check : NONE;
  if (callOptions.errors.length > 0 || violations.length > 0) {
    return invalidArguments(services, call, [...callOptions.errors, ...violations]);
  }
  if (call.options.unsafeOutput && !services.settings.Redaction.AllowUnsafeOutput) return unsafeOutputNotAllowed();

  const callArguments: CallArguments = { args, hasArguments: Boolean(rawArgs) || args !== callOptions.args };
  return runWithLimits<Outcome>(
    services,
    {
      kind: 'tool',
      owner: tool,
      target: tool.wireName,
      caller,
      tool,
      args,
      timeoutMs,
      graceMs: tool.runner.graceMs,
      redactor: redactorOf(services, call),
      logFields: () => ({ tool: tool.wireName, callId: call.id }),
    },
    (channel) => {
      const now = services.snapshot(caller.principal).findTool(tool.name);
      if (now?.runner !== tool.runner || now.definition !== tool.definition)
        return runReloaded(services, call, now, callArguments, channel);
      const isPlain = tool.definition.outputSchema === undefined && Array.isArray(check);
      return isPlain ? run(call, callArguments, channel) : runChecked(services, call, check, callArguments, channel);
    },
  );
}

/** A mounted server gets what the client sent: it fills in its defaults itself. */
function withDefaults(args: JsonObject, { argumentsSchema, definition }: Tool): JsonObject {
  return argumentsSchema ? args : fillRequiredDefaults(args, definition.inputSchema);
}

interface CallArguments {
  args: JsonObject;
  /** The client sent some. */
  hasArguments: boolean;
}

type ArgumentCheck = ReturnType<CallServices['checks']['arguments']>;

const NONE: OutcomeError[] = [];

function run({ tool }: Call, { args, hasArguments }: CallArguments, channel: CallChannel): Promise<Outcome> {
  return tool.runner.callTool(tool.name, hasArguments ? args : undefined, channel);
}

/** With the checks that may take their time: they belong to the turn of the call, and to its deadline. */
async function runChecked(
  services: CallServices,
  call: Call,
  check: ArgumentCheck,
  input: CallArguments,
  channel: CallChannel,
): Promise<Outcome> {
  const errors = Array.isArray(check) ? check : await check(channel).catch(notValidated);
  if (!Array.isArray(errors)) return errors;
  if (errors.length > 0) return invalidArguments(services, call, errors);
  const { tool } = call;
  const mismatchOf = (value: JsonObject) => services.checks.result(value, tool, channel);
  return checkOutput(await run(call, input, channel), tool.definition, mismatchOf);
}

function invalidArguments(services: CallServices, { tool, caller }: Call, errors: OutcomeError[]): ErrorOutcome {
  return errorOutcomes(withOtherTool(errors, tool, services.snapshot(caller.principal).tools));
}

/** The plugin was reloaded while the call waited for its turn: newer code takes it over. */
async function runReloaded(
  services: CallServices,
  call: Call,
  now: Tool | undefined,
  input: CallArguments,
  channel: CallChannel,
): Promise<Outcome> {
  const { plugin, wireName, path } = call.tool;
  if (now?.path !== path) {
    const message = `The tool '${wireName}' is no longer available: its plugin '${plugin}' was removed or reloaded while the call was queued`;
    return errorOutcome('PLUGIN_UNAVAILABLE', message, { data: { exitCode: -1, additionalData: { plugin } } });
  }
  call.tool = now;
  const args = withDefaults(input.args, now);
  const hasArguments = input.hasArguments || args !== input.args;
  return runChecked(services, call, services.checks.arguments(args, now), { args, hasArguments }, channel);
}

function notValidated(error: unknown): ErrorOutcome {
  if (!(error instanceof ValidationUnavailableError)) throw error;
  const message = `The arguments could not be checked against the tool's inputSchema: ${error.message}`;
  const advice = "The tool's author should simplify its inputSchema.";
  return errorOutcome('TOOL_ERROR', message, {
    hint: error.isSchemaToBlame ? advice : `Try shorter arguments. ${advice}`,
  });
}

function answer(services: CallServices, call: Call, outcome: Outcome): CallAnswer {
  if (outcome.kind === 'input_required') {
    return { ...outcome, requests: redactorOf(services, call).value(outcome.requests) };
  }
  if (outcome.kind === 'error' && outcome.requiredCapabilities && call.caller.inputMode === 'retry') {
    return { kind: 'missing_capability', required: outcome.requiredCapabilities };
  }
  if (outcome.kind === 'error' && opensPages(outcome, call.caller))
    return toIncompleteAnswer(services, outcome, call.caller);
  const result = toCallResult(services, call, outcome);
  if (outcome.kind !== 'error' || !call.caller.signal.aborted) return { kind: 'result', result };
  logCancelled(services, call, result);
  return { kind: 'cancelled', result };
}

/** A client of 2025-11-25 opens the pages of a −32042 itself, if it can, and calls again. */
const opensPages = ({ errors: [error] }: ErrorOutcome, { inputMode, clientCapabilities }: Caller): boolean =>
  error?.mcpErrorCode === RPC_CODES.urlElicitationRequired &&
  inputMode === 'ask' &&
  clientCapabilities.elicitation?.url !== undefined;

/** The maximum raw output of a cancelled call in the log; the full output is stored. */
const LOGGED_OUTPUT_CHARS = 2_000;

/** MCP sends no response to a cancelled call: what it did is in the log, and can be read as a resource. */
function logCancelled(services: CallServices, call: Call, { content, structuredContent }: CallResult): void {
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const isJson = call.options.machineReadable || structuredContent === undefined;
  const outcome = outputsOf(services, call.caller).store(
    isJson ? text : `${text}\n\n${JSON.stringify(structuredContent, null, 2)}`,
  );
  const { errors = [], lockInfo } = (structuredContent ?? {}) as Partial<ErrorResponse>;
  const { code, rawOutput = '', data } = errors[0] ?? {};
  services.log.info('call cancelled', {
    ...{ callId: call.id, tool: call.tool.wireName, code },
    ...(data?.command !== undefined && { command: data.command }),
    ...(lockInfo && { lockInfo }),
    ...(rawOutput !== '' && { rawOutput: lastChars(rawOutput, LOGGED_OUTPUT_CHARS) }),
    outcome,
  });
}

function toCallResult(services: CallServices, call: Call, outcome: SuccessOutcome | ErrorOutcome): CallResult {
  const options = respondOptions(services, call);
  try {
    return respond(redactedOutcome(services, call, outcome), options);
  } catch (error) {
    return respond(withCallId(call, internalError(services, call, error)), options);
  }
}

function respondOptions(services: CallServices, call: Call): RespondOptions {
  return {
    machineReadable: call.options.machineReadable,
    hasOutputSchema: call.tool.definition.outputSchema !== undefined,
    isFirstParty: call.tool.isFirstParty === true,
    maxTextChars: services.settings.Output.MaxTextChars,
    maxResultBytes: services.maxResultBytes(call.caller),
    outputs: outputsOf(services, call.caller),
    takesAnyOutput: call.caller.inputMode === 'retry',
    showsCallId: services.showsCallIds,
  };
}

function redactedOutcome(
  services: CallServices,
  call: Call,
  outcome: SuccessOutcome | ErrorOutcome,
): SuccessOutcome | ErrorOutcome {
  const visible = services.hiddenNames(call.caller.principal)?.outcome(outcome, isFirstParty(call.tool)) ?? outcome;
  return redactOutcome(withCallId(call, visible), redactorOf(services, call));
}

/** An error says by which id the log and the audit have its call (docs/spec/access.md#call-id). */
function withCallId(call: Call, outcome: SuccessOutcome | ErrorOutcome): SuccessOutcome | ErrorOutcome {
  if (outcome.kind !== 'error') return outcome;
  return { ...outcome, metadata: { ...outcome.metadata, callId: call.id } };
}

function redactorOf(services: CallServices, { options, tool }: Call): Redactor {
  if (options.unsafeOutput && services.settings.Redaction.AllowUnsafeOutput) return services.unsafeRedactor;
  return tool.definition.redaction === 'values-only' ? services.valuesRedactor : services.redactor;
}

function internalError(services: CallServices, call: Call, error: unknown): ErrorOutcome {
  const text = errorStack(error);
  services.log.error('internal error', { callId: call.id, tool: call.tool.wireName, error: text });
  return errorOutcome('INTERNAL_ERROR', `The server failed while it handled the call ${call.id}`, {
    data: { exitCode: -1, additionalData: { callId: call.id } },
  });
}

function unsafeOutputNotAllowed(): ErrorOutcome {
  const reason = 'the operator has not allowed output without redaction (Redaction.AllowUnsafeOutput)';
  return capabilityNotAvailable('unsafeOutput', reason, [
    'Call again without unsafeOutput: secrets are shown as [REDACTED]',
    'Ask the operator to set Redaction.AllowUnsafeOutput to true',
  ]);
}
