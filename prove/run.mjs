// Proves in numbers what holds: runs each check, and then its control, which plants a fault that the check must find.
// README.md beside this file describes the checks.
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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
import { isFine, toPage, toTable, toTestReport } from './page.mjs';
import { createRandom } from './random.mjs';

/** Each has `name`, `missing`, `run` and `control`, as README.md describes them. */
const CHECKS = [
  ...[conformance, publishedDocuments, leaks, falseAlarms, kills],
  ...[fuzzMessages, fuzzPipe, fuzzConfigurations, fuzzProjects, fuzzRedactor],
  ...[machine, edits, soak, badNeighbours, replicas, peers],
];
const NAMES = CHECKS.map(({ name }) => name);
const MAX_SHOWN_FAILURES = 20;
/** In a short run, which judges no times. */
const CHECKS_AT_A_TIME = 2;
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
  const context = { seed, isShort, minutes, signal: stopped.signal };
  const rows = isShort && checks.length > 1 ? await runSideBySide(checks, context) : await runInTurn(checks, context);
  if (process.send === undefined) report(rows, seed);
  else process.send(rows);
  if (isWhole && !stopped.signal.aborted)
    writeFileSync(new URL('../docs/proof.md', import.meta.url), toPage(rows, { seed, startedAt }));
  return rows.every(isFine) && !stopped.signal.aborted ? 0 : 1;
}

function report(rows, seed) {
  console.log(`\n${toTable(rows)}\n\nseed ${seed}`);
  if (process.env.TEST_REPORT) writeFileSync(process.env.TEST_REPORT, JSON.stringify(toTestReport(rows)));
}

async function runInTurn(checks, context) {
  const rows = [];
  for (const check of checks) if (!context.signal.aborted) rows.push(await runCheck(check, context));
  return rows;
}

/** Each check has a process of its own, because some keep theirs busy. The last ones take longest, and begin first. */
async function runSideBySide(checks, context) {
  const waiting = [...checks];
  const rows = [];
  const runNext = async () => {
    while (waiting.length > 0 && !context.signal.aborted) {
      const check = waiting.pop();
      rows.push(await runApart(check, context));
    }
  };
  await Promise.all(Array.from({ length: CHECKS_AT_A_TIME }, runNext));
  const inOrder = checks.flatMap(({ name }) => rows.filter((row) => row.name === name));
  return again(inOrder, context);
}

/** Runs what was lost once more, alone, because a busy machine can be the cause. The same seed repeats every other one. */
async function again(rows, context) {
  const last = [];
  for (const row of rows) {
    const isLost = !isFine(row) && !context.signal.aborted;
    if (isLost) console.log(`${row.name}: tried again, alone`);
    last.push(isLost ? await runApart(row, context) : row);
  }
  return last;
}

function runApart({ name }, { seed }) {
  const args = ['--short', '--only', name, '--seed', `${seed}`];
  const child = fork(fileURLToPath(import.meta.url), args, { silent: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  let row;
  child.on('message', ([message]) => {
    row = message;
  });
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      process.stdout.write(output);
      resolve(row ?? failedRow(name, `its process ended (${signal ?? code})`));
    });
  });
}

function failedRow(name, failure) {
  return { name, tried: 1, failures: [failure], hasFound: false, notes: [], seconds: 0 };
}

async function runCheck(check, options) {
  const { name } = check;
  const startedAt = performance.now();
  const workplace = mkdtempSync(join(tmpdir(), `mortise-prove-${name}-`));
  let control;
  const startControl = () => {
    control ??= check.control(context);
    // Whoever awaits it sees its failure, which can come before that.
    control.catch(() => {});
    return control;
  };
  const waits = () => options.isShort && startControl();
  const context = { ...options, workplace, random: createRandom(options.seed), waits };
  try {
    const missing = await check.missing?.();
    const result = missing === undefined ? await check.run(context) : { notRun: missing };
    const { tried, failures, notes = [], notRun } = result;
    if (notRun !== undefined) {
      console.log(`${name}: not run: ${notRun}`);
      return { name, notRun };
    }
    for (const failure of failures.slice(0, MAX_SHOWN_FAILURES)) console.log(`${name}: LOST: ${failure}`);
    const hasFound = await startControl();
    if (!hasFound) console.log(`${name}: the control did not find the planted fault`);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    for (const note of notes) console.log(`${name}: ${note}`);
    console.log(`${name}: ${tried} tried, ${failures.length} lost, ${seconds} s`);
    return { name, tried, failures, hasFound, notes, seconds };
  } catch (error) {
    console.log(`${name}: ${error.stack}`);
    return failedRow(name, String(error));
  } finally {
    await control?.catch(() => {});
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
