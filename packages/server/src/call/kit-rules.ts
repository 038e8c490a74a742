// The rules of the server by which the test kit of @mortise/plugin judges calls: bundled into that package (scripts/bundle.mjs).
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
import { withinMessageLimits, withinResultLimits } from './results/result-limits.js';
import { checkOutput } from './validate-output.js';
import { CHECKS } from './validation/validate-arguments.js';

export { abortedOutcome };

/** Why the arguments of a call are refused before the tool runs. */
export function refusedArguments(
  args: JsonObject,
  { inputSchema, checksArguments }: ToolDefinition,
): ErrorOutcome | undefined {
  const errors = CHECKS.arguments(args, checksArguments ? {} : inputSchema);
  return errors.length > 0 ? errorOutcomes(errors) : undefined;
}

/** The outcome, or why it is refused: for its size, or because it does not fit the outputSchema of the tool. */
export function checkedResult<T extends Outcome>(outcome: T, definition: ToolDefinition): Outcome | Promise<Outcome> {
  return checkOutput(bounds(outcome), definition, (value) => CHECKS.result(value, definition.outputSchema!));
}

/** The outcome of a read or a prompt, or why it is refused for its size. */
export const bounds = <T extends object>(outcome: T): T | ErrorOutcome =>
  withinResultLimits(withinMessageLimits(outcome, DEFAULT_LIMITS));

/** The registered URI or template that serves a URI, with the values of the variables. */
export async function findResource(
  definition: PluginDefinition,
  uri: string,
): Promise<{ key: string; variables: Record<string, string> } | undefined> {
  const runner = definition;
  const all = definition.resources.map((one) => ({ definition: one, runner }) as unknown as Resource);
  const isTemplate = ({ definition: one }: Resource) => one.uriTemplate !== undefined;
  const snapshot = { resources: all.filter((one) => !isTemplate(one)), templates: all.filter(isTemplate) };
  return findIn(snapshot, uri, DEFAULT_LIMITS);
}

/** Why a prompt is refused before its code runs. */
export function refusedPrompt(prompt: PromptDefinition, args: Record<string, string>): ErrorOutcome | undefined {
  const missing = missingArguments(prompt, args);
  return missing && errorOutcome('INVALID_PARAMS', missing.message);
}

/** The values of a completion that a client gets. */
export const shownCompletions = (values: string[]): string[] => values.slice(0, MAX_COMPLETIONS);

/** Why the schemas of a tool are refused. */
export const schemaProblems = (tool: ToolDefinition, file: string): PluginProblem[] => checkSchemas(tool, file);
