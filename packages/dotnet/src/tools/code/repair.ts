import type { ErrorResult, RecommendedAction } from '@mortise/plugin';
import { type ActionContext, ActionError, withArgs } from '../../actions/action.js';
import { lookupOf, repairsOf } from '../../advice/codes/code-catalog.js';
import { call as nextCall } from '../../advice/next-call.js';
import type { CodeDiagnostic } from './answer.js';
import { type CodeTarget, codeTarget } from './code-target.js';
import { ask } from './query.js';

/** The place of an error in a source file. */
export type ErrorPlace = Pick<ErrorResult, 'code' | 'message' | 'file' | 'line' | 'column'>;

/** Callers repair the first errors, and build again. */
const MAX_REPAIRS = 5;

const TIMED_OUT = Symbol('timed out');

/**
 * Adds to the errors of a failed build the calls that repair them, or show what to use instead
 * (docs/spec/dotnet-code.md#repairs). It takes at most `Dotnet.FixWaitMs`.
 */
export async function withRepairs(error: ActionError, call: ActionContext): Promise<ActionError> {
  const { errors = [], codes = {} } = error.options;
  const repairs = await repairsOfFirst(errors, call);
  if (repairs.size === 0) return error;
  const all = repairAll(errors, repairs, call);
  const isManual = ({ code, recommendedAction }: ErrorResult) => {
    const action = recommendedAction ?? codes[code]?.recommendedAction;
    return typeof action !== 'object' || action.actionKind === 'ManualStep';
  };
  return new ActionError(error.message, {
    ...error.options,
    errors: errors.map((entry) => {
      const repair = repairs.get(entry);
      // A list of fixes says less than a call that is made for the message of the error.
      if (!repair || !(repair.isOnly || isManual(entry))) return entry;
      return { ...entry, recommendedAction: entry === all?.first ? all.action : repair.action };
    }),
  });
}

/**
 * Adds to diagnostics the titles of the fixes that are meant for the first errors, and returns the call that repairs
 * most of them.
 * @param scope the file or project whose errors a single call can repair; undefined if that was tried
 */
export async function withFixes(
  diagnostics: readonly CodeDiagnostic[],
  call: ActionContext,
  scope?: object,
): Promise<{ readonly diagnostics: readonly CodeDiagnostic[]; readonly action: RecommendedAction | undefined }> {
  const errors = diagnostics.filter(({ severity, needsGenerator }) => severity === 'error' && !needsGenerator);
  const repairs = await repairsOfFirst(errors, call);
  const found = [...repairs.values()];
  const best = found.find(({ isOnly }) => isOnly) ?? found[0];
  const mayRepairAll = found.some(({ isOnly, titles }) => isOnly || titles === undefined) && areSeveral(errors);
  const { workingDirectory } = call.args;
  const action = scope && mayRepairAll ? repairAllIn(scope) : best?.action;
  return {
    diagnostics: diagnostics.map((one) => {
      const { titles: fixes = [] } = repairs.get(one) ?? {};
      return fixes.length === 0 ? one : { ...one, fixes };
    }),
    action:
      action?.actionKind === 'CallTool' && workingDirectory !== undefined
        ? { ...action, arguments: { ...action.arguments, workingDirectory } }
        : action,
  };
}

/** Returns the call for all errors, and the first of those that it repairs, if there are several that have fixes. */
function repairAll(
  errors: readonly ErrorPlace[],
  repairs: ReadonlyMap<ErrorPlace, Repair>,
  call: ActionContext,
): { readonly first: ErrorPlace; readonly action: RecommendedAction } | undefined {
  const first = errors.find((error) => repairs.get(error)?.isOnly);
  if (first === undefined || !areSeveral(errors)) return undefined;
  const { path } = codeTarget(withArgs(call, { file: call.resolve(first.file!) }));
  return { first, action: repairAllIn({ project: path }) };
}

/** False if one fix is for all of them: a class can lack several members of an interface. */
const areSeveral = (errors: readonly ErrorPlace[]): boolean =>
  new Set(errors.filter(({ code }) => hasFixes(code)).map(({ file, line, code }) => `${file} ${line} ${code}`)).size >
  1;

const repairAllIn = (scope: object): RecommendedAction =>
  nextCall('Repair each error for which exactly one code fix is meant.', 'dotnet_code', {
    action: 'ApplyFix',
    ...scope,
  });

