import type { JsonObject } from '@mortise/plugin';
import type { CallChannel, OutcomeError } from '@mortise/plugin/runtime';
import type { Tool } from '../../core/snapshot.js';
import { isQuickCheck } from '../../json-schema/quick-check.js';
import { CheckThreads } from './check-threads.js';
import { redactedViolation } from './redacted-violation.js';
import { CHECKS, otherActionSpelling, structuralProblem, violations } from './validate-arguments.js';
import type { Check } from './validation-worker.js';

type ValidatedTool = Pick<
  Tool,
  'runner' | 'definition' | 'argumentsSchema' | 'unlistedActions' | 'hasRestrictedActions'
>;

const NONE: OutcomeError[] = [];

/**
 * A validation that can be slow. Start it when the call has its slot; it ends when the call ends.
 * @throws ValidationUnavailableError
 */
export type DeferredValidation<T> = (channel: CallChannel) => Promise<T>;

/** A value could not be validated against a schema. The message is the reason, a clause in lower case. */
export class ValidationUnavailableError extends Error {
  /** @param isSchemaToBlame the schema cannot be compiled, so the same would happen with any value */
  constructor(
    reason: string,
    readonly isSchemaToBlame = false,
  ) {
    super(reason);
  }
}

/**
 * Validates values against the schemas of tools. Schemas come from plugins, and some can take very long. Therefore a
 * validation that is not certain to be fast runs in a thread ({@link CheckThreads}) and does not block the server.
 */
export class SchemaValidator {
  readonly #threads = new CheckThreads();
  readonly #redactErrors: (errors: OutcomeError[]) => OutcomeError[];

  /** @param redact removes secrets from the texts of callers that messages quote */
  constructor(redact: (text: string) => string) {
    this.#redactErrors = (errors) =>
      errors.length === 0 ? errors : errors.map((error) => redactedViolation(error, redact));
  }

  /**
   * Validates the arguments of a tool.
   * @returns the violations, or a deferred validation if it may be slow
   */
  arguments(args: JsonObject, tool: ValidatedTool): OutcomeError[] | DeferredValidation<OutcomeError[]> {
    const { definition, unlistedActions, argumentsSchema: schema = definition.inputSchema } = tool;
    const { actions } = definition;
    const rules = { ...(actions && { actions }), ...(unlistedActions && { unlistedActions }) };
    const problem = structuralProblem(args) ?? (tool.hasRestrictedActions && otherActionSpelling(args));
    if (problem) return this.#redactErrors([problem]);
    if (Object.keys(schema).length === 0) return NONE;
    if (isQuickCheck(schema, args)) return this.#redactErrors(violations(args, schema, undefined, rules));
    const check: Check = { check: 'arguments', value: args, schema, rules };
    return async (channel) => this.#redactErrors((await this.#runInThread(tool, check, channel)) as OutcomeError[]);
  }

  /**
   * Validates a result against the tool's outputSchema.
   * @returns the reason why it does not fit, in one line; undefined if it does; a promise if validation may be slow
   * @throws ValidationUnavailableError
   */
  result(
    value: JsonObject,
    tool: Pick<ValidatedTool, 'runner' | 'definition'>,
    channel: CallChannel,
  ): string | undefined | Promise<string | undefined> {
    const schema = tool.definition.outputSchema!;
    if (isQuickCheck(schema, value)) return CHECKS.result(value, schema);
    return this.#runInThread(tool, { check: 'result', value, schema }, channel) as Promise<string | undefined>;
  }

  close(): void {
    this.#threads.close();
  }

  async #runInThread({ runner }: Pick<Tool, 'runner'>, check: Check, channel: CallChannel): Promise<unknown> {
    const answer = await this.#threads.run(runner, check, channel);
    if ('failed' in answer) throw new ValidationUnavailableError(answer.failed, answer.in === 'compile');
    return answer.found;
  }
}
