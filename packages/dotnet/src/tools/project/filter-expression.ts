/** A condition of a filter as VSTest writes it: `FullyQualifiedName~Shop.T`. */
export interface FilterCondition {
  readonly property: string;
  readonly operator: '=' | '!=' | '~' | '!~';
  readonly value: string;
}

/** All of `all`, or any of `any`. */
export type FilterExpression =
  | FilterCondition
  | { readonly all: readonly FilterExpression[] }
  | { readonly any: readonly FilterExpression[] };

const CONDITION = /^\s*([A-Za-z_][\w.]*)\s*(!=|!~|=|~)\s*(.+?)\s*$/s;

/** The expression that a filter of VSTest means; a value alone is a part of a full name. Undefined where it is malformed. */
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
  joined(reader, '|', 'any', () => joined(reader, '&', 'all', () => operand(reader)));

function joined(
  reader: Reader,
  sign: string,
  kind: 'all' | 'any',
  read: () => FilterExpression | undefined,
): FilterExpression | undefined {
  const parts: FilterExpression[] = [];
  do {
    const part = read();
    if (part === undefined) return undefined;
    parts.push(part);
  } while (reader.tokens[reader.at] === sign && reader.at++ >= 0);
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

/** Up to the next sign that is not escaped. */
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

/** The parts of an expression that are joined by one sign; the expression itself where it is not joined by it. */
export function partsOf(expression: FilterExpression, kind: 'all' | 'any'): readonly FilterExpression[] {
  return kind in expression ? (expression as Record<typeof kind, FilterExpression[]>)[kind] : [expression];
}

/** The expression as text, as {@link parseFilter} reads it. */
export function filterText(expression: FilterExpression): string {
  if ('any' in expression) return expression.any.map(filterText).join('|');
  if ('all' in expression) {
    return expression.all.map((part) => ('any' in part ? `(${filterText(part)})` : filterText(part))).join('&');
  }
  return `${expression.property}${expression.operator}${expression.value.replace(/[\\()&|]/g, '\\$&')}`;
}
