import { SERVERS } from './servers.mjs';

const LABELS = ['Measure', 'Over', 'Unit'];
/** Whether a column of a table has figures. */
export const isNumeric = (column) => column >= LABELS.length;

/**
 * Measures and targets of some servers as a table of text. Each figure has its ratio to that of the table's reference, where
 * there is one; a target says whether it was reached.
 */
export function toTable({ names, reference }, { rows, targets }) {
  const measureCells = ({ measure, way, unit, values }) => {
    const cell = (name) => {
      const value = values[name];
      if (value === undefined || Number.isNaN(value)) return '';
      const isCompared = values[reference] > 0 && name !== reference;
      return `${digits(value)}${isCompared ? ` (${(value / values[reference]).toFixed(2)}×)` : ''}`;
    };
    return [measure, way, unit, ...names.map(cell), ''];
  };
  const targetCells = ({ kind = 'Target', target, over = '', of = 'process', unit, value, ...bounds }) => {
    const cells = names.map((name) => (name === of && !Number.isNaN(value) ? digits(value) : ''));
    return [`${kind}: ${target}`, SERVERS[over]?.title ?? over, unit, ...cells, verdictOf(value, bounds)];
  };
  const titles = names.map((name) => SERVERS[name].title);
  return [[...LABELS, ...titles, 'Target'], ...rows.map(measureCells), ...targets.map(targetCells)];
}

function verdictOf(value, { atMost, atLeast }) {
  const isReached = atMost === undefined ? value >= atLeast : value <= atMost;
  const verdict = Number.isNaN(value) ? 'not measured' : isReached ? 'ok' : 'MISSED';
  return `${atMost === undefined ? `≥ ${atLeast}` : `≤ ${atMost}`} ${verdict}`;
}

/** Three significant digits, and all of a whole number. */
function digits(value) {
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US');
  return `${Number(value.toPrecision(3))}`;
}

/** Columns of equal width, for a terminal. */
export function toText(table) {
  const widths = table[0].map((_, column) => Math.max(...table.map((cells) => cells[column].length)));
  const pad = (text, column) => (isNumeric(column) ? text.padStart(widths[column]) : text.padEnd(widths[column]));
  const lines = table.map((cells) => cells.map(pad).join('  ').trimEnd());
  return [lines[0], widths.map((width) => '─'.repeat(width)).join('  '), ...lines.slice(1)].join('\n');
}
