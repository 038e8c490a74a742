import { suggestNames } from '@mortise/plugin/runtime';

/**
 * Converts the name of a test, as results print it, to a VSTest filter. Any other filter stays as it is
 * (docs/spec/dotnet-tests.md#test-names).
 *
 * NUnit's full names can contain the arguments of a fixture or prose: `Shop.P(7).Works`, `Shop.Q.My nice name`. Neither
 * the grammar of VSTest (18.0) nor that of NUnit's adapter (5.2) accepts such a name as a whole, even escaped or
 * quoted. So the filter has a condition for every part of the name that both accept:
 * `FullyQualifiedName~Shop.Q.My&FullyQualifiedName~nice&FullyQualifiedName~name`.
 */
export function vstestFilter(filter: string): string {
  const name = PROPERTY.exec(filter)?.groups?.value ?? filter;
  if (!isOddName(name)) return filter;
  const parts = name.replace(ROW, '').match(PART) ?? [];
  const conditions = parts.filter((part) => /[\p{L}\p{N}]/u.test(part)).map((part) => part.replace(/[()]/g, '\\$&'));
  return conditions.map((part) => `FullyQualifiedName~${part}`).join('&');
}

const PROPERTY = /^FullyQualifiedName\s*[=~]\s*(?<value>.+)$/s;

/** Matches a name with a namespace or class, as every full name has, and without escapes. */
const QUALIFIED = /^[\p{L}_][\p{L}\p{N}_]*[.+][^\\]+$/su;

/** Matches a condition of an expression. Names of prose, and names with arguments, do not match. */
const CONDITION = /^\s*\(*\s*(?:\w+\s*!?[=~].+|[^\s()"',=~!]+)\s*\)*\s*$/s;

function isOddName(name: string): boolean {
  return (
    QUALIFIED.test(name) &&
    !name.split(/[|&]/).every((condition) => condition.trim() === '' || CONDITION.test(condition))
  );
}

/** Matches the arguments of a row of a test. They are removed, so that the filter selects all rows of the test. */
const ROW = /(?<=[\p{L}\p{N}_])\s?\([^()]*\)$/u;

/** Matches letters, digits and other characters of names, and parentheses around them. */
const PART = /(?:[\p{L}\p{N}_.+`<>-]|\([\p{L}\p{N}_.+-]*\))+/gu;

/** Matches a condition such as `FullyQualifiedName~Shop.CartTests`, or a value without an operator. */
const VALUE = /^\s*\(*\s*(?:\w+\s*!?[=~])?\s*(?<value>[^()]*)/s;

/** Matches the arguments of a row: `Adds(a: 1, b: 2)`. */
const ARGUMENTS = /\(.*$/s;

/**
 * Corrects a filter that matched no test: returns a filter for the test or class with the most similar name; undefined
 * if no name is similar.
 * @param tests the full names of all tests
 */
export function nearFilter(filter: string, tests: readonly string[]): string | undefined {
  const names = tests.map((test) => test.replace(ARGUMENTS, ''));
  for (const condition of filter.split(/[|&]/)) {
    const value = VALUE.exec(condition)?.groups?.value?.trim() ?? '';
    const lastPart = value.split('.').at(-1)!;
    const [similarName] = value === lastPart ? [] : suggestNames(value, names, 1);
    const [suggestion] = similarName === undefined ? suggestNames(lastPart, partsOf(names), 1) : [similarName];
    if (suggestion !== undefined) return `FullyQualifiedName~${suggestion}`;
  }
  return undefined;
}

/** Returns the names of methods and classes, without namespaces, because a namespace would select most of the tests. */
function partsOf(names: readonly string[]): string[] {
  return names.flatMap((name) => name.split(/[.+]/).slice(-2));
}
