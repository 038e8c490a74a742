/** The process of the tests ended before they did. */
export interface TestCrash {
  /** The first line of what is known about how it ended. */
  readonly cause?: string;
  /** It was ended because no test ended for so long: `4 seconds`. */
  readonly hang?: string;
  /** The tests that ran at that moment; empty where `blame` was not asked for. */
  readonly tests: readonly string[];
}

const ABORTED = /^The active test run was aborted\. Reason: (?:Test host process crashed(?: : )?)?(.*)$/im;
const HANG = /inactivity time of (.+?) has elapsed/i;
const RUNNING = /^The tests? running when the crash occurred: *\n([\s\S]*?)\n\s*\n/m;

/** The crash that VSTest's output reports (VSTest 18). */
export function testCrashIn(output: string): TestCrash | undefined {
  const text = output.replaceAll('\r\n', '\n');
  const aborted = ABORTED.exec(text);
  const running = RUNNING.exec(text);
  if (!aborted && !running) return undefined;
  const next = aborted
    ? text
        .slice(aborted.index + aborted[0].length + 1)
        .split('\n', 1)[0]!
        .trim()
    : '';
  const first = aborted?.[1]?.trim() ?? '';
  // `Process terminated.` is before the words of Environment.FailFast.
  const cause = first === 'Process terminated.' && next !== '' && !next.startsWith('at ') ? `${first} ${next}` : first;
  const tests = (running?.[1] ?? '').split('\n').map((line) => line.trim());
  const hang = HANG.exec(text)?.[1];
  return { ...(cause !== '' && { cause }), ...(hang !== undefined && { hang }), tests: tests.filter(Boolean) };
}
