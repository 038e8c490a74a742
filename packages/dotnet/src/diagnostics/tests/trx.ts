import { parseXml } from '../../xml/parse-xml.js';
import type { XmlElement } from '../../xml/xml.js';
import { isFullName, shownAs, withoutArguments } from './test-name.js';
import { framesOf, type SkippedTest, type TestAssembly, type TestFailure, type TestRun } from './test-run.js';

const FAILED_OUTCOMES = new Set(['Failed', 'Error', 'Timeout', 'Aborted']);

/**
 * The results in a TRX file, as VSTest and xUnit.net v3 write it.
 * @throws XmlError where the text is not XML
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

/** VSTest (18) escapes each half of a character beyond the Basic Multilingual Plane, as if it were not valid in XML. */
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

/** The reason is where a failure has its message, or in the output (xUnit.net 2). */
function skipIn(result: XmlElement, names: ReadonlyMap<string, string>): SkippedTest {
  const reason = descend(result, 'Output', 'ErrorInfo', 'Message') ?? descend(result, 'Output', 'StdOut');
  const text = reason?.text.trim() ?? '';
  return { testName: namesOf(result, names).testName, ...(text !== '' && { reason: text }) };
}

/** `, Shop.Tests, Version=1.0.0.0, …`; a comma alone may be of a fixture's name or arguments (NUnit). */
const ASSEMBLY_OF_CLASS = /, [^,]+, Version=.*$/s;

/** The class and method by test id. NUnit and MSTest show only the method. */
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
      const own = byPath.get(path);
      if (own) own.push(result);
      else byPath.set(path, [result]);
    }
  }
  return [...byPath].map(([path, own]) => assemblyAt(path, own, byPath.size, durationMs));
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

/** `App.Tests.dll` of a Windows or Unix path. */
export function fileName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

const FRAMEWORK = /^net(?:coreapp|standard)?\d[\w.-]*$/i;

/** `net10.0` of `bin/Debug/net10.0/App.Tests.dll`. */
export function frameworkInPath(path: string): string | undefined {
  return path.split(/[\\/]/).findLast((segment) => FRAMEWORK.test(segment) && !segment.endsWith('.dll'));
}

function wallClockMs(root: XmlElement): number {
  const times = child(root, 'Times');
  if (!times) return 0;
  const ms = Date.parse(attribute(times, 'finish') ?? '') - Date.parse(attribute(times, 'start') ?? '');
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

/** `00:00:00.0172627`. */
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
