import { namesBelow, testBlocks, unindented } from './test-blocks.js';
import { lastWordsIn } from './test-crash.js';
import { testExitMeaning, unknownTestOption } from './test-exit.js';
import {
  displayNames,
  durationMsOf,
  framesOf,
  type RetriedTest,
  type SkippedTest,
  type TestAssembly,
  type TestFailure,
  type TestRun,
  type UnfinishedAssembly,
} from './test-run.js';
import { fileName } from './trx.js';

const SUMMARY_HEADING = /^Test run summary: /;
/** Matches `total: 5 (+1 retried)`. The number in parentheses is not part of the count. */
const COUNT = /^ {2,}(total|failed|succeeded|skipped|duration): (.+?)(?: \(\+\d+ retried\))?$/;
const ASSEMBLY =
  /^\s*(\S.*\.(?:dll|exe)) \(([^()|]+)(?:\|[^()]*)?\) (passed|failed with (\d+) error\(s\)|failed|[Zz]ero tests ran|skipped)(?: \(([^()]+)\))?\.?$/;
const FROM = /^ {2}from (\S.*\.(?:dll|exe))(?: \(([^()]*)\))?$/;
const RESULT = /^(?:failed|passed|canceled|timeout) .+ \([^()]*\d ?m?s\)$|^skipped \S/;
/** Matches `failed Bad (11ms)`, `failed (canceled) Slow (3s)` and, with retries, `failed (try 1) Bad (11ms)`. */
const FAILED = /^(?:failed(?: \(cancell?ed\))?|timeout|canceled) (.+) \([^()]*\d ?m?s\)$/;
const TRY = /^\(try (\d+)\) /;
const START = /^(?:\(try (\d+)\) )?Running tests from (\S.*\.(?:dll|exe))(?: \(([^()]*)\))?$/;
const END = /^Exit code: |^Test run summary: |^(?:\(try \d+\) )?(?:Running|Discovering) tests from /;
const FRAME = /^\s+at /;
const LIST_HEADING = /^Discovered \d+ tests? in assembly - /;

/** Parses the output of Microsoft.Testing.Platform's command, or one of its logs; undefined if it is neither. */
export function parsePlatformOutput(lines: readonly string[]): TestRun | undefined {
  const start = lines.findIndex((line) => SUMMARY_HEADING.test(line));
  if (start < 0) return undefined;
  const values = new Map<string, string>();
  for (const line of lines.slice(start)) {
    const match = COUNT.exec(line);
    if (match && !values.has(match[1]!)) values.set(match[1]!, match[2]!);
  }
  const count = (name: string) => Number(values.get(name) ?? 0) || 0;
  const counts = { passed: count('succeeded'), failed: count('failed'), skipped: count('skipped') };
  const { failures, retriedTests } = lastTries(lines);
  const ends = assemblyEnds(lines);
  const unfinished = ends.filter(({ exitCode }) => !FINISHED.has(exitCode));
  const endsWithoutTests = ends.filter(({ exitCode }) => exitCode === NO_TESTS_EXIT);
  return {
    ...counts,
    total: count('total'),
    durationMs: durationMsOf(values.get('duration') ?? ''),
    failures,
    ...(counts.skipped > 0 && { skippedTests: skippedTests(lines) }),
    ...(retriedTests.length > 0 && { retriedTests }),
    ...(unfinished.length > 0 && {
      unfinished: unfinished.map(unfinishedAssembly),
    }),
    ...(endsWithoutTests.length > 0 && {
      withoutTests: endsWithoutTests.map(({ name, framework }) => ({ name, framework })),
    }),
    assemblies: assemblies(lines, counts),
    runner: 'microsoft-testing-platform',
  };
}

/** Returns the tests that `--list-tests` named; undefined for other output. */
export function listedByPlatform(lines: readonly string[]): string[] | undefined {
  return namesBelow(lines, LIST_HEADING, /^ {2}(\S.*)$/);
}

