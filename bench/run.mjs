import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { stopAll } from './client/process.mjs';
import { createManyPlugins } from './many-plugins.mjs';
import { authors } from './measures/authors.mjs';
import { calls } from './measures/calls.mjs';
import { coldCall } from './measures/cold-call.mjs';
import { coldStart } from './measures/cold-start.mjs';
import { firstCall } from './measures/first-call.mjs';
import { hop } from './measures/hop.mjs';
import { largeList } from './measures/large-list.mjs';
import { largeMessages } from './measures/large-messages.mjs';
import { limits } from './measures/limits.mjs';
import { lists } from './measures/lists.mjs';
import { mounted } from './measures/mounted.mjs';
import { neighbours } from './measures/neighbours.mjs';
import { patterns } from './measures/patterns.mjs';
import { pluginsStart } from './measures/plugins-start.mjs';
import { reload } from './measures/reload.mjs';
import { starts } from './measures/starts.mjs';
import { transports } from './measures/transports.mjs';
import { unread } from './measures/unread.mjs';
import { worker } from './measures/worker.mjs';
import { runOf, toDetailsPage, toSummaryPage } from './pages.mjs';
import { toTable, toText } from './report.mjs';
import { FULL, QUICK } from './scale.mjs';
import { TABLES } from './servers.mjs';
import { createWorkplace } from './workplace.mjs';

const MEASURES = [
  ...[transports, largeList, unread, worker],
  ...[
    authors,
    starts,
    coldStart,
    coldCall,
    calls,
    hop,
    lists,
    pluginsStart,
    firstCall,
    neighbours,
    largeMessages,
    patterns,
    limits,
    mounted,
    reload,
  ],
];
const NAMES = MEASURES.map(({ name }) => name);
const USAGE = `Usage: node bench/run.mjs [--quick] [--only <measure>]… [--out <file>]

  --quick           few rounds, to see that everything runs
  --only <measure>  ${NAMES.join(', ')}
  --out <file>      where all figures go

Without --quick and --only it writes BENCHMARKS.md and bench/results/details.md.`;

process.exitCode = await main(process.argv.slice(2));

async function main(argv) {
  const options = readOptions(argv);
  if (options.problem !== undefined) {
    console.error(`${options.problem}\n\n${USAGE}`);
    return 1;
  }
  const workplace = createWorkplace();
  process.once('SIGINT', () => void cleanUp(workplace).then(() => process.exit(130)));
  try {
    return await report(workplace, options);
  } finally {
    await cleanUp(workplace);
  }
}

async function report(workplace, { measures, scale, out, isWhole }) {
  const startedAt = new Date();
  const context = { workplace, scale, manyPlugins: createManyPlugins(workplace, scale.plugins) };
  const results = [];
  for (const measure of measures) results.push(await runMeasure(measure, context));
  const all = (key, some = results) => some.flatMap((result) => result[key] ?? []);
  const tables = Object.entries(TABLES).map(([name, columns]) => {
    const some = results.filter((_, index) => (measures[index].table ?? 'servers') === name);
    return { ...columns, table: toTable(columns, { rows: all('rows', some), targets: all('targets', some) }) };
  });
  const filled = tables.filter(({ table }) => table.length > 1);
  console.log([...filled.map(({ table }) => toText(table)), ...all('notes')].join('\n'));
  const hasFailed = results.some(({ failed }) => failed);
  if (!hasFailed) {
    const run = runOf(startedAt);
    const details = toDetailsPage({ tables: filled, measures, run, notes: all('notes') });
    if (out !== undefined) writeFileSync(out, details);
    if (isWhole) writePages(details, toSummaryPage({ table: tableOfServers(tables), run }));
  }
  return hasFailed ? 1 : 0;
}

function tableOfServers(tables) {
  return tables.find(({ title }) => title === TABLES.servers.title).table;
}

function writePages(details, summary) {
  mkdirSync(new URL('results/', import.meta.url), { recursive: true });
  writeFileSync(new URL('results/details.md', import.meta.url), details);
  writeFileSync(new URL('../BENCHMARKS.md', import.meta.url), summary);
}

async function runMeasure(measure, context) {
  const startedAt = performance.now();
  try {
    return await measure.run(context);
  } catch (error) {
    console.error(`${measure.name} failed: ${error.stack}`);
    return { failed: true };
  } finally {
    await stopAll();
    console.error(`${measure.name}: ${Math.round((performance.now() - startedAt) / 1000)} s`);
  }
}

async function cleanUp(workplace) {
  await stopAll();
  workplace.remove();
}

function readOptions(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        quick: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true },
        out: { type: 'string' },
      },
    });
    const unknown = values.only?.find((name) => !NAMES.includes(name));
    if (unknown !== undefined) return { problem: `There is no measure '${unknown}'.` };
    return {
      measures: MEASURES.filter(({ name }) => values.only?.includes(name) ?? true),
      scale: values.quick ? QUICK : FULL,
      out: values.out,
      isWhole: !values.quick && values.only === undefined,
    };
  } catch (error) {
    return { problem: error.message };
  }
}
