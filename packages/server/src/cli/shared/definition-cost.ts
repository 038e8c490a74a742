import type { ListedTool } from '../../core/server-api.js';
import type { Settings } from '../../settings/settings.js';
import type { Check } from './doctor-checks.js';

/** Characters of JSON that make one token, as a rule of thumb; models differ. */
const CHARS_PER_TOKEN = 4;
/** How many tools `mortise doctor` names. */
const NAMED = 5;

/** What the definition of one tool costs a model. */
export interface DefinitionCost {
  readonly name: string;
  /** Estimated. */
  readonly tokens: number;
}

/** The most expensive first (docs/spec/access.md#definition-cost). */
export function definitionCosts(tools: readonly ListedTool[]): DefinitionCost[] {
  const costs = tools.map((tool) => ({
    name: tool.name,
    tokens: Math.ceil(JSON.stringify(tool).length / CHARS_PER_TOKEN),
  }));
  return costs.sort((a, b) => b.tokens - a.tokens);
}

export const totalTokens = (costs: readonly DefinitionCost[]): number =>
  costs.reduce((sum, { tokens }) => sum + tokens, 0);

/** The costs as people read them. */
export function costText(costs: readonly DefinitionCost[]): string {
  const total = totalTokens(costs);
  const width = String(total).length;
  const rows = costs.map(({ name, tokens }) => `${String(tokens).padStart(width)}  ${name}`);
  return [...rows, `${total}  tokens in all, estimated`].join('\n');
}

/** Whether the definitions fit `Tools.DefinitionBudget`. */
export function checkDefinitions({ Tools }: Settings, tools: readonly ListedTool[]): Check[] {
  if (Tools.DefinitionBudget === 0) return [];
  const costs = definitionCosts(tools);
  const total = totalTokens(costs);
  const message = `Tool definitions: about ${total} tokens, of ${Tools.DefinitionBudget} (Tools.DefinitionBudget)`;
  if (total <= Tools.DefinitionBudget) return [{ status: 'ok', message }];
  const largest = costs.slice(0, NAMED).map(({ name, tokens }) => `${name} (${tokens})`);
  const hint = `The largest are ${largest.join(', ')}. Hide tools with a profile (Profiles), or shorten their definitions.`;
  return [{ status: 'warning', message, hint }];
}
