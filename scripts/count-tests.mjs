// node scripts/count-tests.mjs <report> …: prints one line with the sums of the JSON reports of vitest. A file that could not be
// read, because it does not compile for example, counts as one failed test.
import { readFileSync } from 'node:fs';

const reports = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')));
const sum = (count) => reports.reduce((total, report) => total + count(report), 0);
const isBroken = ({ status, assertionResults }) =>
  status === 'failed' && assertionResults.every((test) => test.status !== 'failed');

const passed = sum(({ numPassedTests }) => numPassedTests);
const failed = sum(({ numFailedTests, testResults }) => numFailedTests + testResults.filter(isBroken).length);
const skipped = sum(({ numPendingTests }) => numPendingTests);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
