import { RPC_CODES } from '@mortise/mcp';
import type { ErrorResponse, JsonObject } from '@mortise/plugin';
import {
  type CallChannel,
  type ErrorOutcome,
  isJsonObject,
  type Outcome,
  type OutcomeError,
  type PluginProblem,
  type SuccessOutcome,
  suggestNames,
} from '@mortise/plugin/runtime';
import { PLACEHOLDER, type Redactor } from '@mortise/redact';
import { isFirstParty } from '../access/operations.js';
import type { CallAnswer, Caller, CallResult } from '../core/server-api.js';
import type { Tool } from '../core/snapshot.js';
import { errorStack } from '../util/error-message.js';
import { answerCall, Call } from './call.js';
import { type CallOptions, defaultOptions, takeCallOptions, withoutNulls } from './call-options.js';
import type { CallServices } from './call-services.js';
import { toIncompleteAnswer } from './incomplete-answer.js';
import { capabilityNotAvailable, errorOutcome, errorOutcomes } from './results/error-outcomes.js';
import { outputsOf } from './results/output-store.js';
import { redactOutcome } from './results/redact-outcome.js';
import { type RespondOptions, respond } from './results/to-call-result.js';
import { lastChars } from './results/truncate.js';
import { notLoadedText, refusalOf } from './unloaded-owner.js';
import { checkOutput } from './validate-output.js';
import { withOtherTool } from './validation/other-tool.js';
import { fillRequiredDefaults } from './validation/required-defaults.js';
import { ValidationUnavailableError } from './validation/schema-validator.js';

/** Calls a tool. Never rejects: every failure is an answer. */
export function callTool(services: CallServices, name: string, args: unknown, caller: Caller): Promise<CallAnswer> {
  return answerCall(new ToolCall(services, name, args, caller));
}

type ArgumentCheck = ReturnType<CallServices['validator']['arguments']>;

const NO_ERRORS: OutcomeError[] = [];

class ToolCall extends Call<Outcome, CallAnswer> {
  readonly kind = 'tool';
  /** The call options of the caller; the defaults until the arguments are read. */
  options: CallOptions;
  /** True if the caller sent arguments or defaults were added. Otherwise the plugin's code gets no arguments. */
  #hasArguments = false;
  /** The errors in the arguments, or a slow check that runs when the call has its slot. */
  #check: ArgumentCheck = NO_ERRORS;

  constructor(
    services: CallServices,
    readonly name: string,
    readonly sentArgs: unknown,
    caller: Caller,
  ) {
    super(services, caller);
    this.options = defaultOptions(services.settings);
  }

  get target(): string {
    return this.tool?.wireName ?? this.name;
  }

  find(): boolean {
    const tool = this.services.viewOf(this.caller.principal).findTool(this.name);
    if (!tool) return false;
    this.#setTool(tool);
    return true;
  }

