import type { ErrorResult } from '@mortise/plugin';
import type { Arguments } from './parameters.js';

/**
 * Errors whose recommended calls start at the folder of the call that failed, so that they can be made as they stand:
 * relative paths, nuget.config, tool manifests and global.json are found from there.
 */
export function inSameFolder(errors: ErrorResult[], { workingDirectory }: Arguments): ErrorResult[] {
  if (workingDirectory === undefined) return errors;
  return errors.map((error) => {
    const { recommendedAction: action } = error;
    if (typeof action !== 'object' || action.actionKind !== 'CallTool') return error;
    const { arguments: args } = action;
    // A tool without actions, such as dotnet_help, takes no folder.
    if (args?.action === undefined || 'workingDirectory' in args) return error;
    return { ...error, recommendedAction: { ...action, arguments: { ...args, workingDirectory } } };
  });
}
