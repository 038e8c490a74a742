/** The location at which a value was set. Lines and columns count from 1. */
export type Origin =
  | { readonly from: 'file'; readonly file: string; readonly line: number; readonly column: number }
  | { readonly from: 'environment'; readonly variable: string }
  | { readonly from: 'flags' }
  | { readonly from: 'defaults' };

/** One thing that is wrong with the configuration. Lines and columns count from 1. */
export interface SettingsProblem {
  /** `Tools.TimeoutMs`; '' where it concerns no setting. */
  readonly key: string;
  /** What is wrong; names the environment variable where the value came from one. Never holds a secret. */
  readonly message: string;
  /** The next step. */
  readonly hint: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** The configuration cannot be used. `problems` holds everything that is wrong; the message has a line for each. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly problems: readonly SettingsProblem[];

  constructor(problems: readonly SettingsProblem[]) {
    super(problems.map(formatProblem).join('\n'));
    this.problems = problems;
  }
}

/** `file(line,column): message hint`, on one line. */
export function formatProblem({ file, line, column, message, hint }: SettingsProblem): string {
  const position = line === undefined ? '' : `(${line},${column})`;
  return [file && `${file}${position}:`, message, hint].filter(Boolean).join(' ');
}

/** A problem with a value that came from `origin`. */
export function problemAt(origin: Origin, what: { key: string; message: string; hint: string }): SettingsProblem {
  if (origin.from === 'file') {
    const { file, line, column } = origin;
    return { ...what, file, line, column };
  }
  if (origin.from === 'environment')
    return { ...what, message: `Environment variable ${origin.variable}: ${what.message}` };
  if (origin.from === 'flags') return { ...what, message: `Command line: ${what.message}` };
  return what;
}