const repairsOfFirst = <P extends ErrorPlace>(places: readonly P[], call: ActionContext): Promise<Map<P, Repair>> =>
  findRepairs(places.filter(isRepairable).slice(0, MAX_REPAIRS), call);

const isRepairable = ({ code, message, file, line }: ErrorPlace): boolean =>
  /\.cs$/i.test(file ?? '') && line !== undefined && (hasFixes(code) || lookupOf(code, message) !== undefined);

const hasFixes = (code: string): boolean => repairsOf(code).length > 0;

interface Repair {
  readonly action: RecommendedAction;
  /** True if the action applies a fix; false if it lists fixes, or shows what the code can use. */
  readonly isOnly: boolean;
  /** The fixes that are meant; undefined if the time was over before they were tried. */
  readonly titles: readonly string[] | undefined;
}

async function findRepairs<P extends ErrorPlace>(places: readonly P[], call: ActionContext): Promise<Map<P, Repair>> {
  const repairs = new Map<P, Repair>();
  const { settings, toolNames } = call.services;
  if (settings.fixWaitMs === 0 || places.length === 0 || !toolNames.includes('dotnet_code')) return repairs;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<typeof TIMED_OUT>((resolve) => {
    timer = setTimeout(resolve, settings.fixWaitMs, TIMED_OUT);
  });
  for (const place of places) {
    // The workspace goes on loading after the timeout: the next call needs it.
    const found = await Promise.race([findRepair(place, call), timeout]);
    const repair = found !== TIMED_OUT ? found : hasFixes(place.code) ? listing(place, call) : undefined;
    if (repair) repairs.set(place, repair);
  }
  clearTimeout(timer);
  return repairs;
}

async function findRepair(place: ErrorPlace, call: ActionContext): Promise<Repair | undefined> {
  const file = call.resolve(place.file!);
  try {
    const target = codeTarget(withArgs(call, { file }));
    const titles = hasFixes(place.code) ? await titlesOf({ ...place, file }, target, call) : [];
    return repairWith(titles, place, call) ?? (await lookUp(place, target, call));
  } catch {
    // The error has its usual next action if the code cannot be read.
    return undefined;
  }
}

/** Returns the titles of the fixes that repair an error, as the compiler has tried them. */
async function titlesOf(place: ErrorPlace, target: CodeTarget, call: ActionContext): Promise<readonly string[]> {
  const { code, file, line, column } = place;
  const params = { file, line, column, code, repairs: { [code]: repairsOf(code) } };
  // The progress of the build does not go back to that of loading.
  const { fixes = [] } = await ask(call, 'Repair', target, params, () => {});
  return fixes.map(({ title }) => title);
}

/**
 * Returns the query about what the message names (docs/spec/dotnet-code.md#lookups); undefined for most codes.
 * @throws if the query has no answer
 */
async function lookUp(place: ErrorPlace, target: CodeTarget, call: ActionContext): Promise<Repair | undefined> {
  const lookup = lookupOf(place.code, place.message);
  if (lookup === undefined) return undefined;
  const { action, symbol } = lookup;
  await ask(withArgs(call, {}), action, target, { symbol }, () => {});
  const description = `See ${action === 'Outline' ? 'the members' : 'the definition'} of ${symbol}.`;
  return {
    action: nextCall(description, 'dotnet_code', { action, symbol, project: target.path }),
    isOnly: false,
    titles: [],
  };
}

function repairWith(titles: readonly string[], place: ErrorPlace, call: ActionContext): Repair | undefined {
  const [fix, ...others] = titles;
  if (fix === undefined) return undefined;
  if (others.length > 0) return listing(place, call, titles);
  const action = nextCall(`Apply the code fix: ${fix}`, 'dotnet_code', {
    ...{ action: 'ApplyFix', ...placeOf(place, call), fix },
  });
  return { action, isOnly: true, titles };
}

function listing(place: ErrorPlace, call: ActionContext, titles?: readonly string[]): Repair {
  const named = titles === undefined ? 'See the code fixes of the line.' : `Choose a code fix: ${titles.join(' or ')}`;
  return {
    action: nextCall(named, 'dotnet_code', { action: 'Fixes', ...placeOf(place, call) }),
    isOnly: false,
    titles,
  };
}

const placeOf = ({ code, file, line, column }: ErrorPlace, call: ActionContext): object => ({
  file: call.resolve(file!),
  line,
  ...(column !== undefined && { column }),
  code,
});
