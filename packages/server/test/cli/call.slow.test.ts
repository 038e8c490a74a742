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
