import { namesBelow, testBlocks, unindented } from './test-blocks.js';
import {
  displayNames,
  durationMsOf,
  framesOf,
  type SkippedTest,
  type TestAssembly,
  type TestFailure,
  type TestRun,
} from './test-run.js';
import { fileName } from './trx.js';

const SUMMARY_HEADING = /^Test run summary: /;
const COUNT = /^ {2,}(total|failed|succeeded|skipped|duration): (.+)$/;
const ASSEMBLY =
  /^\s*(\S.*\.(?:dll|exe)) \(([^()|]+)(?:\|[^()]*)?\) (?:passed|failed with (\d+) error\(s\)|failed|[Zz]ero tests ran|skipped)(?: \(([^()]+)\))?\.?$/;
const FROM = /^ {2}from (\S.*\.(?:dll|exe))(?: \(([^()]*)\))?$/;
const RESULT = /^(?:failed|passed|canceled|timeout) .+ \([^()]*\d ?m?s\)$|^skipped \S/;
const FAILED = /^(?:failed|timeout|canceled) (.+) \([^()]*\d ?m?s\)$/;
const END = /^Exit code: |^Test run summary: |^Running tests from |^Discovering tests from /;
const FRAME = /^\s+at /;
const LIST_HEADING = /^Discovered \d+ tests? in assembly - /;

/** What the command of Microsoft.Testing.Platform printed, or one of its logs; undefined if it is neither. */
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
  return {
    ...counts,
    total: count('total'),
    durationMs: durationMsOf(values.get('duration') ?? ''),
    failures: platformFailures(lines),
    ...(counts.skipped > 0 && { skippedTests: skippedTests(lines) }),
    assemblies: assemblies(lines, counts),
    runner: 'microsoft-testing-platform',
  };
}

/** The tests that `--list-tests` named; undefined if none were listed. */
export function listedByPlatform(lines: readonly string[]): string[] | undefined {
  return namesBelow(lines, LIST_HEADING, /^ {2}(\S.*)$/);
}

/** Passed tests are counted for the whole run only: an assembly has a count only if it is the only one. */
function assemblies(lines: readonly string[], counts: Pick<TestRun, 'passed' | 'failed' | 'skipped'>): TestAssembly[] {
  const skipped = skippedByPath(lines);
  const byPath = new Map<string, TestAssembly>();
  for (const line of lines) {
    const match = ASSEMBLY.exec(line);
    if (!match) continue;
    const [, path, framework, failed = '0', duration = ''] = match;
    byPath.set(`${path}|${framework}`, {
      name: fileName(path!),
      framework: framework!,
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

/** `failed T.Bad (11ms)`, the message, `from <assembly>`, and the exception with its frames. */
export function platformFailures(lines: readonly string[]): TestFailure[] {
  const isEnd = (line: string) => RESULT.test(line) || END.test(line) || ASSEMBLY.test(line);
  return testBlocks(lines, FAILED, isEnd).map(({ testName, body }) => {
    const frames = body.filter((line) => FRAME.test(line));
    const stackTrace = framesOf(frames);
    const output = unindented(outputIn(body));
    return {
      ...displayNames(testName, frames),
      message: messageIn(body),
      ...(output !== '' && { output }),
      ...(stackTrace !== undefined && { stackTrace }),
    };
  });
}

const SKIPPED = /^skipped (.+?)(?: \([^()]*\d ?m?s\))?$/;

/** `skipped T.Later (0ms)`, and the reason below it. */
function skippedTests(lines: readonly string[]): SkippedTest[] {
  const isEnd = (line: string) => RESULT.test(line) || END.test(line) || ASSEMBLY.test(line) || FROM.test(line);
  return testBlocks(lines, SKIPPED, isEnd).map(({ testName, body }) => {
    const reason = unindented(body);
    return { testName: displayNames(testName, []).testName, ...(reason !== '' && { reason }) };
  });
}

const OUTPUT_HEADING = /^ {2,}Standard output$/;
const HEADING = /^ {2,}(?:Standard output|Error output|Stack Trace)$/i;

/** The output of the test, which the runner shows under a separate heading. */
function outputIn(body: readonly string[]): readonly string[] {
  const start = body.findIndex((line) => OUTPUT_HEADING.test(line));
  if (start < 0) return [];
  const end = body.findIndex((line, index) => index > start && (HEADING.test(line) || FRAME.test(line)));
  return body.slice(start + 1, end < 0 ? undefined : end);
}

/** The message is before `from …` and again behind it, up to the frames; logs have no `from`. */
function messageIn(whole: readonly string[]): string {
  const heading = whole.findIndex((line) => HEADING.test(line));
  const body = heading < 0 ? whole : whole.slice(0, heading);
  const from = body.findIndex((line) => FROM.test(line));
  const firstFrame = body.findIndex((line) => FRAME.test(line));
  const before = from < 0 ? [] : body.slice(0, from).filter((line) => !FRAME.test(line));
  const after = body.slice(from + 1, firstFrame < 0 ? undefined : firstFrame);
  return unindented(before.some((line) => line.trim() !== '') ? before : after);
}
