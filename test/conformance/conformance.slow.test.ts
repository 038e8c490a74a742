import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const RUN = fileURLToPath(new URL('run.mjs', import.meta.url));
const NOT_FETCHED = 3;
const LIMIT_MS = 5 * 60_000;

/** The exit code of the official suite, and what it printed. */
function runSuite(signal: AbortSignal): Promise<{ code: unknown; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [RUN], { signal }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr });
    });
  });
}

it('every required scenario of both revisions ignores HTTP, without a warning', {
  timeout: LIMIT_MS,
}, async (test) => {
  const { code, output } = await runSuite(test.signal);
  console.log(output);
  test.skip(code === NOT_FETCHED, 'the conformance runner could not be fetched from the registry');
  expect(code, output).toBe(0);
});
