import { jsonSourceOf } from '@mortise/mcp/util';
import type { JsonObject, JsonSchema } from '@mortise/plugin';
import type { CallChannel, OutcomeError } from '@mortise/plugin/runtime';
import type { Tool } from '../../core/snapshot.js';
import { isQuickCheck } from '../../json-schema/check-cost.js';
import { redactedViolation } from './redacted-violation.js';
import { CHECKS, structuralProblem, violations } from './validate-arguments.js';
import { CheckThread } from './validation-worker.js';

/** Arguments of more values are checked in a thread, whatever the schema: to go through them takes its time too. */
const MANY_VALUES = 20_000;

type Checked = Pick<Tool, 'path' | 'definition' | 'argumentsSchema' | 'unlistedActions'>;

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
 * certain to be fast runs in a thread that serves only that plugin, so that it delays only the plugin's own calls. The schema
 * is compiled once, within five seconds, and each value is validated within one second.
 */
export class SchemaValidator {
  readonly #threads = new Map<string, CheckThread>();
  readonly #limited: (errors: OutcomeError[]) => OutcomeError[];

  /** @param redact takes secrets out of what callers sent, before messages quote it */
  constructor(redact: (text: string) => string) {
    this.#limited = (errors) =>
      errors.length === 0 ? errors : errors.map((error) => redactedViolation(error, redact));
  }

  /** The violations of what a tool's arguments are validated against; returned synchronously if validation is fast. */
  arguments(args: JsonObject, tool: Checked): OutcomeError[] | DeferredValidation<OutcomeError[]> {
    const { path, definition, unlistedActions, argumentsSchema: schema = definition.inputSchema } = tool;
    if ((jsonSourceOf(args)?.values ?? 0) > MANY_VALUES) return this.#deferred(args, path, schema);
    const shape = structuralProblem(args);
    if (shape) return this.#limited([shape]);
    if (Object.keys(schema).length === 0) return NONE;
    if (!isQuickCheck(schema, args)) return this.#deferred(args, path, schema);
    const { actions } = definition;
    const rules = { ...(actions && { actions }), ...(unlistedActions && { unlistedActions }) };
    return this.#limited(violations(args, schema, undefined, rules));
  }

  #deferred(args: JsonObject, path: string, schema: JsonSchema): DeferredValidation<OutcomeError[]> {
    return async (channel) => this.#limited(await this.#runInWorker(channel, path, 'arguments', args, schema));
  }

  /** Why a result does not match a tool's output schema, in one line; synchronous if validation is fast. @throws ValidationUnavailableError */
  result(
    value: JsonObject,
    { path, definition }: Checked,
    channel: CallChannel,
  ): string | undefined | Promise<string | undefined> {
    const schema = definition.outputSchema!;
    if (isQuickCheck(schema, value)) return CHECKS.result(value, schema);
    return this.#runInWorker(channel, path, 'result', value, schema);
  }

  close(): void {
    for (const thread of this.#threads.values()) thread.close();
  }

  async #runInWorker<C extends keyof typeof CHECKS>(
    channel: CallChannel,
    path: string,
    check: C,
    value: JsonObject,
    schema: JsonSchema,
  ): Promise<ReturnType<(typeof CHECKS)[C]>> {
    const thread = this.#threads.get(path) ?? new CheckThread();
    this.#threads.set(path, thread);
    const answer = await thread.run({ check, value, schema }, channel);
    if ('failed' in answer) throw new ValidationUnavailableError(answer.failed, answer.in === 'compile');
    return answer.found as ReturnType<(typeof CHECKS)[C]>;
  }
}
