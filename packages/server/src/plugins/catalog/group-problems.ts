import type { PluginProblem } from '@mortise/plugin/runtime';

/** More equal warnings than this are combined. */
const MAX_EQUAL = 3;
/** Maximum number of tools, or other subjects, that a combined warning names. */
const MAX_NAMED = 20;

/**
 * Sorts a plugin's problems: errors, then warnings. Many equal warnings become one that says how many there are, so
 * that they do not hide other problems (docs/spec/plugins.md#problem-order).
 */
export function groupProblems(problems: readonly PluginProblem[]): PluginProblem[] {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const warnings = problems.filter(({ severity }) => severity === 'warning');
  const groups = new Map<string, PluginProblem[]>();
  for (const warning of warnings) groups.set(keyOf(warning), [...(groups.get(keyOf(warning)) ?? []), warning]);
  return [...errors, ...[...groups.values()].flatMap((equal) => (equal.length > MAX_EQUAL ? combine(equal) : equal))];
}

/** Warnings that differ only in their subject have the same key. */
function keyOf({ code, hint, data, message, location: { subject = '' } }: PluginProblem): string {
  const withoutSubject = subject === '' ? message : message.replaceAll(subject, '');
  return JSON.stringify([code, hint, data, withoutSubject]);
}

function combine([first, ...others]: PluginProblem[]): PluginProblem {
  const { code, hint, message, severity, location } = first!;
  const subjects = others.flatMap(({ location: { subject } }) => subject ?? []);
  const unnamedCount = subjects.length - MAX_NAMED;
  const names = [...subjects.slice(0, MAX_NAMED), ...(unnamedCount > 0 ? [`${unnamedCount} others`] : [])].join(', ');
  return {
    severity,
    code,
    message: `${message} There are ${others.length} more such warnings${names && `: ${names}`}.`,
    hint,
    location,
  };
}
