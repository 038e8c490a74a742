import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { waitFor } from '../../../../test/support/wait-for.js';
import { expectValidWire } from '../../../../test/support/wire-check.js';
import { createWorkplace, type Workplace } from '../../../../test/support/workplace.js';
import { CARELESS, ECHO, IN_PROCESS } from './plugins.js';
import { createTrustedWorkplace, type Finished, finish, record, runMortise, startMortise } from './run-mortise.js';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };
const callOf = (id: number, name: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: {} },
});
const lines = (...messages: object[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join('');

const idsIn = (text: string): unknown[] =>
  text
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => JSON.parse(line).id ?? []);

/**
 * Serves these lines over stdio, and ends the input when all are answered. What comes out is checked against the schema
 * of the protocol.
 */
async function serve(workplace: Workplace, stdin: string, flags: string[] = []): Promise<Finished> {
  const child = startMortise(workplace, ['serve', ...flags]);
  const finished = finish(child);
  const stdout = record(child.stdout);
  child.stdin.write(stdin);
  await waitFor(() => idsIn(stdout.text()).length === idsIn(stdin).length || child.exitCode !== null);
  child.stdin.end();
  const end = await finished;
  expectValidWire(stdin, end.stdout);
  return end;
}

describe('mortise serve', () => {
  it.each([
    ['process', {}],
    ['none', IN_PROCESS],
  ])(
    'writes nothing but the protocol to stdout, and ends with its input, with Plugins.Isolation %s',
    async (_, settings) => {
      const printing = `console.log('at load');\nconsole.error('aside');\n${ECHO}`;
      const workplace = createTrustedWorkplace({ 'plugins/echo.mjs': printing }, settings);
      const stdin = lines(INITIALIZE, INITIALIZED, callOf(2, 'printing'));
      const { code, stdout, stderr } = await serve(workplace, stdin);
      expect(code).toBe(0);
      const messages = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(messages.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
      expect(messages.flatMap(({ id }) => id ?? []).sort()).toEqual([1, 2]);
      const log = stderr
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).msg);
      expect(log).toEqual(
        expect.arrayContaining(['at load', 'aside', 'printed by the plugin', 'and past the console']),
      );
    },
  );

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

  it('refuses to inspect a plugin that does not exist', async () => {
    const workplace = createTrustedWorkplace({ 'plugins/echo.mjs': ECHO });
    const { code, stderr } = await runMortise(workplace, ['serve', '--inspect-plugin', 'ehco']);
    expect(code).toBe(3);
    expect(stderr).toContain("mortise: There is no plugin 'ehco' to inspect.\n  → Did you mean echo?");
  });

  it('continues when a forgotten timer of a plugin in its own process throws', async () => {
    const workplace = createTrustedWorkplace({ 'plugins/careless.mjs': CARELESS }, IN_PROCESS);
    const stdin = lines(INITIALIZE, INITIALIZED, callOf(2, 'careless'));
    const { code, stdout, stderr } = await serve(workplace, stdin);
    expect(code).toBe(0);
    expect(stdout).toContain('still here');
    expect(stderr).toContain('outside a call');
  });

  it('answers every call with the envelope when --machine-readable is given', async () => {
    const workplace = createTrustedWorkplace({ 'plugins/echo.mjs': ECHO });
    const stdin = lines(INITIALIZE, INITIALIZED, callOf(2, 'echo'));
    const { stdout } = await serve(workplace, stdin, ['--machine-readable']);
    const answer = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .find(({ id }) => id === 2);
    expect(JSON.parse(answer.result.content[0].text)).toEqual({ success: true, output: '{}', exitCode: 0 });
  });

  it.skipIf(process.platform === 'win32').each(['SIGINT', 'SIGTERM'] as const)(
    'ends in order at %s',
    async (signal) => {
      const child = startMortise(createTrustedWorkplace(), ['serve']);
      const finished = finish(child);
      child.stdin.write(lines(INITIALIZE));
      await once(createInterface(child.stdout), 'line');
      child.kill(signal);
      const ended = await finished;
      expect(ended).toMatchObject({ code: 0, signal: null });
      expectValidWire(lines(INITIALIZE), ended.stdout);
    },
  );

  it('refuses settings that are wrong', async () => {
    const { code, stdout, stderr } = await runMortise(createWorkplace(), ['serve', '--config', 'nowhere.json']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^mortise: There is no such file\.\n {2}.*nowhere\.json\n {2}→ /);
  });
});

describe('mortise serve --http', () => {
  it('logs its address, opens no debugger at a signal, and says so when the port is taken', async () => {
    const workplace = createTrustedWorkplace({ 'plugins/echo.mjs': ECHO });
    const child = startMortise(workplace, ['serve', '--http', '--port', '0']);
    const stderr = record(child.stderr);
    const [, url = ''] = /"url":"([^"]+)"/.exec(await stderr.untilOutput('"msg":"Serving')) ?? [];
    if (process.platform !== 'win32') child.kill('SIGUSR1');
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(INITIALIZE),
    });
    expect(response.status).toBe(200);
    await response.body?.cancel();

    const second = await runMortise(workplace, ['serve', '--http', '--port', new URL(url).port]);
    expect(stderr.text()).not.toContain('Debugger listening');
    expect(second.code).toBe(1);
    expect(second.stderr).toMatch(
      /mortise: Port \d+ of 127\.0\.0\.1 is in use by another program\.\n {2}→ Set Http\.Port/,
    );
  });

  it('refuses to be reached by other machines without a key', async () => {
    const { code, stderr } = await runMortise(createTrustedWorkplace(), ['serve', '--http', '--host', '0.0.0.0']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/mortise: Http\.Host is '0\.0\.0\.0', .* Auth\.Keys is empty\.\n {2}→ Add a key/);
  });

  it('refuses a port that is none', async () => {
    const { code, stderr } = await runMortise(createTrustedWorkplace(), ['serve', '--http', '--port', '70000']);
    expect(code).toBe(2);
    expect(stderr).toContain('Http.Port');
  });
});
