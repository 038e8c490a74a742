import { CLOSING_PARENTHESIS, endOfMatch, isLineBreak } from '../scanning/chars.js';
import { NOT_FOUND } from '../scanning/memoized-scan.js';
import type { RedactRange } from '../scanning/scan.js';
import type { Text } from '../scanning/text.js';
import { isExpression } from './code.js';
import type { Key } from './key.js';
import { isSecretLiteral } from './literals.js';
import { isNotSecret, isSentence } from './non-secret-values.js';
import type { ScanState } from './scan-state.js';
import { keyKindIn } from './secret-key.js';

/**
 * Redacts values in tables whose columns have names: CSV, tables of Markdown and of database clients, `INSERT` of SQL.
 * The header is read once; then the cells of the columns with secret names are redacted. Each line is read at most once
 * as a row, because a row belongs to a single table.
 */

/** The syntax of one kind of table. */
interface TableForm {
  readonly name: string;
  /** Matches the whole line of column names. */
  readonly header: RegExp;
  /** Matches the text between the header and the first row. Sticky. */
  readonly after: RegExp;
  /** Matches a cell and the separator after it. The first group is the value. Global. */
  readonly cell: RegExp;
  /** Matches lines between rows, which have no values. */
  readonly rule?: RegExp;
}

const WORD_CHAR = /[A-Za-z\d]/;
const MAX_HEADER_CHARS = 1000;
const MAX_ROWS = 1000;
const MAX_ROW_CHARS = 8000;

const NAME = '["\'`]?[A-Za-z_][\\w .()#-]{0,40}["\'`]?';
const NAMES = (separator: string) => new RegExp(`^${NAME}(?:${separator}[ ]?${NAME}){1,40}$`);
const CELL = (separator: string) =>
  new RegExp(
    `[ ]?("(?:[^"\\r\\n]|""){0,4000}"|'[^'\\r\\n]{0,4000}'(?=${separator}|$)|[^${separator}\\r\\n]{0,4000})(?:${separator}|$)`,
    'g',
  );
const RULE = /^(?=[ \t|+:]{0,40}-)[ \t|+:-]{1,1000}$/;
const BARS: Pick<TableForm, 'header' | 'cell' | 'rule'> = {
  header: /^[ \t]*[|│]?[^|│\r\n]{1,60}(?:[|│][^|│\r\n]{0,60}){1,40}$/,
  cell: /([^|│\r\n]{0,4000})(?:[|│]|$)/g,
  rule: RULE,
};
const TABLES: readonly TableForm[] = [
  {
    name: 'Markdown, psql and mysql',
    ...BARS,
    after: /\r?\n(?=[ \t|+:]{0,40}-)[ \t|+:-]{1,1000}\r?\n/y,
  },
  { name: 'CSV', header: NAMES(','), after: /\r?\n/y, cell: CELL(',') },
  { name: 'CSV with semicolons', header: NAMES(';'), after: /\r?\n/y, cell: CELL(';') },
  { name: 'TSV', header: NAMES('\\t'), after: /\r?\n/y, cell: CELL('\\t') },
];

/** Redacts the cells below the key if the key is the name of a column. @returns where reading continues, or -1 */
export function redactColumn(state: ScanState, _from: number, key: Key): number {
  if (key.start < state.tableEnd) return -1;
  const next = redactInsert(state, key);
  return next >= 0 ? next : redactLines(state, key);
}

/** Redacts lines below a header. @returns the end of the header, because the cells can contain other secrets; or -1 */
function redactLines(state: ScanState, key: Key): number {
  const { text } = state;
  const { string } = text;
  if (key.start < state.headerEnd) return -1;
  const start = string.lastIndexOf('\n', key.start) + 1;
  const end = endOfLine(string, key.end);
  state.headerEnd = end;
  if (end - start > MAX_HEADER_CHARS) return -1;
  const header = string.slice(start, end);
  for (const table of TABLES) {
    if (!table.header.test(header)) continue;
    const firstRow = endOfMatch(table.after, text, end);
    if (firstRow < 0) continue;
    const names = cellsOf(table, header, start);
    const secretColumns = names.flatMap((name, index) => (isSecretName(text, name) ? [index] : []));
    const tableEnd =
      secretColumns.length === 0 ? -1 : redactRows(text, table, firstRow, names.length, secretColumns, state.redact);
    if (tableEnd < 0) continue;
    state.tableEnd = tableEnd;
    return end;
  }
  return -1;
}

