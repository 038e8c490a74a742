import type { ErrorHelp, ErrorResult, RecommendedAction } from '@mortise/plugin';
import { SAME_CALL } from '../advice/next-call.js';
import type { Arguments } from './parameters.js';

export interface FailedCall {
  readonly toolName: string;
  readonly args: Arguments;
}

/**
 * Completes the recommended calls of errors, so that a client can make them without changes. A call that repeats the
 * failed one gets its tool and its other arguments; a Restore gets the properties of the failed call. Every call with an
 * action uses the working directory of the failed call, from which relative paths, nuget.config, tool manifests and
 * global.json are found.
 */
export function withWorkingDirectory(errors: ErrorResult[], call: FailedCall): ErrorResult[] {
  return errors.map((error) => withCallable(error, call));
}

/** Like {@link withWorkingDirectory}, for help that several errors share. */
export function helpWithWorkingDirectory(
  codes: Record<string, ErrorHelp>,
  call: FailedCall,
): Record<string, ErrorHelp> {
  return Object.fromEntries(Object.entries(codes).map(([code, help]) => [code, withCallable(help, call)]));
}

function withCallable<T extends Pick<ErrorResult, 'recommendedAction'>>(help: T, call: FailedCall): T {
  const { recommendedAction: action } = help;
  if (typeof action !== 'object' || action.actionKind !== 'CallTool') return help;
  return { ...help, recommendedAction: completeCall(action, call) };
}

type ToolAction = RecommendedAction & { readonly actionKind: 'CallTool' };

/** Does for one recommended call what {@link withWorkingDirectory} does for those of errors. */
export function completeCall(action: ToolAction, { toolName, args }: FailedCall): ToolAction {
  if (action.toolName === SAME_CALL) return { ...action, toolName, arguments: changedCall(args, action.arguments) };
  const { workingDirectory } = args;
  // Tools without actions, such as dotnet_help, have no parameter workingDirectory.
  if (action.arguments.action === undefined) return action;
  const inFolder = workingDirectory === undefined || 'workingDirectory' in action.arguments ? {} : { workingDirectory };
  return { ...action, arguments: { ...action.arguments, ...restoredProperties(action, args), ...inFolder } };
}

/**
 * A recommended Restore gets the properties of the failed call, because they can determine which packages are needed.
 */
function restoredProperties({ arguments: next }: ToolAction, { properties }: Arguments): object {
  if (next.action !== 'Restore' || properties === undefined) return {};
  return { properties: { ...properties, ...(next.properties as object | undefined) } };
}

/**
 * Returns the arguments of the failed call with changes; `properties` are merged. `environment` is left out, because
 * its secrets would be redacted in the recommendation.
 */
function changedCall(args: Arguments, changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { environment: _, ...same } = args as Record<string, unknown>;
  const merged: Record<string, unknown> = { ...same, ...changes };
  if (changes.properties !== undefined) merged.properties = { ...args.properties, ...(changes.properties as object) };
  if (changes.project !== undefined && args.projectPath !== undefined) delete merged.projectPath;
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
}