/** The output counts passed tests for the whole run, so an assembly has that count only if it is the only one. */
function assemblies(lines: readonly string[], counts: Pick<TestRun, 'passed' | 'failed' | 'skipped'>): TestAssembly[] {
  const skipped = skippedByPath(lines);
  const byPath = new Map<string, TestAssembly>();
  for (const line of lines) {
    const match = ASSEMBLY.exec(line);
    if (!match) continue;
    const [, path, framework, end = '', failed = '0', duration = ''] = match;
    byPath.set(`${path}|${framework}`, {
      name: fileName(path!),
      framework: framework!,
      ...(/^zero/i.test(end) && { passed: 0 }),
      failed: Number(failed),
      skipped: skipped.get(path!) ?? 0,
      durationMs: durationMsOf(duration),
    });
  }
  const all = [...byPath.values()];
  return all.length === 1 ? [{ ...all[0]!, ...counts }] : all;
}

function skippedByPath(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  let isSkipped = false;
  for (const line of lines) {
    if (RESULT.test(line)) isSkipped = line.startsWith('skipped ');
    const path = isSkipped ? FROM.exec(line)?.[1] : undefined;
    if (path !== undefined) counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return counts;
}

function unfinishedAssembly({ name, framework, exitCode, output }: AssemblyEnd): UnfinishedAssembly {
  const unknown = unknownTestOption(output);
  if (unknown) return { name, framework, cause: `It does not know the option ${unknown.option}, so no test ran` };
  const meaning = testExitMeaning(exitCode) ?? `The test process crashed with exit code ${exitCode}`;
  const { cause, frame } = lastWordsIn(output);
  return {
    ...{ name, framework },
    cause: cause === undefined ? meaning : `${meaning}: ${cause}`,
    ...(frame !== undefined && { output: `at ${frame}` }),
  };
}

interface AssemblyEnd {
  readonly name: string;
  readonly framework: string;
  readonly exitCode: number;
  /** The output of the application, which the command shows if the exit code is not 0. */
  readonly output: string;
}

/**
 * Finds lines such as `/x/T.dll (net10.0|x64) failed (1s)` that are followed by `Exit code: 134` and the indented
 * output of the application. For exit code 0 these are not printed.
 */
function assemblyEnds(lines: readonly string[]): AssemblyEnd[] {
  const ends = new Map<string, AssemblyEnd>();
  lines.forEach((line, index) => {
    const [, path, framework] = ASSEMBLY.exec(line) ?? [];
    const exitCode = path === undefined ? undefined : EXIT.exec(lines[index + 1] ?? '')?.[1];
    if (exitCode === undefined) return;
    const rest = lines.slice(index + 2);
    const end = rest.findIndex((next) => next !== '' && !next.startsWith('  '));
    const output = unindented(end < 0 ? rest : rest.slice(0, end)).replace(PRINTED_HEADING, '');
    const key = `${path}|${framework}`;
    ends.set(key, { name: fileName(path!), framework: framework!, exitCode: Number(exitCode), output });
  });
  return [...ends.values()];
}

const EXIT = /^Exit code: (\d+)$/;
const PRINTED_HEADING = /^(?:Standard output|Standard error|Error output): /gm;
const NO_TESTS_EXIT = 8;
/** Exit codes of complete runs: all passed, some failed, or none ran (https://aka.ms/testingplatform/exitcodes). */
const FINISHED: ReadonlySet<number> = new Set([0, 2, NO_TESTS_EXIT]);

/** A failure of a test in one try of its assembly. */
interface Try {
  readonly failure: TestFailure;
  /** The path and the framework. */
  readonly assembly: string;
  /** The number of the try, from 1; a run without retries has one. */
  readonly number: number;
}

/**
 * Returns the failures of each assembly's last try. A test that failed in an earlier try only has passed when it was
 * retried.
 */
function lastTries(lines: readonly string[]): { failures: TestFailure[]; retriedTests: RetriedTest[] } {
  const tries = failedTries(lines);
  const lastNumbers = new Map<string, number>();
  const note = (assembly: string, number: number) =>
    lastNumbers.set(assembly, Math.max(number, lastNumbers.get(assembly) ?? 1));
  for (const { assembly, number } of tries) note(assembly, number);
  for (const line of lines) {
    const [, number, path, framework = ''] = START.exec(line) ?? [];
    if (number !== undefined) note(`${path}|${framework}`, Number(number));
  }
  const failures = tries.filter(({ assembly, number }) => number === lastNumbers.get(assembly));
  const keyOf = ({ failure, assembly }: Try) => `${assembly}|${failure.displayName ?? failure.testName}`;
  const failedKeys = new Set(failures.map(keyOf));
  const retriedTests = new Map<string, RetriedTest>();
  for (const failedTry of tries) {
    const { testName, printed } = failedTry.failure;
    if (failedKeys.has(keyOf(failedTry))) continue;
    const passedOnTry = failedTry.number + 1;
    retriedTests.set(keyOf(failedTry), { testName, ...(printed && { printed }), passedOnTry });
  }
  return { failures: failures.map(({ failure }) => failure), retriedTests: [...retriedTests.values()] };
}

/** Returns the failures in the output; with retries, those of the last try. */
export function platformFailures(lines: readonly string[]): TestFailure[] {
  return lastTries(lines).failures;
}

/** Parses blocks of `failed T.Bad (11ms)`, the message, `from <assembly>`, and the exception with its frames. */
function failedTries(lines: readonly string[]): Try[] {
  const isEnd = (line: string) => RESULT.test(line) || END.test(line) || ASSEMBLY.test(line);
  return testBlocks(lines, FAILED, isEnd).map(({ testName, body }) => {
    const frames = body.filter((line) => FRAME.test(line));
    const stackTrace = framesOf(frames);
    const output = unindented(outputIn(body));
    const [, path = '', framework = ''] = body.map((line) => FROM.exec(line)).find(Boolean) ?? [];
    const name = testName.replace(TRY, '');
    const failure = {
      ...displayNames(name, frames),
      ...(path !== '' && { printed: { assembly: path, name } }),
      message: messageIn(body),
      ...(output !== '' && { output }),
      ...(stackTrace !== undefined && { stackTrace }),
    };
    return { failure, assembly: `${path}|${framework}`, number: Number(TRY.exec(testName)?.[1] ?? 1) };
  });
}

const SKIPPED = /^skipped (?:\(try \d+\) )?(.+?)(?: \([^()]*\d ?m?s\))?$/;

function skippedTests(lines: readonly string[]): SkippedTest[] {
  const isEnd = (line: string) => RESULT.test(line) || END.test(line) || ASSEMBLY.test(line);
  return testBlocks(lines, SKIPPED, isEnd).map(({ testName: name, body }) => {
    const from = body.findIndex((line) => FROM.test(line));
    const assembly = from < 0 ? undefined : FROM.exec(body[from]!)![1]!;
    const reason = unindented(from < 0 ? body : body.slice(0, from));
    return {
      testName: displayNames(name, []).testName,
      ...(assembly !== undefined && { printed: { assembly, name } }),
      ...(reason !== '' && { reason }),
    };
  });
}

const OUTPUT_HEADING = /^ {2,}Standard output$/;
const HEADING = /^ {2,}(?:Standard output|Error output|Stack Trace)$/i;

/** Returns the output of the test itself, which has a heading. */
function outputIn(body: readonly string[]): readonly string[] {
  const start = body.findIndex((line) => OUTPUT_HEADING.test(line));
  if (start < 0) return [];
  const end = body.findIndex((line, index) => index > start && (HEADING.test(line) || FRAME.test(line)));
  return body.slice(start + 1, end < 0 ? undefined : end);
}

/** Returns the message, which is before `from …` and again between it and the frames. Logs have no `from`. */
function messageIn(block: readonly string[]): string {
  const heading = block.findIndex((line) => HEADING.test(line));
  const body = heading < 0 ? block : block.slice(0, heading);
  const from = body.findIndex((line) => FROM.test(line));
  const firstFrame = body.findIndex((line) => FRAME.test(line));
  const before = from < 0 ? [] : body.slice(0, from).filter((line) => !FRAME.test(line));
  const after = body.slice(from + 1, firstFrame < 0 ? undefined : firstFrame);
  return unindented(before.some((line) => line.trim() !== '') ? before : after);
}
