import { dirname } from 'node:path';
import { type ActionContext, ActionError, type ActionResult } from '../../actions/action.js';
import { hostFailure } from '../../actions/host-failure.js';
import { InvalidParameterError } from '../../actions/invalid-parameter.js';
import type { ParameterName } from '../../actions/parameters.js';
import { again } from '../../advice/next-call.js';
import { errorEntry } from '../../advice/plain-error.js';
import { HostError } from '../../host/dotnet-host.js';
import { responseProperties } from '../../msbuild/response-files.js';
import { packagesFolder } from '../../process/command-environment.js';
import { FileError } from '../../project-files/file-error.js';
import { isInTrustedFolder } from '../../sdk/repository-sdk.js';
import type { CodeAnswer } from './answer.js';
import { answerText, publicChange } from './answer-text.js';
import { type CodeTarget, codeTarget } from './code-target.js';

/** Answers an action from the workspace of the call's projects, as the disk is now. */
export const queryCode =
  (action: string) =>
  async (call: ActionContext): Promise<ActionResult> => {
    const target = codeTarget(call);
    const answer = await ask(call, action, target);
    return answerResult(action, answer, target, call);
  };

export const answerResult = (
  action: string,
  answer: CodeAnswer,
  target: CodeTarget,
  { cwd }: ActionContext,
): ActionResult => ({
  data: { success: true, target: target.path, ...dataOf(action, answer) },
  text: answerText(action, answer, cwd),
});

/** Asks the .NET process. @param more parameters that the call does not have @throws InvalidParameterError */
export async function ask(
  call: ActionContext,
  action: string,
  target: CodeTarget,
  more: object = {},
  onProgress: (text: string) => void = (text) => call.context.progress.report(0, text),
): Promise<CodeAnswer> {
  const { args, context, services } = call;
  const timeLimit = AbortSignal.timeout(call.timeLeftMs);
  const runsGenerators = runsGeneratorsOf(call, target);
  await services.writeJournal.undoInterrupted();
  try {
    const answer = await services.hosts.request(
      { folder: dirname(target.path), runsGenerators },
      {
        method: 'code',
        params: { action, ...paramsOf(call, target), runsGenerators, ...more },
        signal: AbortSignal.any([context.signal, timeLimit]),
        onProgress,
      },
    );
    return answer as CodeAnswer;
  } catch (error) {
    if (timeLimit.aborted && error === timeLimit.reason) throw timedOut(action);
    throw error instanceof HostError
      ? errorOf(error, args.cursor !== undefined, services.settings.hostMemoryMb)
      : error;
  }
}

function runsGeneratorsOf({ services: { settings } }: ActionContext, { path }: CodeTarget): boolean {
  if (settings.runGenerators !== 'trusted') return settings.runGenerators === 'always';
  return isInTrustedFolder(settings.trustedFolders, dirname(path));
}

function paramsOf({ args, resolve }: ActionContext, target: CodeTarget): object {
  const { symbol, file, line, column, kind, severity, depth, limit, cursor } = args;
  const { newName, comments, hash, code, fix, scope } = args;
  return {
    name: target.path,
    projects: target.projects.map((path) => ({ path, globalProperties: responseProperties(path) })),
    packagesFolder: packagesFolder(process.env),
    projectName: target.project,
    ...{ symbol, line, column, kind, depth, limit, cursor, newName, inComments: comments, hash, code, fix, scope },
    ...(file !== undefined && { file: resolve(file) }),
    ...(severity !== undefined && { severity: severity === 'error' ? 'error' : 'warning' }),
  };
}

/** Returns the data of a result. The lists have the names of what they contain. */
function dataOf(action: string, answer: CodeAnswer): object {
  const { places, diagnostics, fixes, total, counts, answers, ...more } = answer;
  return {
    ...more,
    ...(answers && { results: answers.map((one) => dataOf(action, one)) }),
    ...(places && { [action === 'Callers' ? 'callers' : 'references']: places }),
    ...(diagnostics && { diagnostics }),
    ...(fixes && { fixes: fixes.map((fix) => ({ ...fix, changes: fix.changes.map(publicChange) })) }),
    ...(total !== undefined && { totalCount: total }),
    ...(counts && { countsByProject: counts }),
  };
}

const PARAMETER_OF_KIND: Readonly<Record<string, ParameterName>> = {
  ambiguous: 'symbol',
  unknown: 'symbol',
  noSymbol: 'symbol',
  noType: 'symbol',
  noProject: 'project',
  notInProject: 'file',
  noFile: 'file',
  noPlace: 'line',
  cursor: 'cursor',
  newName: 'newName',
  notRenamed: 'symbol',
  fix: 'fix',
  notApplicable: 'fix',
  scope: 'scope',
};

function errorOf(error: HostError, hasCursor: boolean, memoryMb: number): Error {
  const { kind, message, candidates } = error;
  // The text of an error shows three alternatives, and one of the others may be meant.
  const hint =
    kind === 'ambiguous' ? `Name one of these: ${candidates.map(({ name }) => name).join('; ')}.` : error.hint;
  if (kind === 'changed') return new FileError('changed meanwhile', message, hint!);
  const parameter = PARAMETER_OF_KIND[kind];
  if (parameter === undefined) return kind === 'refused' ? refused(error) : hostFailure(error, memoryMb);
  const [first] = candidates;
  const named = candidates.map(({ name, path, line }) => (path === undefined ? name : `${name} (${path}:${line})`));
  const nextCall =
    kind === 'cursor' && hasCursor
      ? again('Read the list from its start.', { cursor: undefined })
      : parameter === 'fix'
        ? again('See the fixes of the line.', { action: 'Fixes', ...NOT_OF_FIXES })
        : first && again(`Name the symbol, for example ${first.name}.`, { symbol: first.name, ...placeless(first) });
  return new InvalidParameterError(parameter, parameter === 'file' ? 'not found' : 'invalid value', message, {
    ...(hint !== undefined && { hint }),
    ...(named.length > 0 && { alternatives: named }),
    ...(nextCall && { recommendedAction: nextCall }),
  });
}

/** Parameters of ApplyFix that Fixes does not have. */
const NOT_OF_FIXES = {
  code: undefined,
  fix: undefined,
  scope: undefined,
  hash: undefined,
  force: undefined,
  waitSeconds: undefined,
};

/** A candidate with a place is found by its full name; a local variable is found only in its line. */
const placeless = ({ name }: { name: string }): object =>
  name.includes('.') ? { file: undefined, line: undefined, column: undefined } : {};

function refused({ message, hint }: HostError): Error {
  return new InvalidParameterError('project', 'invalid value', message, hint === undefined ? {} : { hint });
}

function timedOut(action: string): Error {
  const message = `${action} did not finish in its time`;
  const hint = 'Call again: what was loaded is kept. Raise timeoutSeconds, or name a smaller project.';
  return new ActionError(message, {
    errors: [errorEntry('OPERATION_TIMEOUT', message, { hint, data: { exitCode: -1 } })],
  });
}