/** @returns the end of the last row, or -1 if there are no rows */
function redactRows(
  text: Text,
  table: TableForm,
  firstRow: number,
  columnCount: number,
  secretColumns: readonly number[],
  redact: RedactRange,
): number {
  let at = firstRow;
  let end = -1;
  for (let row = 0; row < MAX_ROWS && at < text.length; row++) {
    const lineEnd = endOfLine(text.string, at);
    if (lineEnd - at > MAX_ROW_CHARS) break;
    const line = text.string.slice(at, lineEnd);
    if (!table.rule?.test(line)) {
      const cells = cellsOf(table, line, at);
      if (cells.length < columnCount || line.trim() === '') break;
      if (cells.slice(columnCount).some(({ value }) => WORD_CHAR.test(value))) break;
      for (const column of secretColumns) redactCell(text, cells[column]!, redact);
    }
    end = lineEnd;
    at = lineEnd + (text.string.startsWith('\r\n', lineEnd) ? 2 : 1);
  }
  return end;
}

interface Cell {
  /** The text without white space and quotes around it. */
  readonly value: string;
  /** The position of `value` in the text. */
  readonly start: number;
}

function cellsOf({ cell }: Pick<TableForm, 'cell'>, line: string, lineStart: number): Cell[] {
  const cells: Cell[] = [];
  for (const match of line.matchAll(cell)) {
    if (match[0] === '') break;
    const value = trimCell(match[1]!);
    cells.push({ value, start: lineStart + match.index + match[0].indexOf(value) });
    if (match.index + match[0].length === line.length && !/[,;\t|│]$/.test(match[0])) break;
  }
  return cells;
}

const trimCell = (cell: string): string => cell.trim().replace(/^[*"'`[]{1,3}|[*"'`\]]{1,3}$/g, '');

function isSecretName(text: Text, { value, start }: Cell): boolean {
  return keyKindIn(text, start, start + value.length) === 'secret';
}

function redactCell(text: Text, cell: Cell, redact: RedactRange): void {
  const { value, start } = cell;
  if (value === '' || isSecretName(text, cell) || isNotSecret(text, start) || isSentence(text, start)) return;
  if (isExpression(text, start)) return;
  redact(start, start + value.length);
}

function endOfLine(string: string, from: number): number {
  let at = from;
  while (at < string.length && !isLineBreak(string.charCodeAt(at))) at++;
  return at;
}

/** The list of column names in `INSERT`. */
const LIST = { cell: CELL(',') };
const INSERT = /\binsert\s{1,8}(?:into\s{1,8})?[\w.`"[\] ]{1,100}\($/i;
const INSERTED = /\)\s{0,20}(?:OUTPUT [\w., ]{1,80}\s{1,20})?VALUES\s{0,20}(?=\()/iy;
const SQL_VALUE =
  /\s{0,20}(?:[NE]?'((?:[^']|''){0,4000})'|"([^"]{0,4000})"|([^,()'"]{0,200}(?:\([^()]{0,200}\))?))\s{0,20}(?=[,)])/y;

/** Redacts the values of `INSERT INTO users (name, password) VALUES ('bob', 'x'), ('ann', 'y')`. */
function redactInsert(state: ScanState, key: Key): number {
  const { text } = state;
  const { string } = text;
  const opening = state.openingBefore(key.start);
  const closing = opening < 0 ? NOT_FOUND : state.next(CLOSING_PARENTHESIS, key.end);
  if (closing - opening > MAX_HEADER_CHARS) return -1;
  let at = endOfMatch(INSERTED, text, closing);
  if (at < 0 || !INSERT.test(string.slice(Math.max(0, opening - 150), opening + 1))) return -1;
  const names = cellsOf(LIST, string.slice(opening + 1, closing), opening + 1);
  for (let row = 0; row < MAX_ROWS && string[at] === '('; row++) {
    at++;
    for (let column = 0; column < names.length; column++) {
      SQL_VALUE.lastIndex = at;
      const match = SQL_VALUE.exec(string);
      if (!match) return at;
      const value = match[1] ?? match[2];
      if (value && isSecretName(text, names[column]!)) {
        const start = at + match[0].indexOf(value, match[0].search(/['"]/) + 1);
        if (isSecretLiteral(text, { start, end: start + value.length })) state.redact(start, start + value.length);
      }
      at += match[0].length + 1;
    }
    state.tableEnd = at;
    while (at < string.length && /[\s,]/.test(string[at]!)) at++;
  }
  return at;
}
