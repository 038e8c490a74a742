import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';

const MAX_LISTED = 100;
const MAX_LISTED_CHARS = 300;

/** True if nothing was lost and the control found its fault. A check that was not run proves nothing, and refutes nothing. */
export function isFine({ notRun, failures, hasFound }) {
  return notRun !== undefined || (failures.length === 0 && hasFound);
}

/** How many checks passed, as vitest reports it of tests: for scripts/count-tests.mjs. */
export function toTestReport(rows) {
  const numPendingTests = rows.filter(({ notRun }) => notRun !== undefined).length;
  const numFailedTests = rows.filter((row) => !isFine(row)).length;
  const numPassedTests = rows.length - numPendingTests - numFailedTests;
  return { numPassedTests, numFailedTests, numPendingTests, testResults: [] };
}

/** The results as a table in Markdown. */
export function toTable(rows) {
  const lines = rows.map(({ name, notRun, tried, failures, hasFound, seconds }) =>
    notRun === undefined
      ? [
          name,
          count(tried),
          count(tried - failures.length),
          count(failures.length),
          hasFound ? 'found' : 'NOT FOUND',
          seconds,
        ]
      : [name, 'not run', '', '', '', ''],
  );
  const head = ['check', 'tried', 'held', 'lost', 'planted fault', 'seconds'];
  const toLine = (cells) => `| ${cells.join(' | ')} |`;
  return [toLine(head), '|---|--:|--:|--:|---|--:|', ...lines.map(toLine)].join('\n');
}

const count = (number) => number.toLocaleString('en');

/** docs/proof.md. */
export function toPage(rows, { seed, startedAt }) {
  const { version } = JSON.parse(readFileSync(new URL('../packages/server/package.json', import.meta.url), 'utf8'));
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const memoryGb = Math.round(totalmem() / 2 ** 30);
  const findings = rows.flatMap(({ name, failures = [], hasFound, notRun }) => [
    ...failures.map((failure) => `${name}: lost: ${failure}`),
    ...(notRun === undefined && !hasFound ? [`${name}: the planted fault was not found`] : []),
  ]);
  const notes = rows.flatMap(({ name, notRun, notes = [] }) =>
    [...(notRun === undefined ? [] : [`not run: ${notRun}`]), ...notes].map((note) => `${name}: ${note}`),
  );
  return `# Proof

These are the results of \`npm run prove\`.
[prove/README.md](../prove/README.md) says what each check does, and how to repeat it.
After each check, a fault is planted that the check has to find.

Mortise ${version} (${commit}), Node.js ${process.version}, ${process.platform}, ${cpus().length} cores, ${memoryGb} GB,
${startedAt.toISOString().slice(0, 10)}, seed ${seed}.

${toTable(rows)}

## Findings

${findings.length === 0 ? 'Nothing was lost, and each planted fault was found.' : toList(findings)}

## Notes

${notes.length === 0 ? 'There are none.' : toList(notes)}
`;
}

/** In a block of code, where a line may be long and has no marks of Markdown. */
function toList(texts) {
  const lines = texts.slice(0, MAX_LISTED).map((text) => text.replace(/\s+/g, ' ').slice(0, MAX_LISTED_CHARS));
  const rest = texts.length > MAX_LISTED ? [`and ${texts.length - MAX_LISTED} more`] : [];
  return ['````text', ...lines, ...rest, '````'].join('\n');
}
