import type { PluginProblem } from '@mortise/plugin/runtime';

/** More equal warnings than this are shown as one. */
const MAX_EQUAL = 3;
/** How many tools or other subjects a combined warning names. */
const MAX_NAMED = 20;

/**
 * The problems of a plugin in the order in which they matter: errors, then warnings. Many equal warnings become one
 * with their number, so that they do not hide the others (docs/spec/plugins.md#problem-order).
 */
export function groupProblems(problems: readonly PluginProblem[]): PluginProblem[] {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const warnings = problems.filter(({ severity }) => severity === 'warning');
  const groups = new Map<string, PluginProblem[]>();
  for (const warning of warnings) groups.set(keyOf(warning), [...(groups.get(keyOf(warning)) ?? []), warning]);
  return [...errors, ...[...groups.values()].flatMap((equal) => (equal.length > MAX_EQUAL ? combined(equal) : equal))];
}

/** Warnings are equal if they differ in their subject alone. */
function keyOf({ code, hint, data, message, location: { subject = '' } }: PluginProblem): string {
  const rest = subject === '' ? message : message.replaceAll(subject, '');
  return JSON.stringify([code, hint, data, rest]);
}

function combined([first, ...others]: PluginProblem[]): PluginProblem {
  const { code, hint, message, severity, location } = first!;
  const subjects = others.flatMap(({ location: { subject } }) => subject ?? []);
  const unnamed = subjects.length - MAX_NAMED;
  const names = [...subjects.slice(0, MAX_NAMED), ...(unnamed > 0 ? [`${unnamed} others`] : [])].join(', ');
  return {
    severity,
    code,
    message: `${message} There are ${others.length} more such warnings${names && `: ${names}`}.`,
    hint,
    location,
  };
}
