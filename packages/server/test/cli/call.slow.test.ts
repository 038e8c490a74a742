import { expect, it } from 'vitest';
import { SLOW } from './plugins.js';
import { createTrustedWorkplace, finish, record, startMortise } from './run-mortise.js';

it.skipIf(process.platform === 'win32')('SIGTERM cancels a call as SIGINT does', async () => {
  const workplace = createTrustedWorkplace({ 'plugins/slow.mjs': SLOW });
  const child = startMortise(workplace, ['call', 'slow', '--machine-readable']);
  const finished = finish(child);
  await record(child.stderr).untilOutput('running slow');
  child.kill('SIGTERM');
  const { code, stdout } = await finished;
  expect(code).toBe(130);
  expect(JSON.parse(stdout)).toMatchObject({ success: false, errors: [{ code: 'OPERATION_CANCELLED' }] });
});

it.skipIf(process.platform === 'win32')('a second SIGINT ends a call immediately', async () => {
  const child = startMortise(createTrustedWorkplace({ 'plugins/slow.mjs': SLOW }), ['call', 'stubborn']);
  const finished = finish(child);
  const stderr = record(child.stderr);
  await stderr.untilOutput('running stubborn');
  child.kill('SIGINT');
  await stderr.untilOutput('Cancelling');
  child.kill('SIGINT');
  expect(await finished).toMatchObject({ signal: 'SIGINT', stdout: '' });
});
