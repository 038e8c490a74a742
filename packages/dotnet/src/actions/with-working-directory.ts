import type { ErrorHelp, ErrorResult, RecommendedAction } from '@mortise/plugin';
import { SAME_CALL } from '../advice/next-call.js';
import type { Arguments } from './parameters.js';

/** The call that failed. */
export interface FailedCall {
  readonly toolName: string;
  readonly args: Arguments;
}

/**
 * Errors whose recommended calls can be made without changes. If a call repeats the failed one with changes, it gets the same tool and
 * other arguments, a Restore gets its properties. All use the working directory of the failed call: relative paths, nuget.config, tool manifests and global.json
 * are found from there.
 */
export function withWorkingDirectory(errors: ErrorResult[], call: FailedCall): ErrorResult[] {
  return errors.map((error) => withCallable(error, call));
}

/** The same for the help that several errors share. */
export function helpInSameFolder(codes: Record<string, ErrorHelp>, call: FailedCall): Record<string, ErrorHelp> {
  return Object.fromEntries(Object.entries(codes).map(([code, help]) => [code, withCallable(help, call)]));
}

function withCallable<T extends Pick<ErrorResult, 'recommendedAction'>>(help: T, call: FailedCall): T {
  const { recommendedAction: action } = help;
  if (typeof action !== 'object' || action.actionKind !== 'CallTool') return help;
  return { ...help, recommendedAction: callable(action, call) };
}

type ToolAction = RecommendedAction & { readonly actionKind: 'CallTool' };

/** The action as it can be called, after a call failed. */
export function callable(action: ToolAction, { toolName, args }: FailedCall): ToolAction {
  if (action.toolName === SAME_CALL) return { ...action, toolName, arguments: changedCall(args, action.arguments) };
  const { workingDirectory } = args;
  // A tool without actions, such as dotnet_help, takes no folder.
  if (action.arguments.action === undefined) return action;
  const inFolder = workingDirectory === undefined || 'workingDirectory' in action.arguments ? {} : { workingDirectory };
  return { ...action, arguments: { ...action.arguments, ...restoredProperties(action, args), ...inFolder } };
}

/** A recommended restore gets the properties of the call that failed, because they can decide which packages are needed. */
function restoredProperties({ arguments: next }: ToolAction, { properties }: Arguments): object {
  if (next.action !== 'Restore' || properties === undefined) return {};
  return { properties: { ...properties, ...(next.properties as object | undefined) } };
}

/** Maps are merged; secrets of an environment would come back redacted, so that they are not repeated. */
function changedCall(args: Arguments, changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { environment: _, ...same } = args as Record<string, unknown>;
  const merged: Record<string, unknown> = { ...same, ...changes };
  if (changes.properties !== undefined) merged.properties = { ...args.properties, ...(changes.properties as object) };
  if (changes.project !== undefined && args.projectPath !== undefined) delete merged.projectPath;
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
}
