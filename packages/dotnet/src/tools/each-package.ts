import { type Action, type ActionContext, ActionError, type ActionResult, withArgs } from '../actions/action.js';

type RunAction = Action['execute'];

/**
 * Creates an action that runs another one for each of `packageIds`, in order. The version after an `@` applies only to
 * that package. The first failure ends the action; its error lists the packages that were changed before.
 * @param runOne the action for a single `packageId`
 */
export function eachPackage(runOne: RunAction): RunAction {
  return async (call) => {
    const { packageIds } = call.args;
    if (packageIds === undefined) return runOne(call);
    const answers: ActionResult[] = [];
    for (const idAndVersion of packageIds)
      answers.push(await runOne(callFor(idAndVersion, call)).catch(addDone(idAndVersion, answers)));
    const [{ command } = {}] = answers.slice(-1);
    const isUnchanged = answers.every(({ data }) => 'changed' in data && data.changed === false);
    return {
      data: {
        success: true,
        ...(isUnchanged && { changed: false }),
        packages: answers.map(packageOf),
        ...(call.args.project !== undefined && { project: call.args.project }),
        summary: answers.map(summaryOf).join('; '),
      },
      text: answers.map(({ text }) => text).join('\n'),
      ...(command !== undefined && { command }),
    };
  };
}

function callFor(idAndVersion: string, call: ActionContext): ActionContext {
  const { packageIds: _several, ...args } = call.args;
  const [packageId, version = args.version] = idAndVersion.split('@');
  return withArgs(call, { ...args, packageId: packageId!, ...(version !== undefined && { version }) });
}

/** Returns the fields of a result that describe only this package. */
function packageOf({ data }: ActionResult): object {
  const { success: _success, summary: _summary, project: _project, ...own } = data as Record<string, unknown>;
  return own;
}

const summaryOf = ({ data }: ActionResult) => String((data as { summary?: unknown }).summary);

/** Creates a handler that adds the packages which were changed before to the error for a package. */
function addDone(idAndVersion: string, done: readonly ActionResult[]): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ActionError)) throw error;
    const before =
      done.length === 0 ? 'No package before it was changed.' : `Done before it: ${done.map(summaryOf).join('; ')}.`;
    const message = `${idAndVersion}: ${error.message}. ${before}`.replace(/\.\. /, '. ');
    const { structured } = error.options;
    throw new ActionError(message, { ...error.options, structured: { ...structured, packages: done.map(packageOf) } });
  };
}
