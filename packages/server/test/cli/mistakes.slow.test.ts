import { expect, it } from 'vitest';
import { createTrustedWorkplace, runMortise } from './run-mortise.js';

const BLOCKS = `
export const register = (api) => api.registerTool({
  name: 'blocks', title: 'T', description: 'd', inputSchema: { type: 'object' }, timeoutMs: 6000,
  run: () => { for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50); },
});`;

it('a call of a tool that blocks its thread says what is wrong, and nothing that helps no one', async () => {
  const { code, stdout } = await runMortise(createTrustedWorkplace({ 'plugins/blocks.mjs': BLOCKS }), [
    'call',
    'blocks',
  ]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/did not end within 6000 ms: the plugin's thread was blocked/);
  expect(stdout).toMatch(/Hint: .*endless loop/);
  expect(stdout).not.toMatch(/Exit Code|TimeoutMs/);
});
