import type { OutcomeError } from '@mortise/plugin/runtime';
import type { Tool } from '../../core/snapshot.js';

/** If an invalid `action` is an action of another tool of the same plugin, names that tool in the hint of the error. */
export function withOtherTool(errors: OutcomeError[], tool: Tool, tools: readonly Tool[]): OutcomeError[] {
  return errors.map((error) => {
    const { parameter, reason, providedValue } = error.data?.additionalData ?? {};
    if (parameter !== 'action' || reason !== 'invalid value' || providedValue === undefined) return error;
    const otherTool = tools.find(
      (candidate) => candidate.path === tool.path && candidate !== tool && hasAction(candidate, providedValue),
    );
    if (otherTool === undefined) return error;
    return { ...error, hint: `${providedValue} is an action of ${otherTool.wireName}. ${error.hint ?? ''}`.trim() };
  });
}

function hasAction({ definition }: Tool, action: string): boolean {
  const schema = definition.inputSchema.properties?.action;
  return typeof schema === 'object' && Array.isArray(schema.enum) && schema.enum.includes(action);
}
