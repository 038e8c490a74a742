import { ActionError } from '../actions/action.js';
import { commandFailed } from '../actions/command-failed.js';
import { hostFailure } from '../actions/host-failure.js';
import type { SolutionIssue } from '../analysis/solution-issues.js';
import { listedProjects, reportWorkspace, type WorkspaceReport } from '../analysis/workspace-report.js';
import { HostError } from '../host/dotnet-host.js';
import { EvaluationError } from '../msbuild/evaluate.js';
import { DotnetNotFoundError } from '../process/command-run.js';
import { FileError } from '../project-files/file-error.js';
import type { Services } from '../services.js';

/**
 * Evaluates the projects of a folder, and watches what they depend on. If none can be evaluated, the projects are listed
 * with the reason (docs/spec/dotnet-resources.md#workspace-rules).
 */
export async function readWorkspace(
  { workspaces, settings, solutions }: Services,
  root: string,
  signal: AbortSignal,
): Promise<WorkspaceReport> {
  const limitMs = settings.timeoutMs;
  const readSinceMs = Date.now();
  const workspace = workspaces.read(root);
  const call = { isReadOnly: true, context: { signal }, limitMs, timeLeftMs: limitMs, cwd: root };
  try {
    return await reportWorkspace(solutions(call), workspace, (files) => workspaces.watch(root, files, readSinceMs));
  } catch (error) {
    const issue = issueOf(error, settings.hostMemoryMb);
    if (issue === undefined) throw error;
    return listedProjects(workspace, [issue]);
  }
}

/** Returns the reason why no project was evaluated; undefined for a fault of Mortise and for a cancelled read. */
function issueOf(error: unknown, memoryMb: number): SolutionIssue | undefined {
  const reason = reasonOf(error, memoryMb);
  if (reason === undefined) return undefined;
  const { code, message, hint } = reason;
  const sentences = [message, hint].map((text) => text?.trim().replace(/\.$/, '')).filter(Boolean);
  return { severity: 'error', projects: [], code, message: `${sentences.join('. ')}.` };
}

function reasonOf(
  error: unknown,
  memoryMb: number,
): { code: string; message: string; hint?: string | undefined } | undefined {
  if (error instanceof FileError) return { code: 'INVALID_PARAMS', message: error.message, hint: error.hint };
  if (error instanceof DotnetNotFoundError) return { code: 'CAPABILITY_NOT_AVAILABLE', message: error.message };
  const failure =
    error instanceof EvaluationError
      ? commandFailed(error.run, { label: 'Evaluation' })
      : error instanceof HostError && hostFailure(error, memoryMb);
  return failure instanceof ActionError ? failure.options.errors?.[0] : undefined;
}
