import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { SERVERS } from './servers.mjs';

/** The last section of the page, which the run does not measure. */
const PROFILES = new URL('profiles.md', import.meta.url);
const LABELS = ['Measure', 'Over', 'Unit'];
const isNumeric = (column) => column >= LABELS.length;

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

function toMarkdown(table) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const rule = table[0].map((_, column) => (isNumeric(column) ? '--:' : '---'));
  return [line(table[0]), line(rule), ...table.slice(1).map(line)].join('\n');
}

/** What the figures depend on. */
function machine() {
  const memoryGb = Math.round(totalmem() / 1024 ** 3);
  return `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, ${memoryGb} GB; ${type()} ${release()}; Node ${process.version}`;
}

const minutesSince = (date) => Math.ceil((Date.now() - date.getTime()) / 60_000);

/** BENCHMARKS.md. */
export function toPage({ tables, measures, startedAt, notes }) {
  const meanings = measures.flatMap(({ meanings }) => meanings).map(([name, meaning]) => `- **${name}**: ${meaning}`);
  return `# Benchmarks

\`npm run bench\` measures Mortise and others side by side and writes this page; the last run took ${minutesSince(startedAt)} minutes, on a
machine that did nothing else. \`npm run bench -- --quick\` only shows that everything runs, \`--only <measure>\` takes one of
${measures.map(({ name }) => `\`${name}\``).join(', ')}.

Last run: ${startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC, ${machine()}.
${tables.map(toSection).join('')}${notes.map((note) => `\n${note}\n`).join('')}
Figures depend on the machine; ratios do so less. A target that says MISSED was not reached. A goal is what is aimed for beyond it.

## What is compared

All servers offer the same tool \`echo\`, run on the same Node and are spoken to by one client, which writes and reads the
messages itself. In every round each server has its turn; a figure is the median of the rounds.

${Object.values(SERVERS)
  .map(({ title, meaning }) => `- **${title}**: ${meaning}`)
  .join('\n')}

## What the rows mean

${meanings.join('\n')}

${readFileSync(PROFILES, 'utf8')}`;
}

function toSection({ title, reference, table }) {
  return `
## ${title}

${toMarkdown(table)}

In brackets stands the ratio to “${SERVERS[reference].title}” in the same row.
`;
}
