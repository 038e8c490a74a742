import type { RecommendedAction } from '@mortise/plugin';
import type { Arguments } from '../../actions/parameters.js';

/** The call that restores a project, as a recommended action and as a line of text. */
export interface RestoreSuggestion {
  readonly action: RecommendedAction;
  readonly text: string;
}

/** Suggests to restore a project. @param project the path that the call gave; undefined for the folder of the call */
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

/** Returns the line `Next: dotnet_project {…}`, or `Next: ` with the description of a step that no tool can do. */
export function nextLine(action: RecommendedAction): string {
  if (action.actionKind !== 'CallTool') return `Next: ${action.description}`;
  return `Next: ${action.toolName} ${JSON.stringify(action.arguments)}`;
}

/** Adds the suggestion to the data of a project that is not restored, unless the data already recommends an action. */
export function withRestoreSuggestion<
  T extends { readonly restored: boolean; readonly recommendedAction?: RecommendedAction },
>(data: T, args: Arguments, project: string): T & { recommendedAction?: RecommendedAction } {
  return data.restored || data.recommendedAction
    ? data
    : { ...data, recommendedAction: suggestRestore(args, project).action };
}
