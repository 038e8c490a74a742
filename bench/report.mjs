import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { SERVERS } from './servers.mjs';

/** The server that the others are compared with. */
const REFERENCE = 'official';

const HEAD = ['Measure', 'Over', 'Unit', ...Object.values(SERVERS).map(({ title }) => title), 'Target'];
const isNumeric = (column) => column >= 3;

/**
 * Measures and targets as one table of text. Each figure has its ratio to that of the official server, where there is
 * one; a target says whether it was reached.
 */
export function toTable({ rows, targets }) {
  return [HEAD, ...rows.map(measureCells), ...targets.map(targetCells)];
}

function measureCells({ measure, way, unit, values }) {
  const reference = values[REFERENCE];
  const cell = (name) => {
    const value = values[name];
    if (value === undefined || Number.isNaN(value)) return '';
    const ratio = reference > 0 && name !== REFERENCE ? ` (${(value / reference).toFixed(2)}×)` : '';
    return `${digits(value)}${ratio}`;
  };
  return [measure, way, unit, ...Object.keys(SERVERS).map(cell), ''];
}

function targetCells({ target, over = '', of = 'process', unit, value, atMost, atLeast }) {
  const isReached = atMost === undefined ? value >= atLeast : value <= atMost;
  const verdict = Number.isNaN(value) ? 'not measured' : isReached ? 'ok' : 'MISSED';
  const bound = atMost === undefined ? `≥ ${atLeast}` : `≤ ${atMost}`;
  const cells = Object.keys(SERVERS).map((name) => (name === of && !Number.isNaN(value) ? digits(value) : ''));
  return [`Target: ${target}`, over, unit, ...cells, `${bound} ${verdict}`];
}

/** Three significant digits, and all of a whole number. */
function digits(value) {
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US');
  return `${Number(value.toPrecision(3))}`;
}

/** Columns of equal width, for a terminal. */
export function toText(table) {
  const widths = HEAD.map((_, column) => Math.max(...table.map((cells) => cells[column].length)));
  const pad = (text, column) => (isNumeric(column) ? text.padStart(widths[column]) : text.padEnd(widths[column]));
  const lines = table.map((cells) => cells.map(pad).join('  ').trimEnd());
  return [lines[0], widths.map((width) => '─'.repeat(width)).join('  '), ...lines.slice(1)].join('\n');
}

function toMarkdown(table) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const rule = HEAD.map((_, column) => (isNumeric(column) ? '--:' : '---'));
  return [line(table[0]), line(rule), ...table.slice(1).map(line)].join('\n');
}

/** What the figures depend on. */
function machine() {
  const memoryGb = Math.round(totalmem() / 1024 ** 3);
  return `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, ${memoryGb} GB; ${type()} ${release()}; Node ${process.version}`;
}

/** BENCHMARKS.md. */
export function toPage({ table, measures, startedAt, notes }) {
  const meanings = measures.flatMap(({ meanings }) => meanings).map(([name, meaning]) => `- **${name}**: ${meaning}`);
  return `# Benchmarks

\`npm run bench\` measures Mortise and others side by side and writes this page; it takes about seven minutes, on a machine
that does nothing else. \`npm run bench -- --quick\` only shows that everything runs, \`--only <measure>\` takes one of
${measures.map(({ name }) => `\`${name}\``).join(', ')}.

Last run: ${startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC, ${machine()}.

${toMarkdown(table)}
${notes.map((note) => `\n${note}\n`).join('')}
In brackets stands the ratio to the official server in the same row. Figures depend on the machine; ratios do so less.

## What is compared

All servers offer the same tool \`echo\`, run on the same Node and are spoken to by one client, which writes and reads the
messages itself. In every round each server has its turn; a figure is the median of the rounds.

${Object.values(SERVERS)
  .map(({ title, meaning }) => `- **${title}**: ${meaning}`)
  .join('\n')}

## What the rows mean

${meanings.join('\n')}
`;
}
