import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@mortise/plugin';
import type { CallPort, ErrorOutcome, Outcome, OutcomeError, SuccessOutcome } from '@mortise/plugin/host';
import { capabilityMissing, failure, failures } from '../contract/error-outcomes.js';
import type { CallAnswer, Caller, CallResult } from '../host.js';
import { near } from '../plugins/names.js';
import type { Redactor } from '../redact/redactor.js';
import { type CallOptions, takeCallOptions } from './call-options.js';
import { checkOutput } from './check-output.js';
import { type CheckAside, Unchecked } from './checks.js';
import { redactOutcome } from './redact-outcome.js';
import type { Tool } from './registry.js';
import { respond } from './respond.js';
import { logOfCall, type Road, timeoutOf } from './road.js';
import { runInTurn } from './run.js';

class Call {
  #id: string | undefined;

  constructor(
    readonly tool: Tool,
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
      near: near(
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
  const violations = road.checks.arguments(taken.args, tool);
  const checkAside = Array.isArray(violations) ? undefined : violations;
  const errors = [...taken.errors, ...(Array.isArray(violations) ? violations : [])];
  if (errors.length > 0) return failures(errors);
  if (call.options.unsafeOutput && !road.settings.Redaction.AllowUnsafeOutput) return unsafeRefused();

  const run = (port: CallPort) => tool.runner.callTool(tool.name, rawArgs ? taken.args : undefined, port);
  const isPlain = checkAside === undefined && tool.definition.outputSchema === undefined;
  return runInTurn<Outcome>(
    {
      plugin: tool.plugin,
      timeoutMs: timeoutOf(road, tool.plugin, timeoutMs),
      caller,
      admit: road.admit,
      redactor: redactorOf(road, call),
      shutdown: road.shutdown,
      log: (entry) => logOfCall(road, caller, tool.plugin, { tool: tool.wireName, callId: call.id }, entry),
    },
    isPlain ? run : (port) => runChecked(road, call, { checkAside, run, port }),
  );
}

interface Checked {
  checkAside: CheckAside<OutcomeError[]> | undefined;
  run(port: CallPort): Promise<Outcome>;
  port: CallPort;
}

/** With the checks that may take their time: they belong to the turn of the call, and to its deadline. */
async function runChecked({ checks }: Road, { tool }: Call, { checkAside, run, port }: Checked): Promise<Outcome> {
  if (checkAside) {
    const errors = await checkAside(port).catch(unchecked);
    if (!Array.isArray(errors)) return errors;
    if (errors.length > 0) return failures(errors);
  }
  return checkOutput(await run(port), tool, checks, port);
}

function unchecked(error: unknown): ErrorOutcome {
  if (!(error instanceof Unchecked)) throw error;
  const message = `The arguments could not be checked against the tool's inputSchema: ${error.message}`;
  return failure('TOOL_ERROR', message, {
    hint: 'Shorter arguments may pass; the inputSchema is for the author of the tool to simplify.',
  });
}

function answer(road: Road, call: Call, outcome: Outcome): CallAnswer {
  if (outcome.kind === 'input_required') {
    return { kind: 'input_required', requests: redactorOf(road, call).value(outcome.requests) };
  }
  if (outcome.kind === 'error' && outcome.requiredCapabilities && call.caller.inputMode === 'retry') {
    return { kind: 'missing_capability', required: outcome.requiredCapabilities };
  }
  const result = written(road, call, outcome);
  if (outcome.kind !== 'error' || !call.caller.signal.aborted) return { kind: 'result', result };
  const uri = road.runs.keep(result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n'));
  road.log.info('call cancelled', { callId: call.id, tool: call.tool.wireName, outcome: uri });
  return { kind: 'cancelled', result };
}

function written(road: Road, call: Call, outcome: SuccessOutcome | ErrorOutcome): CallResult {
  const options = {
    machineReadable: call.options.machineReadable,
    hasOutputSchema: call.tool.definition.outputSchema !== undefined,
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
