/** The location at which a value was set. Lines and columns start at 1. */
export type Origin =
  | { readonly from: 'file'; readonly file: string; readonly line: number; readonly column: number }
  | { readonly from: 'environment'; readonly variable: string }
  | { readonly from: 'flags' }
  | { readonly from: 'defaults' };

/** A problem of the configuration. Lines and columns start at 1. */
export interface SettingsProblem {
  /** The setting, such as `Tools.TimeoutMs`; '' if the problem is about no single setting. */
  readonly key: string;
  /** Says what is wrong, and names the environment variable if the value came from one. Never contains a secret. */
  readonly message: string;
  /** The next action, as an imperative. */
  readonly hint: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** Says that the configuration cannot be used. The message has one line for each problem. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly problems: readonly SettingsProblem[];

  constructor(problems: readonly SettingsProblem[]) {
    super(problems.map(formatProblem).join('\n'));
    this.problems = problems;
  }
}

/** Formats a problem on one line: `file(line,column): message hint`. */
export function formatProblem({ file, line, column, message, hint }: SettingsProblem): string {
  const position = line === undefined ? '' : `(${line},${column})`;
  return [file && `${file}${position}:`, message, hint].filter(Boolean).join(' ');
}

/** Adds the origin of the value to a problem. */
export function problemAt(origin: Origin, problem: { key: string; message: string; hint: string }): SettingsProblem {
  if (origin.from === 'file') {
    const { file, line, column } = origin;
    return { ...problem, file, line, column };
  }
  if (origin.from === 'environment')
    return { ...problem, message: `Environment variable ${origin.variable}: ${problem.message}` };
  if (origin.from === 'flags') return { ...problem, message: `Command line: ${problem.message}` };
  return problem;
}
