import type { JsonObject } from '@mortise/plugin';
import type { CallChannel, OutcomeError } from '@mortise/plugin/runtime';
import type { Tool } from '../../core/snapshot.js';
import { isQuickCheck } from '../../json-schema/quick-check.js';
import { CheckThreads } from './check-threads.js';
import { redactedViolation } from './redacted-violation.js';
import { CHECKS, structuralProblem, violations } from './validate-arguments.js';
import type { Check } from './validation-worker.js';

type Checked = Pick<Tool, 'runner' | 'definition' | 'argumentsSchema' | 'unlistedActions'>;

const NONE: OutcomeError[] = [];

/** A check that takes its time, for when the call has its turn: it is over when the call is. @throws ValidationUnavailableError */
export type DeferredValidation<T> = (channel: CallChannel) => Promise<T>;

/** A value could not be validated against a schema; the message is the reason, and does not begin with a capital letter. */
export class ValidationUnavailableError extends Error {
  /** @param isSchemaToBlame no other value would do */
  constructor(
    reason: string,
    readonly isSchemaToBlame = false,
  ) {
    super(reason);
  }
}

/**
 * Validates values against the schemas of tools. Schemas come from plugins, and some take forever: a validation that is not
 * certain to be fast runs in a thread ({@link CheckThreads}), so that it does not delay the server.
 */
export class SchemaValidator {
  readonly #threads = new CheckThreads();
  readonly #limited: (errors: OutcomeError[]) => OutcomeError[];

  /** @param redact takes secrets out of what callers sent, before messages quote it */
  constructor(redact: (text: string) => string) {
    this.#limited = (errors) =>
      errors.length === 0 ? errors : errors.map((error) => redactedViolation(error, redact));
  }

  /** The violations of what a tool's arguments are validated against; returned synchronously if validation is fast. */
  arguments(args: JsonObject, tool: Checked): OutcomeError[] | DeferredValidation<OutcomeError[]> {
    const { definition, unlistedActions, argumentsSchema: schema = definition.inputSchema } = tool;
    const { actions } = definition;
    const rules = { ...(actions && { actions }), ...(unlistedActions && { unlistedActions }) };
    const shape = structuralProblem(args);
    if (shape) return this.#limited([shape]);
    if (Object.keys(schema).length === 0) return NONE;
    if (isQuickCheck(schema, args)) return this.#limited(violations(args, schema, undefined, rules));
    const check: Check = { check: 'arguments', value: args, schema, rules };
    return async (channel) => this.#limited((await this.#runInThread(tool, check, channel)) as OutcomeError[]);
  }

  /** Why a result does not match a tool's output schema, in one line; synchronous if validation is fast. @throws ValidationUnavailableError */
  result(
    value: JsonObject,
    tool: Pick<Checked, 'runner' | 'definition'>,
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
