// Proves in numbers what holds: runs each check, and then its control, which plants a fault that the check must find.
// README.md beside this file describes the checks.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { badNeighbours } from './checks/bad-neighbours.mjs';
import { conformance } from './checks/conformance.mjs';
import { edits } from './checks/edits.mjs';
import { falseAlarms } from './checks/false-alarms.mjs';
import { fuzzConfigurations } from './checks/fuzz-configurations.mjs';
import { fuzzMessages } from './checks/fuzz-messages.mjs';
import { fuzzPipe } from './checks/fuzz-pipe.mjs';
import { fuzzProjects } from './checks/fuzz-projects.mjs';
import { fuzzRedactor } from './checks/fuzz-redactor.mjs';
import { kills } from './checks/kills.mjs';
import { leaks } from './checks/leaks.mjs';
import { machine } from './checks/machine.mjs';
import { peers } from './checks/peers.mjs';
import { publishedDocuments } from './checks/published-documents.mjs';
import { replicas } from './checks/replicas.mjs';
import { soak } from './checks/soak.mjs';
import { toPage, toTable } from './page.mjs';
import { createRandom } from './random.mjs';

/** Each has `name`, `missing`, `run` and `control`, as README.md describes them. */
const CHECKS = [
  ...[conformance, publishedDocuments, leaks, falseAlarms, kills],
  ...[fuzzMessages, fuzzPipe, fuzzConfigurations, fuzzProjects, fuzzRedactor],
  ...[machine, edits, soak, badNeighbours, replicas, peers],
];
const NAMES = CHECKS.map(({ name }) => name);
const MAX_SHOWN_FAILURES = 20;
const USAGE = `Usage: npm run prove -- [--only <check>]… [--seed <n>] [--short] [--minutes <n>]

  --only <check>  ${NAMES.join(', ')}
  --seed <n>      repeats the random values of an earlier run
  --short         fewer values, all checks in five minutes; judges no times
  --minutes <n>   how long soak runs without --short; default: 60

Without --only and --short it writes docs/proof.md.`;

process.exitCode = await main(process.argv.slice(2));

async function main(argv) {
  const options = readOptions(argv);
  if (options.problem !== undefined) {
    console.error(`${options.problem}\n\n${USAGE}`);
    return 1;
  }
  const { checks, seed, isShort, minutes, isWhole } = options;
  const startedAt = new Date();
  const stopped = new AbortController();
  process.once('SIGINT', () => stopped.abort());
  const rows = [];
  for (const check of checks) {
    if (stopped.signal.aborted) break;
    rows.push(await runCheck(check, { seed, isShort, minutes, signal: stopped.signal }));
  }
  console.log(`\n${toTable(rows)}\n\nseed ${seed}`);
  if (isWhole && !stopped.signal.aborted)
    writeFileSync(new URL('../docs/proof.md', import.meta.url), toPage(rows, { seed, startedAt }));
  return rows.every(isFine) && !stopped.signal.aborted ? 0 : 1;
}

/** True if nothing was lost and the control found its fault. A check that was not run proves nothing, and refutes nothing. */
function isFine({ notRun, failures, hasFound }) {
  return notRun !== undefined || (failures.length === 0 && hasFound);
}

async function runCheck(check, options) {
  const { name } = check;
  const startedAt = performance.now();
  const workplace = mkdtempSync(join(tmpdir(), `mortise-prove-${name}-`));
  const context = { ...options, workplace, random: createRandom(options.seed) };
  try {
    const missing = await check.missing?.();
    const result = missing === undefined ? await check.run(context) : { notRun: missing };
    const { tried, failures, notes = [], notRun } = result;
    if (notRun !== undefined) {
      console.log(`${name}: not run: ${notRun}`);
      return { name, notRun };
    }
    for (const failure of failures.slice(0, MAX_SHOWN_FAILURES)) console.log(`${name}: LOST: ${failure}`);
    const hasFound = await check.control(context);
    if (!hasFound) console.log(`${name}: the control did not find the planted fault`);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    for (const note of notes) console.log(`${name}: ${note}`);
    console.log(`${name}: ${tried} tried, ${failures.length} lost, ${seconds} s`);
    return { name, tried, failures, hasFound, notes, seconds };
  } catch (error) {
    console.log(`${name}: ${error.stack}`);
    return { name, tried: 1, failures: [String(error)], hasFound: false, notes: [], seconds: 0 };
  } finally {
    rmSync(workplace, { recursive: true, force: true });
  }
}

function readOptions(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        only: { type: 'string', multiple: true },
        seed: { type: 'string' },
        short: { type: 'boolean', default: false },
        minutes: { type: 'string' },
      },
    });
    const unknown = values.only?.find((name) => !NAMES.includes(name));
    if (unknown !== undefined) return { problem: `There is no check '${unknown}'.` };
    const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
    if (!Number.isSafeInteger(seed) || seed < 0)
      return { problem: `--seed must be a whole number, not '${values.seed}'.` };
    const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
    if (minutes !== undefined && !(minutes > 0))
      return { problem: `--minutes must be a number above 0, not '${values.minutes}'.` };
    return {
      checks: CHECKS.filter(({ name }) => values.only?.includes(name) ?? true),
      seed,
      isShort: values.short,
      minutes,
      isWhole: !values.short && values.only === undefined,
    };
  } catch (error) {
    return { problem: error.message };
  }
}
