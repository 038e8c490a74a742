/** A condition of a VSTest filter: `FullyQualifiedName~Shop.T`. */
export interface FilterCondition {
  readonly property: string;
  readonly operator: '=' | '!=' | '~' | '!~';
  readonly value: string;
}

/** A condition, or a combination of expressions by AND (`all`) or OR (`any`). */
export type FilterExpression =
  | FilterCondition
  | { readonly all: readonly FilterExpression[] }
  | { readonly any: readonly FilterExpression[] };

const CONDITION = /^\s*([A-Za-z_][\w.]*)\s*(!=|!~|=|~)\s*(.+?)\s*$/s;

/**
 * Parses a VSTest filter. A value without a property means `FullyQualifiedName~value`. Returns undefined if the filter
 * is malformed.
 */
export function parseFilter(filter: string): FilterExpression | undefined {
  const reader = { tokens: filter.match(/\\.|[()&|]|[^\\()&|]+/gs) ?? [], at: 0 };
  const expression = expressionIn(reader);
  return reader.at === reader.tokens.length ? expression : undefined;
}

interface Reader {
  readonly tokens: readonly string[];
  at: number;
}

const expressionIn = (reader: Reader): FilterExpression | undefined =>
  combination(reader, '|', 'any', () => combination(reader, '&', 'all', () => operand(reader)));

function combination(
  reader: Reader,
  operator: string,
  kind: 'all' | 'any',
  read: () => FilterExpression | undefined,
): FilterExpression | undefined {
  const parts: FilterExpression[] = [];
  do {
    const part = read();
    if (part === undefined) return undefined;
    parts.push(part);
  } while (reader.tokens[reader.at] === operator && reader.at++ >= 0);
  return parts.length === 1
    ? parts[0]
    : ({ [kind]: parts } as { all: FilterExpression[] } | { any: FilterExpression[] });
}

function operand(reader: Reader): FilterExpression | undefined {
  while (reader.tokens[reader.at]?.trim() === '') reader.at++;
  if (reader.tokens[reader.at] !== '(') return condition(reader);
  reader.at++;
  const inner = expressionIn(reader);
  if (inner === undefined || reader.tokens[reader.at] !== ')') return undefined;
  reader.at++;
  while (reader.tokens[reader.at]?.trim() === '') reader.at++;
  return inner;
}

/** Reads a condition, up to the next unescaped parenthesis, `&` or `|`. */
function condition(reader: Reader): FilterCondition | undefined {
  let text = '';
  for (; reader.at < reader.tokens.length; reader.at++) {
    const token = reader.tokens[reader.at]!;
    if (/^[()&|]$/.test(token)) break;
    text += token.startsWith('\\') ? token.slice(1) : token;
  }
  if (text.trim() === '') return undefined;
  const [, property = 'FullyQualifiedName', operator = '~', value = text.trim()] = CONDITION.exec(text) ?? [];
  return { property, operator: operator as FilterCondition['operator'], value };
}

/** Returns the operands of an `all` or `any` expression. Any other expression is its own only operand. */
export function partsOf(expression: FilterExpression, kind: 'all' | 'any'): readonly FilterExpression[] {
  return kind in expression ? (expression as Record<typeof kind, FilterExpression[]>)[kind] : [expression];
}

/** Writes the expression as a text that {@link parseFilter} can parse. */
export function filterText(expression: FilterExpression): string {
  if ('any' in expression) return expression.any.map(filterText).join('|');
  if ('all' in expression) {
    return expression.all.map((part) => ('any' in part ? `(${filterText(part)})` : filterText(part))).join('&');
  }
  return `${expression.property}${expression.operator}${expression.value.replace(/[\\()&|]/g, '\\$&')}`;
}
