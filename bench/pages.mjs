// The two pages that a whole run writes: BENCHMARKS.md for readers, and bench/results/details.md for us.
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { isNumeric } from './report.mjs';
import { SERVERS } from './servers.mjs';

const LINE_CHARS = 120;

/** The columns of BENCHMARKS.md, and what they are called there. */
const COLUMNS = {
  official: 'TypeScript SDK',
  fastmcp: 'fastmcp 4',
  csharp: 'C# SDK',
  process: 'Mortise',
  inProcess: 'Mortise, in process',
};

/** The rows of BENCHMARKS.md, as the table of servers names them. */
const ROWS = [
  ...['cold start', 'call, p50', '64 in flight', 'CPU of a call, 64 in flight', 'memory after'].map((measure) => [
    measure,
    ['stdio 2025-11-25', 'stdio 2026-07-28', 'http 2025-11-25', 'http 2026-07-28'],
  ]),
  ['tools/list of 1000 tools', ['stdio 2025-11-25']],
];

/** What a run was made with, and when. */
export function runOf(startedAt) {
  const memoryGb = Math.round(totalmem() / 1024 ** 3);
  const processor = `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, ${memoryGb} GB`;
  return {
    date: startedAt.toISOString().slice(0, 10),
    minutes: Math.ceil((Date.now() - startedAt.getTime()) / 60_000),
    machine: `${processor}; ${type()} ${release()}; Node.js ${process.version}`,
  };
}

/** BENCHMARKS.md. @param table of the servers, with the names of their columns in SERVERS */
export function toSummaryPage({ table, run: { date, minutes, machine } }) {
  const columns = Object.entries(COLUMNS).filter(([name]) => isMeasured(table, name));
  return `# Benchmarks

\`npm run bench\` measures Mortise beside other MCP servers and writes this page.
The last run was on ${date} and took ${minutes} minutes.

- **Machine:** ${machine}.
- **Method:** All servers offer the same tool, \`echo\`.
  One client calls them all; it writes and reads the messages itself, so that it costs every server the same.
  In every round each server has its turn, and a figure is the median of the rounds.
- **Brackets:** The ratio to the TypeScript SDK in the same row.
  Figures depend on the machine; ratios do so less.
- **Empty cells:** The server does not offer this.

${toMarkdown(summaryOf(table, columns))}

## What the columns mean

${columns.map(([name, title]) => item(`**${title}**: ${SERVERS[name].meaning}`)).join('\n')}

## What the rows mean

- **cold start**: From the start of the process to the answer to its first \`tools/list\`.
- **call, p50**: The median time of one call after the other.
- **64 in flight**: Calls a second with 64 calls open at all times.
- **CPU of a call**: Processor time of the server process, divided by the calls.
- **memory after**: Resident memory of the server process after all calls.
  Neither figure includes the plugin's own process, which the details have.
- **tools/list**: The time of one list.

## How to repeat it

Use a machine that does nothing else.

\`\`\`sh
npm ci
npm run bench                      # everything; writes this page and bench/results/details.md
npm run bench -- --quick           # only shows that everything runs
npm run bench -- --only calls      # one measure; prints its figures
\`\`\`

The column of the C# SDK needs a .NET SDK, and that of fastmcp needs Node.js packages that \`npm run bench\` installs.
[bench/results/details.md](bench/results/details.md) has all figures of the run, and
[bench/results/profiles.md](bench/results/profiles.md) says where the time goes.
`;
}

/** Without its program, such as a .NET SDK, a server has no figures. */
function isMeasured([head, ...rows], name) {
  const column = head.indexOf(SERVERS[name].title);
  return rows.some((row) => (row[column] ?? '') !== '');
}

function summaryOf([head, ...rows], columns) {
  const positions = columns.map(([name]) => head.indexOf(SERVERS[name].title));
  const found = ROWS.flatMap(([measure, ways]) =>
    ways.flatMap((way) => rows.filter((row) => row[0] === measure && row[1] === way)),
  );
  const cells = found.map((row) => [...row.slice(0, 3), ...positions.map((position) => row[position])]);
  return [[...head.slice(0, 3), ...columns.map(([, title]) => title)], ...cells];
}

/** bench/results/details.md. */
export function toDetailsPage({ tables, measures, run: { date, minutes, machine }, notes }) {
  const meanings = measures
    .flatMap(({ meanings }) => meanings)
    .map(([name, meaning]) => item(`**${name}**: ${meaning}`));
  return `# All figures of a run

\`npm run bench\` writes this page; [BENCHMARKS.md](../../BENCHMARKS.md) has the figures that most readers want.
The run was on ${date} and took ${minutes} minutes.

- Machine: ${machine}.
- A target that says MISSED was not reached.
  A goal is what we want beyond it.
${tables.map(toSection).join('')}${notes.map((note) => `\n${wrapped(note)}\n`).join('')}
## What the columns mean

${Object.values(SERVERS)
  .map(({ title, meaning }) => item(`**${title}**: ${meaning}`))
  .join('\n')}

## What the rows mean

${meanings.join('\n')}
`;
}

function toSection({ title, reference, table }) {
  return `
## ${title}

${toMarkdown(table)}

The ratio to “${SERVERS[reference].title}” in the same row is in brackets.
`;
}

function toMarkdown(table) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const rule = table[0].map((_, column) => (isNumeric(column) ? '--:' : '---'));
  return [line(table[0]), line(rule), ...table.slice(1).map(line)].join('\n');
}

const item = (text) => `- ${wrapped(text, '  ')}`;

/** Each sentence on a new line, and no line longer than a line of Markdown may be. */
function wrapped(text, indent = '') {
  const sentences = text.split(/(?<=\.) (?=[A-Z`])/);
  return sentences.flatMap((sentence) => linesOf(sentence, LINE_CHARS - indent.length)).join(`\n${indent}`);
}

function linesOf(sentence, width) {
  const lines = [];
  for (const word of sentence.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
