import type { RecommendedAction } from '@mortise/plugin';
import type { Arguments } from '../../actions/parameters.js';

export type ToolCall = Extract<RecommendedAction, { readonly actionKind: 'CallTool' }>;

/** A call of Test on the same project, without filter and noBuild, and with `more`. */
export function testCall(
  description: string,
  { project, configuration, framework }: Arguments,
  more: object,
): ToolCall {
  return {
    actionKind: 'CallTool',
    description,
    toolName: 'dotnet_project',
    arguments: {
      action: 'Test',
      ...(project !== undefined && { project }),
      ...(configuration !== undefined && { configuration }),
      ...(framework !== undefined && { framework }),
      ...more,
    },
  };
}