  #setTool(tool: Tool): void {
    this.tool = tool;
    this.owner = tool;
    this.timeoutMs = tool.definition.timeoutMs;
    this.graceMs = tool.runner.graceMs ?? this.graceMs;
  }

  /** Undefined if a loaded plugin defines the tool but the server refused it: then no other plugin needs to be loaded. */
  override get pinLabel(): string | undefined {
    return this.#refusal() ? undefined : this.name;
  }

  #refusal(): PluginProblem | undefined {
    return refusalOf(this.name, this.services.viewOf(this.caller.principal).plugins);
  }

  notFound(): CallAnswer {
    const { redactor } = this.services;
    const { tools, plugins } = this.services.viewOf(this.caller.principal);
    const names = tools.map(({ wireName }) => wireName);
    const unknown = { kind: 'unknown_tool', suggestions: suggestNames(this.name, names) } as const;
    const refusal = this.#refusal();
    if (refusal) return { ...unknown, refusal: redactor.value(refusal) };
    const notLoaded = notLoadedText(this.name, plugins, this.caller);
    return { ...unknown, ...(notLoaded !== undefined && { notLoaded: redactor.text(notLoaded) }) };
  }

  override validate(): CallAnswer | undefined {
    const refusal = this.#readArguments(this.tool!);
    return refusal && this.answer(this.redact(refusal));
  }

  #readArguments(tool: Tool): ErrorOutcome | undefined {
    const { inputSchema, needsTask } = tool.definition;
    const refusal = needsTask && taskRefusal(this.caller);
    if (refusal) return refusal;
    const sentArgs = this.sentArgs ?? {};
    if (!isJsonObject(sentArgs)) return errorOutcome('INVALID_PARAMS', 'The arguments must be a JSON object');
    tool.runner.expectCall?.();
    const argsAndOptions = isFirstParty(tool) ? withoutNulls(sentArgs, inputSchema) : sentArgs;
    const { options, args, errors } = takeCallOptions(argsAndOptions, inputSchema, this.options);
    this.options = options;
    this.#hasArguments = Boolean(this.sentArgs);
    this.#checkArguments(tool, args);
    const violations = Array.isArray(this.#check) ? this.#check : NO_ERRORS;
    if (errors.length > 0 || violations.length > 0) return this.#invalidArguments([...errors, ...violations]);
    return options.unsafeOutput && !this.#allowsUnsafeOutput ? unsafeOutputNotAllowed() : undefined;
  }

  #checkArguments(tool: Tool, sentArgs: JsonObject): void {
    // A mounted server has an argumentsSchema, and adds its defaults itself.
    const args = tool.argumentsSchema ? sentArgs : fillRequiredDefaults(sentArgs, tool.definition.inputSchema);
    this.#hasArguments ||= args !== sentArgs;
    this.#check = this.services.validator.arguments(args, tool);
    this.args = args;
  }

  #invalidArguments(errors: OutcomeError[]): ErrorOutcome {
    return errorOutcomes(withOtherTool(errors, this.tool!, this.services.viewOf(this.caller.principal).tools));
  }

  async run(channel: CallChannel): Promise<Outcome> {
    const unavailable = this.#adoptReloadedTool();
    if (unavailable) return unavailable;
    const errors = Array.isArray(this.#check) ? this.#check : await this.#check(channel).catch(notValidated);
    if (!Array.isArray(errors)) return errors;
    if (errors.length > 0) return this.#invalidArguments(errors);
    const { runner, name } = this.tool!;
    return runner.run({ do: 'call', name, ...(this.#hasArguments && { args: this.args }) }, channel);
  }

  /**
   * Switches to the newer version of the tool if its plugin was reloaded while the call waited for its turn.
   * @returns the error if the plugin no longer has the tool
   */
  #adoptReloadedTool(): ErrorOutcome | undefined {
    const { name, wireName, path, plugin, runner, definition } = this.tool!;
    const current = this.services.viewOf(this.caller.principal).findTool(name);
    if (current?.runner === runner && current.definition === definition) return undefined;
    if (current?.path !== path) {
      const message = `The tool '${wireName}' is no longer available: its plugin '${plugin}' was removed or reloaded while the call was queued`;
      return errorOutcome('PLUGIN_UNAVAILABLE', message, { data: { exitCode: -1, additionalData: { plugin } } });
    }
    this.#setTool(current);
    this.#checkArguments(current, this.args!);
    return undefined;
  }

  override check(outcome: Outcome, channel: CallChannel): Outcome | Promise<Outcome> {
    const tool = this.tool!;
    return checkOutput(outcome, tool.definition, (value) => this.services.validator.result(value, tool, channel));
  }

  redact(outcome: Outcome): Outcome {
    if (outcome.kind === 'input_required') return { ...outcome, requests: this.redactor.value(outcome.requests) };
    const { tool, caller, services } = this;
    const hidden = tool && services.hiddenNames(caller.principal);
    const visible = hidden?.outcome(outcome, { isFirstParty: isFirstParty(tool!) }) ?? outcome;
    return redactOutcome(this.#withCallId(visible), this.redactor);
  }

  /**
   * Adds the call id to an error, so that the call can be found in the log and the audit (docs/spec/audit.md#call-id).
   */
  #withCallId(outcome: SuccessOutcome | ErrorOutcome): SuccessOutcome | ErrorOutcome {
    if (outcome.kind !== 'error') return outcome;
    return { ...outcome, metadata: { ...outcome.metadata, callId: this.id } };
  }

  override get redactor(): Redactor {
    if (this.options.unsafeOutput && this.#allowsUnsafeOutput) return this.services.unsafeRedactor;
    const isValuesOnly = this.tool?.definition.redaction === 'values-only';
    return isValuesOnly ? this.services.valuesRedactor : this.services.redactor;
  }

  get #allowsUnsafeOutput(): boolean {
    return this.services.settings.Redaction.AllowUnsafeOutput;
  }

  answer(outcome: Outcome): CallAnswer {
    const { caller } = this;
    if (outcome.kind === 'input_required') return outcome;
    const error = outcome.kind === 'error' ? outcome : undefined;
    if (error?.requiredCapabilities && caller.inputMode === 'retry')
      return { kind: 'missing_capability', required: error.requiredCapabilities };
    if (error && opensPages(error, caller)) return toIncompleteAnswer(error, caller);
    const result = respond(outcome, this.#respondOptions());
    if (!error || !caller.signal.aborted) return { kind: 'result', result };
    this.#logCancelled(result);
    return { kind: 'cancelled', result };
  }

  #respondOptions(): RespondOptions {
    const { tool, caller, services } = this;
    // If no tool was found, the call options are still among the arguments.
    const { options } = tool
      ? this
      : takeCallOptions(isJsonObject(this.sentArgs) ? this.sentArgs : {}, {}, this.options);
    return {
      machineReadable: options.machineReadable,
      hasOutputSchema: tool?.definition.outputSchema !== undefined,
      isFirstParty: tool?.isFirstParty === true,
      maxTextChars: services.settings.Output.MaxTextChars,
      maxResultBytes: services.maxResultBytes(caller),
      outputs: outputsOf(services.outputs, caller, (write) => void this.writes.push(write)),
      takesAnyOutput: caller.inputMode === 'retry',
      showsCallId: services.showsCallIds,
    };
  }

  /** Logs and stores the result of a cancelled call, because MCP sends no response to it. */
  #logCancelled({ content, structuredContent }: CallResult): void {
    const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    const isJson = this.options.machineReadable || structuredContent === undefined;
    const outputUri = outputsOf(this.services.outputs, this.caller).store(
      isJson ? text : `${text}\n\n${JSON.stringify(structuredContent, null, 2)}`,
    );
    const { errors = [], lockInfo } = (structuredContent ?? {}) as Partial<ErrorResponse>;
    const { code, rawOutput = '', data } = errors[0] ?? {};
    this.services.log.info('call cancelled', {
      ...{ callId: this.id, tool: this.target, code },
      ...(data?.command !== undefined && { command: data.command }),
      ...(lockInfo && { lockInfo }),
      ...(rawOutput !== '' && { rawOutput: lastChars(rawOutput, LOGGED_OUTPUT_CHARS) }),
      outcome: outputUri,
    });
  }

  override failed(error: unknown): CallAnswer {
    this.services.log.error('internal error', { callId: this.id, tool: this.target, error: errorStack(error) });
    const outcome = errorOutcome('INTERNAL_ERROR', `The server failed while it handled the call ${this.id}`, {
      data: { exitCode: -1, additionalData: { callId: this.id } },
    });
    return this.answer(this.redact(outcome));
  }
}

/** The part of a cancelled call's raw output that is logged; the full output is stored. */
const LOGGED_OUTPUT_CHARS = 2_000;

const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/**
 * Refuses a tool that takes so long that its client needs tasks (docs/spec/protocol.md#tasks). Callers without MCP,
 * such as the command line, wait as long as needed.
 */
function taskRefusal({ protocolVersion, clientCapabilities: { extensions } }: Caller): ErrorOutcome | undefined {
  if (protocolVersion === undefined || (isJsonObject(extensions) && TASKS_EXTENSION in extensions)) return undefined;
  const reason = 'the tool takes longer than a client without the tasks extension waits';
  const refusal = capabilityNotAvailable('tasks', reason, ['Use a client that supports the MCP extension for tasks']);
  return { ...refusal, requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } };
}

/** A client of 2025-11-25 with URL elicitation opens the pages of a −32042 error itself and repeats the call. */
const opensPages = ({ errors: [error] }: ErrorOutcome, { inputMode, clientCapabilities }: Caller): boolean =>
  error?.mcpErrorCode === RPC_CODES.urlElicitationRequired &&
  inputMode === 'ask' &&
  clientCapabilities.elicitation?.url !== undefined;

function notValidated(error: unknown): ErrorOutcome {
  if (!(error instanceof ValidationUnavailableError)) throw error;
  const message = `The arguments could not be checked against the tool's inputSchema: ${error.message}`;
  const advice = "The tool's author should simplify its inputSchema.";
  return errorOutcome('TOOL_ERROR', message, {
    hint: error.isSchemaToBlame ? advice : `Try shorter arguments. ${advice}`,
  });
}

function unsafeOutputNotAllowed(): ErrorOutcome {
  const reason = 'the operator has not allowed output without redaction (Redaction.AllowUnsafeOutput)';
  return capabilityNotAvailable('unsafeOutput', reason, [
    `Call again without unsafeOutput: secrets are shown as ${PLACEHOLDER}`,
    'Ask the operator to set Redaction.AllowUnsafeOutput to true',
  ]);
}
