import type { OutcomeError } from '@mortise/plugin/runtime';
import type { Tool } from '../../core/snapshot.js';

/** The errors; if one is about an action of another tool of the same plugin, its hint names that tool. */
export function withOtherTool(errors: OutcomeError[], tool: Tool, tools: readonly Tool[]): OutcomeError[] {
  return errors.map((error) => {
    const { parameter, reason, providedValue } = error.data?.additionalData ?? {};
    if (parameter !== 'action' || reason !== 'invalid value' || providedValue === undefined) return error;
    const other = tools.find((one) => one.path === tool.path && one !== tool && hasAction(one, providedValue));
    if (other === undefined) return error;
    return { ...error, hint: `${providedValue} is an action of ${other.wireName}. ${error.hint ?? ''}`.trim() };
  });
}

function hasAction({ definition }: Tool, action: string): boolean {
  const schema = definition.inputSchema.properties?.action;
  return typeof schema === 'object' && Array.isArray(schema.enum) && schema.enum.includes(action);
}
