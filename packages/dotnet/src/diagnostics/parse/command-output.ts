/** Errors of tasks that report that a program failed, but not why: Exec, and tasks that wrap a tool (MSBuild 18). */
const EXIT_CODE_ONLY = new Set(['MSB3073', 'MSB3721', 'MSB4181', 'MSB6006']);

/** What MSBuild itself prints between the words of a program. */
const OF_MSBUILD =
  /^(?:Determining projects to restore|Restored |All projects are up-to-date|Nothing to do|Build started |Project "|Done [Bb]uilding |Time Elapsed |Setting DOTNET_ROOT |Compilation request |CompilerServer: )| -> /;
/** `CoreCompile:`, the heading of a target at verbosity normal. */
const TARGET = /^[A-Za-z_][\w.-]*:$/;

const MAX_LINES = 20;
const MAX_LINE_CHARS = 500;

/** The lines since the last diagnostic, which are the words of a program that a task runs. */
export class CommandOutput {
  #lines: string[] = [];

  add(line: string): void {
    if (TARGET.test(line)) this.#lines = [];
    else if (line !== '' && !OF_MSBUILD.test(line)) this.#lines.push(line.slice(0, MAX_LINE_CHARS));
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
  }

  /** What was printed before a diagnostic of this code; undefined where that does not explain it. */
  remove(code: string): string | undefined {
    const lines = this.#lines;
    this.#lines = [];
    return lines.length > 0 && EXIT_CODE_ONLY.has(code) ? lines.join('\n') : undefined;
  }
}
