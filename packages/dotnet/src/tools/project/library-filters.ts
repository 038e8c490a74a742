import type { TestLibrary } from '../../nuget/test-libraries.js';
import { type FilterCondition, type FilterExpression, parseFilter, partsOf } from './filter-expression.js';
import { vstestFilter } from './name-filter.js';

export type FilterOption = readonly [name: string, value: string];

/**
 * Matches the name of a test as results print it, alone or in a VSTest condition, with or without the arguments of a
 * row in parentheses.
 */
const NAME = /^(?:FullyQualifiedName\s*(?<operator>[=~])\s*)?(?<name>[\w.+`]+)(?:\([^()]*\))?$/;

/**
 * Returns the options of a test framework on Microsoft.Testing.Platform for a filter: `--filter` with a VSTest
 * expression, or the options of a framework that does not know `--filter` (TUnit 1.81, xUnit.net 3.2). Returns
 * undefined if these options cannot express the filter in one run.
 */
export function libraryFilter(library: TestLibrary | undefined, filter: string): readonly FilterOption[] | undefined {
  const own = library === undefined ? undefined : OWN_FILTERS[library];
  if (own === undefined) return [['--filter', vstestFilter(filter)]];
  if (filter.startsWith('/')) return [[own.query, filter]];
  const { operator, name } = NAME.exec(filter)?.groups ?? {};
  if (name === undefined) {
    const expression = parseFilter(filter);
    return expression && own.options(expression);
  }
  const isWhole = operator === '=' || (operator === undefined && name.includes('.'));
  return own.options({ property: 'FullyQualifiedName', operator: isWhole ? '=' : '~', value: name });
}

interface OwnFilter {
  /** The option for a query in the framework's own language, which begins with a slash. */
  readonly query: string;
  options(expression: FilterExpression): readonly FilterOption[] | undefined;
}

const OWN_FILTERS: Partial<Record<TestLibrary, OwnFilter>> = {
  tunit: { query: '--treenode-filter', options: tunitOptions },
  'xunit.v3': { query: '--filter-query', options: xunitOptions },
};

const isName = ({ property }: FilterCondition) => /^(?:FullyQualifiedName|Name|DisplayName)$/i.test(property);
const isClass = ({ property }: FilterCondition) => /^ClassName$/i.test(property);
const isNegative = ({ operator }: FilterCondition) => operator.startsWith('!');
const isPart = ({ operator }: FilterCondition) => operator.endsWith('~');

const isCondition = (expression: FilterExpression): expression is FilterCondition => 'property' in expression;

/**
 * Options of the same kind are combined by OR, options of different kinds by AND. Each kind also has an option that
 * excludes tests.
 */
function xunitOptions(expression: FilterExpression): FilterOption[] | undefined {
  const options: FilterOption[] = [];
  const kinds = new Set<string>();
  for (const group of partsOf(expression, 'all')) {
    const any = partsOf(group, 'any');
    if (!any.every(isCondition)) return undefined;
    const conditions = any.filter(isCondition);
    const groupKinds = new Set(conditions.map(xunitKind));
    const [kind = ''] = groupKinds;
    if (conditions.some(isNegative)) {
      if (conditions.length > 1) return undefined;
    } else {
      if (groupKinds.size > 1 || kinds.has(kind)) return undefined;
      kinds.add(kind);
    }
    options.push(...conditions.map(xunitOption));
  }
  return options;
}

function xunitKind(condition: FilterCondition): string {
  if (isName(condition)) return 'method';
  return isClass(condition) ? 'class' : 'trait';
}

function xunitOption(condition: FilterCondition): FilterOption {
  const kind = xunitKind(condition);
  const { property, value } = condition;
  const pattern = isPart(condition) ? `*${value}*` : value;
  const option = `--filter-${isNegative(condition) ? 'not-' : ''}${kind}`;
  if (kind === 'trait') return [option, `${property}=${pattern}`];
  return [option, isPart(condition) || value.includes('.') ? pattern : `*.${value}`];
}

/**
 * TUnit takes one path `/assembly/namespace/class/test[properties]`. Each level, and the properties, can have
 * alternatives.
 */
function tunitOptions(expression: FilterExpression): FilterOption[] | undefined {
  let path: readonly [namespace: string, type: string, test: string] = ['*', '*', '*'];
  let hasPath = false;
  const properties: string[] = [];
  for (const group of partsOf(expression, 'all')) {
    const any = partsOf(group, 'any');
    if (!any.every(isCondition)) return undefined;
    const conditions = any.filter(isCondition);
    if (conditions.every((condition) => !isName(condition) && !isClass(condition))) {
      properties.push(alternatives(conditions.map(tunitProperty)));
      continue;
    }
    const paths = conditions.map(tunitPath);
    const isPath = (condition: FilterCondition) => !isNegative(condition) && (isName(condition) || isClass(condition));
    if (hasPath || !conditions.every(isPath)) return undefined;
    const [first] = paths;
    if (paths.some(([namespace, type]) => namespace !== first![0] || type !== first![1])) return undefined;
    path = [first![0], first![1], alternatives(paths.map(([, , test]) => test))];
    hasPath = true;
  }
  const suffix = properties.length === 0 ? '' : `[${combine(properties, '&')}]`;
  return [['--treenode-filter', `/*/${path.join('/')}${suffix}`]];
}

const alternatives = (values: readonly string[]) => combine(values, '|');

function combine(values: readonly string[], operator: '&' | '|'): string {
  const distinct = [...new Set(values)];
  return distinct.length === 1 ? distinct[0]! : distinct.map((value) => `(${value})`).join(operator);
}

function tunitProperty(condition: FilterCondition): string {
  const wildcard = isPart(condition) ? '*' : '';
  return `${condition.property}${isNegative(condition) ? '!=' : '='}${wildcard}${condition.value}${wildcard}`;
}

function tunitPath(condition: FilterCondition): readonly [namespace: string, type: string, test: string] {
  const wildcard = isPart(condition) ? '*' : '';
  const [last = '', before, ...namespace] = condition.value.split('.').reverse();
  const name = `${wildcard}${last}${wildcard}`;
  if (isClass(condition)) return [[before, ...namespace].filter(Boolean).reverse().join('.') || '*', name, '*'];
  return [namespace.reverse().join('.') || '*', before ?? '*', name];
}
