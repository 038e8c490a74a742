import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { createTestLogs, runningIn } from '../../src/tools/project/test-logs.js';

const start = (name: string) =>
  `TpTrace Verbose: 0 : 17381, 15, 2026/11/25, 11:23:32.066, 328, testhost.dll, TestExecutionRecorder.RecordStart: Starting test: ${name}.\r\n`;
const end = (name: string) =>
  `TpTrace Verbose: 0 : 17381, 15, 2026/11/25, 11:23:32.089, 328, testhost.dll, TestExecutionRecorder.RecordEnd: test: ${name} execution completed.\r\n`;

it('names the tests that started and did not end, rows of a theory once', () => {
  expect(runningIn('')).toEqual([]);
  expect(runningIn(start('N.T.A') + end('N.T.A'))).toEqual([]);
  const rows = start('N.T.Rows') + start('N.T.Rows') + end('N.T.Rows') + start('N.T.Rows');
  expect(runningIn(start('N.T.A') + rows + start('N.T.B') + end('N.T.A'))).toEqual(['N.T.Rows', 'N.T.B']);
});

it('reads the logs of all test hosts, and removes them', async () => {
  const tests = await createTestLogs();
  const file = tests.env.VSTEST_DIAG!;
  expect(tests.isOurs(`Logging Vstest Diagnostics in file: ${file}`)).toBe(true);
  expect(tests.isOurs('Logging Vstest Diagnostics in file: /of/the/caller.txt')).toBe(false);
  writeFileSync(file, start('of.the.Console'));
  writeFileSync(join(dirname(file), 'log.host.26-11-25_1.txt'), start('N.T.A'));
  writeFileSync(join(dirname(file), 'log.host.26-11-25_2.txt'), start('N.T.B') + end('N.T.B') + start('N.T.C'));
  expect([...(await tests.read()).running].sort()).toEqual(['N.T.A', 'N.T.C']);
  await tests.remove();
  expect(existsSync(dirname(file))).toBe(false);
});
