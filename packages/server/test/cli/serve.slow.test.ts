import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { waitFor } from '../../../../test/support/wait-for.js';
import { expectValidWire } from '../../../../test/support/wire-check.js';
import { CARELESS, IN_PROCESS } from './plugins.js';
import { createTrustedWorkplace, finish, record, startMortise } from './run-mortise.js';
import { callOf, INITIALIZE, INITIALIZED, idsIn, lines, serveLines } from './serve-lines.js';

describe('mortise serve', () => {
  it('reads on after a response that its client reads in several pieces', async () => {
    const many = `export function register(api) {
  const inputSchema = { type: 'object', properties: {} };
  for (let index = 0; index < 1500; index++) {
    const name = 'tool_' + index;
    api.registerTool({ name, title: name, description: 'x'.repeat(400), inputSchema, run: () => 'called' });
  }
}`;
    const workplace = createTrustedWorkplace({ 'plugins/many.mjs': many }, IN_PROCESS);
    const child = startMortise(workplace, ['serve']);
    const finished = finish(child);
    const stdout = record(child.stdout);
    child.stdin.write(lines(INITIALIZE, INITIALIZED, { jsonrpc: '2.0', id: 2, method: 'tools/list' }));
    await waitFor(() => idsIn(stdout.text()).includes(2));
    child.stdin.write(lines(callOf(3, 'tool_9')));
    await waitFor(() => idsIn(stdout.text()).includes(3));
    child.stdin.end();
    expect((await finished).code).toBe(0);
  });

  it('continues when a forgotten timer of a plugin in its own process throws', async () => {
    const workplace = createTrustedWorkplace({ 'plugins/careless.mjs': CARELESS }, IN_PROCESS);
    const stdin = lines(INITIALIZE, INITIALIZED, callOf(2, 'careless'));
    const { code, stdout, stderr } = await serveLines(workplace, stdin);
    expect(code).toBe(0);
    expect(stdout).toContain('still here');
    expect(stderr).toContain('outside a call');
  });

  it.skipIf(process.platform === 'win32')('ends in order at SIGINT', async () => {
    const child = startMortise(createTrustedWorkplace(), ['serve']);
    const finished = finish(child);
    child.stdin.write(lines(INITIALIZE));
    await once(createInterface(child.stdout), 'line');
    child.kill('SIGINT');
    const ended = await finished;
    expect(ended).toMatchObject({ code: 0, signal: null });
    expectValidWire(lines(INITIALIZE), ended.stdout);
  });
});
