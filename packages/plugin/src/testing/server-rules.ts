import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { JsonObject } from '../json.js';
import type { ErrorOutcome, Outcome } from '../runtime/outcome.js';
import type { PluginDefinition, PromptDefinition, ToolDefinition } from '../runtime/plugin-instance.js';
import type { PluginProblem } from '../runtime/problem.js';

/** The rules come from packages/server/src/call/kit-rules.ts. */
export interface ServerRules {
  abortedOutcome(reason: 'cancelled' | 'timed out', timeoutMs: number, late: Outcome | undefined): ErrorOutcome;
  refusedArguments(args: JsonObject, tool: ToolDefinition): ErrorOutcome | undefined;
  checkedResult(outcome: Outcome, tool: ToolDefinition): Outcome | Promise<Outcome>;
  bounds<T extends object>(outcome: T): T | ErrorOutcome;
  findResource(
    definition: PluginDefinition,
    uri: string,
  ): Promise<{ key: string; variables: Record<string, string> } | undefined>;
  refusedPrompt(prompt: PromptDefinition, args: Record<string, string>): ErrorOutcome | undefined;
  shownCompletions(values: string[]): string[];
  schemaProblems(tool: ToolDefinition, file: string): PluginProblem[];
}

const packageFolder = (folder: string): string =>
  existsSync(join(folder, 'package.json')) ? folder : packageFolder(dirname(folder));

let rules: Promise<ServerRules> | undefined;

/**
 * Loads the rules at the first call. They are bundled into this package together with the JSON Schema validator
 * (scripts/bundle.mjs).
 */
export function serverRules(): Promise<ServerRules> {
  const file = join(packageFolder(import.meta.dirname), 'dist/testing/server-rules.js');
  rules ??= import(pathToFileURL(file).href) as Promise<ServerRules>;
  return rules;
}
