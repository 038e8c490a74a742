import { suggestNames } from '@mortise/plugin/runtime';

/** The value of a condition such as `FullyQualifiedName~Shop.CartTests`; a filter without an operator is one. */
const VALUE = /^\s*\(*\s*(?:\w+\s*!?[=~])?\s*(?<value>[^()]*)/s;

/** The arguments of a row: `Adds(a: 1, b: 2)`. */
const ROW = /\(.*$/s;

/**
 * A filter for the test or class whose name is most like a name in a filter that matched nothing; undefined if none is alike.
 * @param tests full names
 */
export function nearFilter(filter: string, tests: readonly string[]): string | undefined {
  const names = tests.map((test) => test.replace(ROW, ''));
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
