import { cleanLine } from '../parse/clean-line.js';
import { namesBelow, testBlocks, unindented } from './test-blocks.js';
import { abortedAssemblies } from './test-crash.js';
import {
  type AssemblyName,
  displayNames,
  durationMsOf,
  framesOf,
  NO_TESTS,
  type TestAssembly,
  type TestFailure,
  type TestRun,
} from './test-run.js';
import { fileName, frameworkInPath } from './trx.js';

const SUMMARY_LINE =
  /^\s*(?:Passed|Failed|Skipped)!\s+- Failed:\s*(\d+), Passed:\s*(\d+), Skipped:\s*(\d+), Total:\s*(\d+), Duration: (.+)$/;
const ASSEMBLY_AT_END = /^(.+?) - (.+?)(?: \(([^()|]+)(?:\|[^()]*)?\))?$/;
const FAILED = /^ {2}Failed (.+?)(?: \[[^[\]]*\])?$/;
const END =
  /^ {2}(?:Passed|Failed|Skipped) \S|^Results File: |^(?:Passed|Failed|Skipped)! |^\[xUnit\.net |^Total tests: |^Test Run /;
const SECTION = /^ {2}(Error Message|Stack Trace|Standard \w+ Messages|Standard Output|Attachments):$/;
const LIST_HEADING = /^\s*The following Tests are available:$/;

/**
 * Parses the output of the VSTest command, which can also run projects of Microsoft.Testing.Platform.
 * @returns undefined if no test run is in the output
 */
export function parseVSTestOutput(lines: readonly string[]): TestRun | undefined {
  const summary = summaryLines(lines) ?? summaryBlocks(lines);
  const unfinished = abortedAssemblies(lines, summary?.assemblies ?? []);
  const counts = summary ?? (unfinished.length > 0 ? NO_TESTS : undefined);
  const withoutTests = assembliesWithoutTests(lines);
  return (
    counts && {
      ...counts,
      failures: vstestFailures(lines),
      ...(unfinished.length > 0 && { unfinished }),
      ...(withoutTests.length > 0 && { withoutTests }),
      runner: 'vstest',
    }
  );
}

/** Returns the tests that `--list-tests` named; undefined for other output. */
export function listedByVSTest(lines: readonly string[]): string[] | undefined {
  return namesBelow(lines, LIST_HEADING, /^ {4}(\S.*)$/);
}

const NO_MATCH = /^\s*No test matches the given testcase filter .* in (\S.*?\.(?:dll|exe))/;

function assembliesWithoutTests(lines: readonly string[]): AssemblyName[] {
  const paths = new Set(lines.flatMap((line) => NO_MATCH.exec(line)?.[1] ?? []));
  return [...paths].map((path) => {
    const framework = frameworkInPath(path);
    return { name: fileName(path), ...(framework !== undefined && { framework }) };
  });
}

type Counts = Omit<TestRun, 'failures'>;

/** Adds up the summary lines, of which each assembly has one; undefined if there are none. */
function summaryLines(lines: readonly string[]): Counts | undefined {
  const rows = lines.map((line) => SUMMARY_LINE.exec(line)).filter((match) => match !== null);
  if (rows.length === 0) return undefined;
  const sum = (group: number) => rows.reduce((total, row) => total + Number(row[group]), 0);
  const assemblies = rows.map(assemblyOf);
  return {
    passed: sum(2),
    failed: sum(1),
    skipped: sum(3),
    total: sum(4),
    durationMs: assemblies.reduce((total, { durationMs }) => total + durationMs, 0),
    assemblies,
  };
}

function assemblyOf([, failed, passed, skipped, , rest]: RegExpExecArray): TestAssembly {
  const [, duration = rest!, path = '', framework] = ASSEMBLY_AT_END.exec(rest!) ?? [];
  return {
    name: fileName(path),
    ...(framework !== undefined && { framework }),
    passed: Number(passed),
    failed: Number(failed),
    skipped: Number(skipped),
    durationMs: durationMsOf(duration),
  };
}

const TOTAL = /^(Total tests|Passed|Failed|Skipped|Total time): (\d[\d.,]*)(?: (\w+))?$/;

/** Adds up the blocks that verbosity `normal` prints instead of summary lines. They do not name the assembly. */
function summaryBlocks(lines: readonly string[]): Counts | undefined {
  const counts: Record<string, number> = {};
  let isInBlock = false;
  for (const line of lines) {
    const match = TOTAL.exec(cleanLine(line).line);
    isInBlock = match !== null && (isInBlock || match[1] === 'Total tests');
    if (!match || !isInBlock) continue;
    const [, name, amount, unit = ''] = match;
    const value = name === 'Total time' ? durationMsOf(`${amount} ${unit.charAt(0).toLowerCase()}`) : Number(amount);
    counts[name!] = (counts[name!] ?? 0) + value;
  }
  const { 'Total tests': total, Passed: passed = 0, Failed: failed = 0, Skipped: skipped = 0 } = counts;
  if (total === undefined) return undefined;
  return { passed, failed, skipped, total, durationMs: counts['Total time'] ?? 0, assemblies: [] };
}

/** Parses blocks of `  Failed Name [1 ms]` with the sections `Error Message:` and `Stack Trace:`. */
export function vstestFailures(lines: readonly string[]): TestFailure[] {
  return testBlocks(lines, FAILED, (line) => END.test(line)).map(({ testName, body }) => {
    const sections = sectionsOf(body);
    const frames = sections.get('Stack Trace') ?? [];
    const stackTrace = framesOf(frames);
    const output = unindented(sections.get('Standard Output Messages') ?? []);
    return {
      ...displayNames(testName, frames),
      ...(output !== '' && { output }),
      message: unindented(sections.get('Error Message') ?? []),
      ...(stackTrace !== undefined && { stackTrace }),
    };
  });
}

function sectionsOf(body: readonly string[]): Map<string, string[]> {
  const sections = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of body) {
    const section = SECTION.exec(line)?.[1];
    if (section === undefined) {
      current.push(line);
    } else {
      current = [];
      sections.set(section, current);
    }
  }
  return sections;
}
