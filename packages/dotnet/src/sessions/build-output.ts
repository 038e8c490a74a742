/** What the CLI prints before the program runs (SDK 10.0.401, English): not the program's own output. */
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

/** Whether `dotnet run` failed before it came to the program, whose own words are not diagnostics of a build. */
export function isBuildFailure(output: string): boolean {
  return CLI_FAILED.test(output) || output.split('\n').every(isBuildLine);
}

/** The runtime's last words: the exit follows, and a start with this output has failed. */
export function isCrashLine(line: string): boolean {
  return /^(Unhandled exception[.:]|Fatal error[.:])/.test(line);
}
