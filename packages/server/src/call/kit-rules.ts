// Server rules that the test kit of @mortise/plugin applies to calls. scripts/bundle.mjs builds them into that package.
import type { JsonObject } from '@mortise/plugin';
import type {
  ErrorOutcome,
  Outcome,
  PluginDefinition,
  PluginProblem,
  PromptDefinition,
  ToolDefinition,
} from '@mortise/plugin/runtime';
import type { Resource } from '../core/snapshot.js';
import { checkSchemas } from '../json-schema/validate-tool-schemas.js';
import { DEFAULT_LIMITS } from '../settings/plugin-limits.js';
import { MAX_COMPLETIONS } from './complete.js';
import { findResource as findIn } from './find-resource.js';
import { missingArguments } from './get-prompt.js';
import { abortedOutcome, errorOutcome, errorOutcomes } from './results/error-outcomes.js';
import { enforceMessageLimits, enforceResultLimits } from './results/result-limits.js';
import { checkOutput } from './validate-output.js';
import { CHECKS } from './validation/validate-arguments.js';

export { abortedOutcome };

/** Returns the error with which invalid arguments are refused before the tool runs; undefined for valid ones. */
export function refusedArguments(
  args: JsonObject,
  { inputSchema, checksArguments }: ToolDefinition,
): ErrorOutcome | undefined {
  const errors = CHECKS.arguments(args, checksArguments ? {} : inputSchema);
  return errors.length > 0 ? errorOutcomes(errors) : undefined;
}

/** Returns the outcome, or an error if it exceeds a size limit or does not fit the tool's outputSchema. */
export function checkedResult<T extends Outcome>(outcome: T, definition: ToolDefinition): Outcome | Promise<Outcome> {
  return checkOutput(bounds(outcome), definition, (value) => CHECKS.result(value, definition.outputSchema!));
}

/** Returns the outcome of a read or a prompt, or an error if it exceeds a size limit. */
export const bounds = <T extends object>(outcome: T): T | ErrorOutcome =>
  enforceResultLimits(enforceMessageLimits(outcome, DEFAULT_LIMITS));

/** Finds the resource or template that serves a URI. `key` is the resource's `uri` or `uriTemplate`. */
export async function findResource(
  definition: PluginDefinition,
  uri: string,
): Promise<{ key: string; variables: Record<string, string> } | undefined> {
  const runner = definition;
  const all = definition.resources.map((resource) => ({ definition: resource, runner }) as unknown as Resource);
  const isTemplate = (resource: Resource) => resource.definition.uriTemplate !== undefined;
  const snapshot = { resources: all.filter((resource) => !isTemplate(resource)), templates: all.filter(isTemplate) };
  return findIn(snapshot, uri, DEFAULT_LIMITS);
}

/** Returns the error with which a prompt is refused before its code runs; undefined if it can run. */
export function refusedPrompt(prompt: PromptDefinition, args: Record<string, string>): ErrorOutcome | undefined {
  const missing = missingArguments(prompt, args);
  return missing && errorOutcome('INVALID_PARAMS', missing.message);
}

export const shownCompletions = (values: string[]): string[] => values.slice(0, MAX_COMPLETIONS);

export const schemaProblems = (tool: ToolDefinition, file: string): PluginProblem[] => checkSchemas(tool, file);
