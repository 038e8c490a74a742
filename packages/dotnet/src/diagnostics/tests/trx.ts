import { parseXml } from '../../xml/parse-xml.js';
import type { XmlElement } from '../../xml/xml.js';
import { isFullName, shownAs, withoutArguments } from './test-name.js';
import { framesOf, type SkippedTest, type TestAssembly, type TestFailure, type TestRun } from './test-run.js';

const FAILED_OUTCOMES = new Set(['Failed', 'Error', 'Timeout', 'Aborted']);

/**
 * Parses the results in a TRX file of VSTest or xUnit.net v3.
 * @throws XmlError if the text is not XML
 */
export function parseTrx(xml: string): TestRun {
  const root = parseXml(xml.replace(ESCAPED_PAIR, (_, high, low) => String.fromCharCode(hex(high), hex(low))));
  const counters = descend(root, 'ResultSummary', 'Counters');
  const count = (name: string) => Number(counters && attribute(counters, name)) || 0;
  const results = descend(root, 'Results')?.elements.filter(({ name }) => name.endsWith('TestResult')) ?? [];
  const total = counters ? count('total') : results.length;
  const passed = counters ? count('passed') : results.filter((result) => outcomeOf(result) === 'Passed').length;
  // xUnit.net 2 writes notExecuted="0" although tests were skipped.
  const skipped = counters
    ? total - count('executed')
    : results.filter((result) => outcomeOf(result) === 'NotExecuted').length;
  const failedResults = results.filter((result) => FAILED_OUTCOMES.has(outcomeOf(result)));
  const failed = counters
    ? count('failed') + count('error') + count('timeout') + count('aborted')
    : failedResults.length;
  const durationMs = wallClockMs(root);
  const names = fullNames(root);
  const skippedTests = results
    .filter((result) => outcomeOf(result) === 'NotExecuted')
    .map((result) => skipIn(result, names));
  return {
    passed,
    failed,
    skipped,
    total,
    durationMs,
    failures: failedResults.map((failedResult) => failureIn(failedResult, names)),
    ...(skippedTests.length > 0 && { skippedTests }),
    assemblies: assembliesIn(root, results, durationMs),
  };
}

/** VSTest (18) escapes each half of a surrogate pair, as if it were not valid in XML. */
const ESCAPED_PAIR = /\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})/gi;

const hex = (digits: string) => Number.parseInt(digits, 16);

function failureIn(result: XmlElement, names: ReadonlyMap<string, string>): TestFailure {
  const info = descend(result, 'Output', 'ErrorInfo');
  const message = child(info, 'Message')?.text.trim() ?? '';
  const stackTrace = framesOf((child(info, 'StackTrace')?.text ?? '').split(/\r?\n/));
  const output = descend(result, 'Output', 'StdOut')?.text.trim() ?? '';
  return {
    ...namesOf(result, names),
    message: message === '' ? outcomeOf(result) : message,
    ...(output !== '' && { output }),
    ...(stackTrace !== undefined && { stackTrace }),
  };
}

/** The reason of a skip is in the place of a failure's message or, with xUnit.net 2, in the output. */
function skipIn(result: XmlElement, names: ReadonlyMap<string, string>): SkippedTest {
  const reason = descend(result, 'Output', 'ErrorInfo', 'Message') ?? descend(result, 'Output', 'StdOut');
  const text = reason?.text.trim() ?? '';
  return { testName: namesOf(result, names).testName, ...(text !== '' && { reason: text }) };
}

/**
 * Matches the assembly after a class, such as `, Shop.Tests, Version=1.0.0.0, …`. `Version=` is required because names
 * and arguments of NUnit fixtures can contain commas.
 */
const ASSEMBLY_OF_CLASS = /, [^,]+, Version=.*$/s;

