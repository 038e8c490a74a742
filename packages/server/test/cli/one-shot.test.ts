import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Workplace } from '../../../../test/support/workplace.js';
import { createTrustedWorkplace, type Finished, runProcess } from './run-mortise.js';
import { INITIALIZE, INITIALIZED, lines, serveLines } from './serve-lines.js';

const slow = (ms: number) => `await new Promise((resolve) => setTimeout(resolve, ${ms}));
export const register = (api) =>
  api.registerTool({ name: 'slow', description: 'd', inputSchema: { type: 'object' }, run: () => 'ok' });`;

const MESSAGES = lines(INITIALIZE, INITIALIZED, { jsonrpc: '2.0', id: 2, method: 'tools/list' });

function toolsIn({ stdout }: Finished): string[] {
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return answers.find(({ id }) => id === 2).result.tools.map(({ name }: { name: string }) => name);
}

/** With this `Plugins.StartWaitMs`; undefined: the default. */
function withStartWait({ env: { Plugins__StartWaitMs: _, ...env }, ...workplace }: Workplace, ms?: number): Workplace {
  return { ...workplace, env: { ...env, ...(ms !== undefined && { Plugins__StartWaitMs: `${ms}` }) } };
}

describe('a client that asks once', () => {
  it('is given what a plugin that loads for over a second provides', async () => {
    const workplace = withStartWait(createTrustedWorkplace({ 'plugins/slow.mjs': slow(1500) }));
    expect(toolsIn(await serveLines(workplace, MESSAGES))).toContain('slow');
  });

  it('has what was still loading when it left remembered for the next one', async () => {
    const workplace = withStartWait(createTrustedWorkplace({ 'plugins/slow.mjs': slow(300) }), 0);
    const listOnce = async () => toolsIn(await runProcess(workplace, ['serve'], { stdin: MESSAGES }));
    expect(await listOnce()).toEqual(['builtin_plugins']);
    expect(await listOnce()).toContain('slow');
  });
});

describe('a plugin that is still loading when the server ends', () => {
  it('has no problem in the log', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const workplace = createTrustedWorkplace({ 'plugins/slow.mjs': slow(600_000) });
    const { code, stderr } = await runProcess(workplace, ['serve', '--http', '--port', `${port}`]);
    other.close();
    expect(code).toBe(1);
    expect(stderr).toContain('is in use by another program');
    expect(stderr).not.toContain('PLUGIN_ENDED_PROCESS');
  });
});
