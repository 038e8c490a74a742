import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@mortise/plugin';
import type { CallPort, ErrorOutcome, Outcome, OutcomeError, SuccessOutcome } from '@mortise/plugin/runtime';
import type { Redactor } from '@mortise/redact';
import type { CallAnswer, Caller, CallResult } from '../core/server-api.js';
import type { Tool } from '../core/snapshot.js';
import { near } from '../core/wire-names.js';
import { capabilityMissing, failure, failures } from '../results/error-outcomes.js';
import { type CallOptions, takeCallOptions } from './call-options.js';
import { CallLog, chargeIfLong, type Road, timeoutOf } from './call-services.js';
import { redactOutcome } from './redact-outcome.js';
import { runInTurn } from './run-with-limits.js';
import { respond } from './to-call-result.js';
import { checkOutput } from './validate-output.js';
import { Unchecked } from './validation/schema-validator.js';

class Call {
  #id: string | undefined;

  constructor(
    public tool: Tool,
    readonly caller: Caller,
    /** The defaults until the arguments are read. */
    public options: CallOptions,
  ) {}

  /** For the log; most calls need none. */
  get id(): string {
    this.#id ??= randomUUID();
    return this.#id;
  }
}

/**
 * The road of a call: registry → validate → admit → run → normalise (where the tool runs) → redact → respond.
 * Never rejects: whatever happens is an answer.
 */
export async function callTool(road: Road, name: string, args: unknown, caller: Caller): Promise<CallAnswer> {
  const snapshot = road.snapshot();
  const tool = snapshot.findTool(name);
  if (!tool)
    return {
      kind: 'unknown_tool',
      suggestions: near(
        name,
        snapshot.tools.map((each) => each.wireName),
      ),
    };
  const options = { machineReadable: road.settings.Tools.MachineReadable, unsafeOutput: false };
  const call = new Call(tool, caller, options);
  let outcome: Outcome;
  try {
    outcome = await runCall(road, call, args);
  } catch (error) {
    outcome = internalError(road, call, error);
  }
  return answer(road, call, outcome);
}

async function runCall(road: Road, call: Call, rawArgs: unknown): Promise<Outcome> {
  const { tool, caller } = call;
  const { inputSchema, timeoutMs } = tool.definition;
  const given = rawArgs ?? {};
  if (!isObject(given)) return failure('INVALID_PARAMS', 'The arguments must be a JSON object');
  const taken = takeCallOptions(given, inputSchema, call.options);
  call.options = taken.options;
  const check = road.checks.arguments(taken.args, tool);
  const errors = [...taken.errors, ...violationsOf(check)];
  if (errors.length > 0) return failures(errors);
  if (call.options.unsafeOutput && !road.settings.Redaction.AllowUnsafeOutput) return unsafeRefused();

  const taking: Given = { args: taken.args, isGiven: Boolean(rawArgs) };
  return runInTurn<Outcome>(
    {
      owner: tool,
      timeoutMs: timeoutOf(road, tool.plugin, timeoutMs),
      caller,
      admit: road.admit,
      redactor: redactorOf(road, call),
      shutdown: road.shutdown,
      log: new CallLog(road, caller, tool.plugin, () => ({ tool: tool.wireName, callId: call.id })),
      limits: road.settings.Plugins.Limits,
      ...(tool.runner.graceMs !== undefined && { graceMs: tool.runner.graceMs }),
    },
    (port) => {
      const now = road.snapshot().findTool(tool.name);
      if (now?.runner !== tool.runner || now.definition !== tool.definition)
        return runReloaded(road, call, now, taking, port);
      const isPlain = tool.definition.outputSchema === undefined && Array.isArray(check);
      return isPlain ? run(call, taking, port) : runChecked(road, call, check, taking, port);
    },
  );
}

interface Given {
  args: JsonObject;
  /** The client sent some. */
  isGiven: boolean;
}

type ArgumentCheck = ReturnType<Road['checks']['arguments']>;

const violationsOf = (check: ArgumentCheck): OutcomeError[] => (Array.isArray(check) ? check : []);

