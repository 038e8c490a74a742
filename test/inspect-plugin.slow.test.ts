import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { connect } from './support/clients.js';
import { attachDebugger, freePort, STEPPED } from './support/debugger.js';
import { createWorkplace } from './support/workplace.js';

const TIMEOUT_MS = 500;

it('a plugin under the inspector can be held for longer than any deadline, and its call is answered', async () => {
  const port = await freePort();
  const workplace = createWorkplace({ 'plugins/stepped.mjs': STEPPED }, { Tools: { TimeoutMs: TIMEOUT_MS } });
  const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' }, undefined, undefined, [
    `--inspect-plugin=stepped=${port}`,
  ]);
  const answer = client.callTool({ name: 'stepped', arguments: { text: 'it' } });
  const author = await attachDebugger(port);
  const atStart = author.next('Debugger.paused');
  await author.call('Debugger.enable');
  await author.call('Runtime.runIfWaitingForDebugger');
  await atStart;
  const atStatement = author.next('Debugger.paused');
  await author.call('Debugger.resume');

  expect(await atStatement).toHaveProperty('callFrames.0.functionName', 'run');
  // No deadline, nor the grace after it, ends it.
  await delay(TIMEOUT_MS + 3000);
  await author.call('Debugger.resume');

  expect(await answer).toMatchObject({ content: [{ type: 'text', text: 'it continued' }] });
  author.close();
});
