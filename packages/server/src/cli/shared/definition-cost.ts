import type { ListedTool } from '../../core/server-api.js';
import type { Settings } from '../../settings/settings.js';
import type { Check } from './doctor-checks.js';
import { count } from './format-text.js';

/** A rule of thumb for the characters of JSON in one token. Models differ. */
const CHARS_PER_TOKEN = 4;
/** The number of tools that `mortise doctor` names. */
const MAX_NAMES = 5;

/** The estimated cost of one tool's definition for a model. */
export interface DefinitionCost {
  readonly name: string;
  readonly tokens: number;
}

/** Estimates the costs of definitions and sorts them, the largest first (docs/spec/access.md#definition-cost). */
export function definitionCosts(tools: readonly ListedTool[]): DefinitionCost[] {
  const costs = tools.map((tool) => ({
    name: tool.name,
    tokens: Math.ceil(JSON.stringify(tool).length / CHARS_PER_TOKEN),
  }));
  return costs.sort((a, b) => b.tokens - a.tokens);
}

export const totalTokens = (costs: readonly DefinitionCost[]): number =>
  costs.reduce((sum, { tokens }) => sum + tokens, 0);

const HEADING = 'tokens';

/** Formats the costs for people. @param budget `Tools.DefinitionBudget`; 0 means that there is none */
export function costText(costs: readonly DefinitionCost[], budget: number): string {
  if (costs.length === 0) return 'No tools.';
  const total = totalTokens(costs);
  const row = (tokens: number | string, name: string) => `${String(tokens).padStart(HEADING.length)}  ${name}`;
  const rows = costs.map(({ name, tokens }) => row(tokens, name));
  const estimate = `Estimated at ${CHARS_PER_TOKEN} characters per token.`;
  const excess = total - budget;
  const verdict = excess > 0 ? `${excess} tokens too many` : 'all fit';
  return [
    row(HEADING, 'tool'),
    ...rows,
    row(total, `in all, ${count(costs.length, 'tool')}`),
    '',
    budget === 0 ? estimate : `${estimate} Tools.DefinitionBudget is ${budget}: ${verdict}.`,
  ].join('\n');
}

/** Checks that the definitions fit `Tools.DefinitionBudget`. Returns [] if there is no budget. */
export function checkDefinitionCost({ Tools }: Settings, tools: readonly ListedTool[]): Check[] {
  if (Tools.DefinitionBudget === 0) return [];
  const costs = definitionCosts(tools);
  const total = totalTokens(costs);
  const message = `Tool definitions: about ${total} tokens; Tools.DefinitionBudget is ${Tools.DefinitionBudget}`;
  if (total <= Tools.DefinitionBudget) return [{ status: 'ok', message }];
  const largest = costs.slice(0, MAX_NAMES).map(({ name, tokens }) => `${name} (${tokens})`);
  const hint = `Largest: ${largest.join(', ')}. Hide tools with a profile (Profiles), shorten their definitions, or raise Tools.DefinitionBudget. \`mortise list --tokens\` shows all.`;
  return [{ status: 'warning', message, hint }];
}