/** Returns class and method by test id. The results of NUnit and MSTest have only the method. */
function fullNames(root: XmlElement): Map<string, string> {
  const names = new Map<string, string>();
  for (const test of descend(root, 'TestDefinitions')?.elements ?? []) {
    const method = child(test, 'TestMethod');
    const className = method && attribute(method, 'className')?.replace(ASSEMBLY_OF_CLASS, '');
    const name = method && attribute(method, 'name');
    const id = attribute(test, 'id');
    if (!className || !name || id === undefined) continue;
    const withoutParameters = withoutArguments(name);
    names.set(
      id,
      withoutParameters.startsWith(`${className}.`) ? withoutParameters : `${className}.${withoutParameters}`,
    );
  }
  return names;
}

function namesOf(
  result: XmlElement,
  names: ReadonlyMap<string, string>,
): Pick<TestFailure, 'testName' | 'displayName'> {
  const displayName = attribute(result, 'testName') ?? '';
  const withoutParameters = withoutArguments(displayName);
  const testName = isFullName(withoutParameters)
    ? withoutParameters
    : (names.get(attribute(result, 'testId') ?? '') ?? withoutParameters);
  return { testName, ...shownAs(displayName, testName) };
}

function assembliesIn(root: XmlElement, results: readonly XmlElement[], durationMs: number): TestAssembly[] {
  const pathOfTest = new Map<string, string>();
  for (const test of descend(root, 'TestDefinitions')?.elements ?? []) {
    const path = attribute(child(test, 'TestMethod') ?? test, 'codeBase') ?? attribute(test, 'storage');
    const id = attribute(test, 'id');
    if (path !== undefined && id !== undefined) pathOfTest.set(id, path);
  }
  const byPath = new Map<string, XmlElement[]>();
  for (const result of results) {
    const path = pathOfTest.get(attribute(result, 'testId') ?? '');
    if (path !== undefined) {
      const group = byPath.get(path);
      if (group) group.push(result);
      else byPath.set(path, [result]);
    }
  }
  return [...byPath].map(([path, group]) => assemblyAt(path, group, byPath.size, durationMs));
}

function assemblyAt(
  path: string,
  results: readonly XmlElement[],
  assemblyCount: number,
  durationMs: number,
): TestAssembly {
  const framework = frameworkInPath(path);
  const outcomes = results.map(outcomeOf);
  return {
    name: fileName(path),
    ...(framework !== undefined && { framework }),
    passed: outcomes.filter((outcome) => outcome === 'Passed').length,
    failed: outcomes.filter((outcome) => FAILED_OUTCOMES.has(outcome)).length,
    skipped: outcomes.filter((outcome) => outcome === 'NotExecuted').length,
    durationMs: assemblyCount === 1 ? durationMs : results.reduce((sum, result) => sum + timeSpanMs(result), 0),
  };
}

/** Returns the file name of a Windows or Unix path. */
export function fileName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

const FRAMEWORK = /^net(?:coreapp|standard)?\d[\w.-]*$/i;

/** Returns the framework in a path, such as `net10.0` in `bin/Debug/net10.0/App.Tests.dll`; undefined without one. */
export function frameworkInPath(path: string): string | undefined {
  return path.split(/[\\/]/).findLast((segment) => FRAMEWORK.test(segment) && !segment.endsWith('.dll'));
}

function wallClockMs(root: XmlElement): number {
  const times = child(root, 'Times');
  if (!times) return 0;
  const ms = Date.parse(attribute(times, 'finish') ?? '') - Date.parse(attribute(times, 'start') ?? '');
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

/** Parses a duration such as `00:00:00.0172627` into milliseconds. */
function timeSpanMs(result: XmlElement): number {
  const parts = (attribute(result, 'duration') ?? '').split(':').map(Number);
  const seconds = parts.reduce((sum, part) => sum * 60 + part, 0);
  return Number.isFinite(seconds) ? Math.round(seconds * 1000) : 0;
}

const outcomeOf = (result: XmlElement): string => attribute(result, 'outcome') ?? 'NotExecuted';

function attribute(element: XmlElement, name: string): string | undefined {
  return element.attributes.find((item) => item.name === name)?.value;
}

function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.elements.find((item) => item.name === name);
}

function descend(element: XmlElement, ...names: string[]): XmlElement | undefined {
  return names.reduce<XmlElement | undefined>(child, element);
}
