import type { RecommendedAction } from '@mortise/plugin';
import type { Arguments } from '../../actions/parameters.js';

/** What is known only after a restore: the call that makes it, as data and as a line of text. */
export interface RestoreSuggestion {
  readonly action: RecommendedAction;
  readonly text: string;
}

/** @param project as the call named it; absent for its folder */
export function suggestRestore({ workingDirectory }: Arguments, project: string | undefined): RestoreSuggestion {
  const args = {
    action: 'Restore',
    ...(project !== undefined && { project }),
    ...(workingDirectory !== undefined && { workingDirectory }),
  };
  return {
    action: {
      actionKind: 'CallTool',
      description: 'Restore the packages.',
      toolName: 'dotnet_project',
      arguments: args,
    },
    text: `Next: dotnet_project ${JSON.stringify(args)}`,
  };
}

/** `Next: dotnet_project {…}`, or the step that no tool can do. */
export function nextLine(action: RecommendedAction): string {
  if (action.actionKind !== 'CallTool') return `Next: ${action.description}`;
  return `Next: ${action.toolName} ${JSON.stringify(action.arguments)}`;
}

/** An answer about a project, with the suggestion if it is not restored: nothing was run to find out more. An error comes first. */
export function withRestoreSuggestion<
  T extends { readonly restored: boolean; readonly recommendedAction?: RecommendedAction },
>(data: T, args: Arguments, project: string): T & { recommendedAction?: RecommendedAction } {
  return data.restored || data.recommendedAction
    ? data
    : { ...data, recommendedAction: suggestRestore(args, project).action };
}