function run({ tool }: Call, { args, isGiven }: Given, port: CallPort): Promise<Outcome> {
  return tool.runner.callTool(tool.name, isGiven ? args : undefined, port);
}

/** With the checks that may take their time: they belong to the turn of the call, and to its deadline. */
async function runChecked(
  { checks }: Road,
  call: Call,
  check: ArgumentCheck,
  given: Given,
  port: CallPort,
): Promise<Outcome> {
  const errors = Array.isArray(check) ? check : await check(port).catch(unchecked);
  if (!Array.isArray(errors)) return errors;
  if (errors.length > 0) return failures(errors);
  return checkOutput(await run(call, given, port), call.tool, checks, port);
}

/** The plugin was reloaded while the call waited for its turn: newer code takes it over. */
async function runReloaded(
  road: Road,
  call: Call,
  now: Tool | undefined,
  given: Given,
  port: CallPort,
): Promise<Outcome> {
  const { plugin, wireName, place } = call.tool;
  if (now?.place !== place) {
    const message = `The tool '${wireName}' is not there any more: the plugin '${plugin}' was removed or reloaded while the call waited`;
    return failure('PLUGIN_UNAVAILABLE', message, { data: { exitCode: -1, additionalData: { plugin } } });
  }
  call.tool = now;
  return runChecked(road, call, road.checks.arguments(given.args, now), given, port);
}

function unchecked(error: unknown): ErrorOutcome {
  if (!(error instanceof Unchecked)) throw error;
  const message = `The arguments could not be checked against the tool's inputSchema: ${error.message}`;
  const advice = "The tool's author should simplify its inputSchema.";
  return failure('TOOL_ERROR', message, { hint: error.isSchemaToBlame ? advice : `Try shorter arguments. ${advice}` });
}

function answer(road: Road, call: Call, outcome: Outcome): CallAnswer {
  if (outcome.kind === 'input_required') {
    return { kind: 'input_required', requests: redactorOf(road, call).value(outcome.requests) };
  }
  if (outcome.kind === 'error' && outcome.requiredCapabilities && call.caller.inputMode === 'retry') {
    return { kind: 'missing_capability', required: outcome.requiredCapabilities };
  }
  const startedAt = performance.now();
  const result = written(road, call, outcome);
  chargeIfLong(call.tool.runner, startedAt);
  if (outcome.kind !== 'error' || !call.caller.signal.aborted) return { kind: 'result', result };
  const uri = road.runs.keep(result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n'));
  road.log.info('call cancelled', { callId: call.id, tool: call.tool.wireName, outcome: uri });
  return { kind: 'cancelled', result };
}

function written(road: Road, call: Call, outcome: SuccessOutcome | ErrorOutcome): CallResult {
  const options = {
    machineReadable: call.options.machineReadable,
    hasOutputSchema: call.tool.definition.outputSchema !== undefined,
    isFirstParty: call.tool.isFirstParty === true,
    maxTextChars: road.settings.Output.MaxTextChars,
    maxResultBytes: road.settings.Output.MaxResultBytes,
    runs: road.runs,
  };
  try {
    return respond(redactOutcome(outcome, redactorOf(road, call)), options);
  } catch (error) {
    return respond(internalError(road, call, error), options);
  }
}

function redactorOf(road: Road, { options }: Call): Redactor {
  return options.unsafeOutput && road.settings.Redaction.AllowUnsafeOutput ? road.unsafeRedactor : road.redactor;
}

function internalError(road: Road, call: Call, error: unknown): ErrorOutcome {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  road.log.error('internal error', { callId: call.id, tool: call.tool.wireName, error: text });
  return failure('INTERNAL_ERROR', `The server failed while it handled the call ${call.id}`, {
    data: { exitCode: -1, additionalData: { callId: call.id } },
  });
}

function unsafeRefused(): ErrorOutcome {
  const reason = 'the operator has not allowed output without redaction (Redaction.AllowUnsafeOutput)';
  return capabilityMissing('unsafeOutput', reason, [
    'Call again without unsafeOutput: secrets are shown as [REDACTED]',
    'Ask the operator to set Redaction.AllowUnsafeOutput to true',
  ]);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
