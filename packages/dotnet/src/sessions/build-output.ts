/** Match the lines that the CLI prints before the program runs (SDK 10.0.401, English). */
const BUILD_LINES = [
  /^\s*$/,
  /(^|: )(error|warning) [A-Za-z]+\d+\s*: |: (error|warning)\s*: /,
  /^\s*(Determining projects to restore|All projects are up-to-date for restore|Restored? )/,
  /^\s+\S.* -> \S/,
  /^Build (succeeded|FAILED)/,
  /^\s+\d+ (Warning|Error)\(s\)$/,
  /^Time Elapsed /,
  /^(Building\.\.\.|Using launch settings from |The build failed\.)/,
];

export function isBuildLine(line: string): boolean {
  return BUILD_LINES.some((pattern) => pattern.test(line));
}

const CLI_FAILED = /^(?:The build failed\. |'.{1,1000}' is not a valid project file\.$)/m;

/** True if `dotnet run` failed before the program ran. The output of a program must not be parsed for diagnostics. */
export function isBuildFailure(output: string): boolean {
  return CLI_FAILED.test(output) || output.split('\n').every(isBuildLine);
}

/** True for a message with which the runtime ends a program that has crashed. */
export function isCrashLine(line: string): boolean {
  return /^(Unhandled exception[.:]|Fatal error[.:])/.test(line);
}
