import { suggestNames } from '@mortise/plugin/runtime';

/**
 * A filter for VSTest of a name as results print it; any other expression stays as it is (docs/spec/dotnet-tests.md#test-names).
 *
 * NUnit puts the arguments of a fixture and names of prose into full names: `Shop.P(7).Works`, `Shop.Q.My nice name`. Neither
 * VSTest's grammar (18.0) nor that of NUnit's adapter (5.2) takes such a name in one piece, escaped or quoted. So the filter asks
 * for every part of the name that both take: `FullyQualifiedName~Shop.Q.My&FullyQualifiedName~nice&FullyQualifiedName~name`.
 */
export function vstestFilter(filter: string): string {
  const name = PROPERTY.exec(filter)?.groups?.value ?? filter;
  if (!isOddName(name)) return filter;
  const parts = name.replace(ROW, '').match(PART) ?? [];
  const conditions = parts.filter((part) => /[\p{L}\p{N}]/u.test(part)).map((part) => part.replace(/[()]/g, '\\$&'));
  return conditions.map((part) => `FullyQualifiedName~${part}`).join('&');
}

const PROPERTY = /^FullyQualifiedName\s*[=~]\s*(?<value>.+)$/s;

/** A namespace or class, as every full name has it, without what belongs to an expression or an escape. */
const QUALIFIED = /^[\p{L}_][\p{L}\p{N}_]*[.+][^\\]+$/su;

/** What a condition of an expression looks like; names of prose and with arguments do not. */
const CONDITION = /^\s*\(*\s*(?:\w+\s*!?[=~].+|[^\s()"',=~!]+)\s*\)*\s*$/s;

function isOddName(name: string): boolean {
  return (
    QUALIFIED.test(name) &&
    !name.split(/[|&]/).every((condition) => condition.trim() === '' || CONDITION.test(condition))
  );
}

/** The arguments of one row of a test: the filter is for the test with all its rows. */
const ROW = /(?<=[\p{L}\p{N}_])\s?\([^()]*\)$/u;

/** Letters, digits and the signs of names; parentheses around such. */
const PART = /(?:[\p{L}\p{N}_.+`<>-]|\([\p{L}\p{N}_.+-]*\))+/gu;

/** The value of a condition such as `FullyQualifiedName~Shop.CartTests`; a filter without an operator is one. */
const VALUE = /^\s*\(*\s*(?:\w+\s*!?[=~])?\s*(?<value>[^()]*)/s;

/** The arguments of a row: `Adds(a: 1, b: 2)`. */
const ARGUMENTS = /\(.*$/s;

/**
 * A filter for the test or class whose name is most like a name in a filter that matched nothing; undefined if none is alike.
 * @param tests full names
 */
export function nearFilter(filter: string, tests: readonly string[]): string | undefined {
  const names = tests.map((test) => test.replace(ARGUMENTS, ''));
  for (const condition of filter.split(/[|&]/)) {
    const value = VALUE.exec(condition)?.groups?.value?.trim() ?? '';
    const wanted = value.split('.').at(-1)!;
    const [near] = value === wanted ? [] : suggestNames(value, names, 1);
    const [part] = near === undefined ? suggestNames(wanted, partsOf(names), 1) : [near];
    if (part !== undefined) return `FullyQualifiedName~${part}`;
  }
  return undefined;
}

/** The names of methods and classes; a namespace would select most of the tests. */
function partsOf(names: readonly string[]): string[] {
  return names.flatMap((name) => name.split(/[.+]/).slice(-2));
}
