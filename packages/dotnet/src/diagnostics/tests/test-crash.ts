import type { AssemblyName, UnfinishedAssembly } from './test-run.js';
import { fileName, frameworkInPath } from './trx.js';

/** The end of a test process before its tests had ended. */
export interface TestCrash {
  readonly cause?: string;
  /** The time after which blame ended the process because no test had ended, such as `4 seconds`. */
  readonly hang?: string;
  /** The tests that were running; known only with `blame`. */
  readonly tests: readonly string[];
  /** The first frame of the user's code in the printed stack, such as `T.B()`. */
  readonly frame?: string;
}

const ABORTED = /^The active test run was aborted\. Reason: (?:Test host process crashed(?: : )?)?(.*)$/im;
const HANG = /inactivity time of (.+?) has elapsed/i;
const RUNNING = /^The tests? running when the crash occurred: *\n([\s\S]*?)\n\s*\n/m;

/** Reads the crash in the output of VSTest (18); undefined if it reports none. */
export function testCrashIn(output: string): TestCrash | undefined {
  const text = output.replaceAll('\r\n', '\n');
  const aborted = ABORTED.exec(text);
  const running = RUNNING.exec(text);
  if (!aborted && !running) return undefined;
  const nextLine = aborted
    ? text
        .slice(aborted.index + aborted[0].length + 1)
        .split('\n', 1)[0]!
        .trim()
    : '';
  const firstLine = aborted?.[1]?.trim() ?? '';
  // The message of Environment.FailFast is on the line after `Process terminated.`
  const hasMessage = firstLine === 'Process terminated.' && nextLine !== '' && !nextLine.startsWith('at ');
  const cause = hasMessage ? `${firstLine} ${nextLine}` : firstLine;
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

/** Finds the reason for the end of a test application in its output, and the first frame of the user's code. */
export function lastWordsIn(output: string): { readonly cause?: string; readonly frame?: string } {
  const [first = '', second = ''] = output.slice(Math.max(0, output.search(LAST_WORDS))).split('\n');
  const frame = ownFrameIn(output);
  if (!LAST_WORDS.test(output)) return frame === undefined ? {} : { frame };
  const cause = first.trim() === 'Process terminated.' ? `${first.trim()} ${second.trim()}` : first.trim();
  return { cause, ...(frame !== undefined && { frame }) };
}

const LAST_WORDS = /^(?:Process terminated\.|Unhandled exception\.|Stack overflow\.)/m;

/** Returns the first frame of a stack that is not in .NET or a test framework. */
export function ownFrameIn(text: string): string | undefined {
  return OWN_FRAME.exec(text)?.[1];
}

const OWN_FRAME = /^\s+at (?!System\.|Microsoft\.|Xunit\.|NUnit\.|TUnit\.)([^\s(]+\([^\n)]*\))/m;

/** An aborted run of an assembly in the output of VSTest. */
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
 * Returns the assemblies that VSTest (18) began to test and did not finish; empty unless a run was aborted.
 * @param ended the assemblies with a summary
 */
export function abortedAssemblies(lines: readonly string[], ended: readonly AssemblyName[]): UnfinishedAssembly[] {
  const aborts = abortsIn(lines);
  if (aborts.length === 0 && !lines.some((line) => ANY_ABORT.test(line))) return [];
  const namedPaths = new Set(aborts.flatMap(({ path }) => path ?? []));
  const started = startedRuns(lines);
  const open = openRuns(lines, started, ended).filter(({ path }) => !namedPaths.has(path));
  // An aborted run can have a summary of the tests that ran before its end, and then is not among the open ones.
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

/** Returns the runs for which the output has neither a summary nor the message that no test matches. */
function openRuns(
  lines: readonly string[],
  started: readonly StartedRun[],
  ended: readonly AssemblyName[],
): StartedRun[] {
  const withoutTests = new Set(lines.flatMap((line) => NO_TEST.exec(line)?.[1] ?? []));
  const isEnded = ({ path, framework }: StartedRun) =>
    ended.some((assembly) => assembly.name === fileName(path) && (assembly.framework ?? framework) === framework);
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
    const section = () => lines.slice(index, index + MAX_ABORT_LINES).join('\n');
    const [, path, reason] = HOST.exec(line) ?? [];
    if (path !== undefined) return [{ path, cause: `The test process did not start: ${reason}`, output: '' }];
    if (!line.startsWith('The active test run was aborted. ')) return [];
    const { cause, frame, hang } = testCrashIn(section()) ?? {};
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
