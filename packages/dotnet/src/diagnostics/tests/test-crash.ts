import type { AssemblyName, UnfinishedAssembly } from './test-run.js';
import { fileName, frameworkInPath } from './trx.js';

/** The process of the tests ended before they did. */
export interface TestCrash {
  /** The first line of what is known about how it ended. */
  readonly cause?: string;
  /** It was ended because no test ended for so long: `4 seconds`. */
  readonly hang?: string;
  /** The tests that ran at that moment; empty where `blame` was not asked for. */
  readonly tests: readonly string[];
  /** The first frame of the user's code on the stack that was printed: `T.B()`. */
  readonly frame?: string;
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
  const frame = aborted ? ownFrameIn(text.slice(aborted.index)) : undefined;
  return {
    ...(cause !== '' && { cause }),
    ...(hang !== undefined && { hang }),
    ...(frame !== undefined && { frame }),
    tests: tests.filter(Boolean),
  };
}

/** How a test application that printed this ended: its last words, and the first frame of the user's code. */
export function lastWordsIn(output: string): { readonly cause?: string; readonly frame?: string } {
  const [first = '', second = ''] = output.slice(Math.max(0, output.search(LAST_WORDS))).split('\n');
  const frame = ownFrameIn(output);
  if (!LAST_WORDS.test(output)) return frame === undefined ? {} : { frame };
  const cause = first.trim() === 'Process terminated.' ? `${first.trim()} ${second.trim()}` : first.trim();
  return { cause, ...(frame !== undefined && { frame }) };
}

const LAST_WORDS = /^(?:Process terminated\.|Unhandled exception\.|Stack overflow\.)/m;

/** The first frame of a stack that is not of .NET or of a test framework. */
export function ownFrameIn(text: string): string | undefined {
  return OWN_FRAME.exec(text)?.[1];
}

const OWN_FRAME = /^\s+at (?!System\.|Microsoft\.|Xunit\.|NUnit\.|TUnit\.)([^\s(]+\([^\n)]*\))/m;

/** An aborted run in the output of VSTest, in order. */
interface Abort {
  readonly path?: string;
  readonly cause: string;
  readonly output: string;
}

const STARTED = /^\s*Test run for (\S.*\.(?:dll|exe)) \(\.\w+,Version=v([\d.]+)\)\s*$/;
const NO_TEST = /^\s*No test (?:matches the given testcase filter .* in|is available in) (\S.*?\.(?:dll|exe))/;
const HOST = /^Testhost process for source\(s\) '([^'\n]+)' exited with error: (.*)$/;
const ANY_ABORT = /^(?:The active test run was aborted\. Reason: |Test Run Aborted\.)/;

/**
 * The assemblies that VSTest (18) began to test and did not finish; empty unless a run was aborted.
 * @param ended those of which there is a summary
 */
export function abortedAssemblies(lines: readonly string[], ended: readonly AssemblyName[]): UnfinishedAssembly[] {
  const aborts = abortsIn(lines);
  if (aborts.length === 0 && !lines.some((line) => ANY_ABORT.test(line))) return [];
  const named = new Set(aborts.flatMap(({ path }) => path ?? []));
  const started = startedRuns(lines);
  const open = openRuns(lines, started, ended).filter(({ path }) => !named.has(path));
  // VSTest prints a summary of what ran before the end for some of them.
  const only = started.length === 1 ? started[0] : undefined;
  return [
    ...aborts.map(({ path, cause, output }) => {
      const run = path === undefined ? (open.shift() ?? only) : { path, framework: frameworkInPath(path) };
      return { ...assemblyName(run), cause, ...(output !== '' && { output }) };
    }),
    ...open.map((run) => ({ ...assemblyName(run), cause: 'The test run was aborted' })),
  ];
}

interface StartedRun {
  readonly path: string;
  readonly framework: string | undefined;
}

function assemblyName(run: StartedRun | undefined): AssemblyName {
  if (run === undefined) return { name: 'One of the test assemblies' };
  return { name: fileName(run.path), ...(run.framework !== undefined && { framework: run.framework }) };
}

/** The assemblies whose run began and of which there is neither a summary nor a reason why none of their tests ran. */
function openRuns(
  lines: readonly string[],
  started: readonly StartedRun[],
  ended: readonly AssemblyName[],
): StartedRun[] {
  const withoutTests = new Set(lines.flatMap((line) => NO_TEST.exec(line)?.[1] ?? []));
  const isEnded = ({ path, framework }: StartedRun) =>
    ended.some((one) => one.name === fileName(path) && (one.framework ?? framework) === framework);
  return started.filter((run) => !withoutTests.has(run.path) && !isEnded(run));
}

function startedRuns(lines: readonly string[]): StartedRun[] {
  return lines.flatMap((line) => {
    const [, path, version] = STARTED.exec(line) ?? [];
    return path === undefined ? [] : [{ path, framework: frameworkInPath(path) ?? `net${version}` }];
  });
}

function abortsIn(lines: readonly string[]): Abort[] {
  return lines.flatMap((line, index): Abort[] => {
    const rest = () => lines.slice(index, index + MAX_ABORT_LINES).join('\n');
    const [, path, reason] = HOST.exec(line) ?? [];
    if (path !== undefined) return [{ path, cause: `The test process did not start: ${reason}`, output: '' }];
    if (!line.startsWith('The active test run was aborted. ')) return [];
    const { cause, frame, hang } = testCrashIn(rest()) ?? {};
    if (hang !== undefined) return [{ cause: `No test ended for ${hang}, so the run was ended`, output: '' }];
    return [
      {
        cause: `The test process crashed${cause === undefined ? '' : `: ${cause}`}`,
        output: frame ? `at ${frame}` : '',
      },
    ];
  });
}

const MAX_ABORT_LINES = 60;
