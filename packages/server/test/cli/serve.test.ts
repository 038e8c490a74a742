import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { expectValidWire } from '../../../../test/support/wire-check.js';
import { createWorkplace } from '../../../../test/support/workplace.js';
import { ECHO, IN_PROCESS } from './plugins.js';
import {
  createQuickWorkplace,
  createTrustedWorkplace,
  finish,
  record,
  runMortise,
  runProcess,
  startMortise,
} from './run-mortise.js';
import { callOf, INITIALIZE, INITIALIZED, lines, serveLines } from './serve-lines.js';

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
      const { code, stdout, stderr } = await serveLines(workplace, stdin);
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

  it('refuses to inspect a plugin that does not exist', async () => {
    const workplace = createTrustedWorkplace({ 'plugins/echo.mjs': ECHO });
    const { code, stderr } = await runProcess(workplace, ['serve', '--inspect-plugin', 'ehco']);
    expect(code).toBe(3);
    expect(stderr).toContain("mortise: There is no plugin 'ehco' to inspect.\n  → Did you mean echo?");
  });

  it('answers every call with the envelope when --machine-readable is given', async () => {
    const workplace = createQuickWorkplace({ 'plugins/echo.mjs': ECHO });
    const stdin = lines(INITIALIZE, INITIALIZED, callOf(2, 'echo'));
    const { stdout } = await serveLines(workplace, stdin, ['--machine-readable']);
    const answer = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .find(({ id }) => id === 2);
    expect(JSON.parse(answer.result.content[0].text)).toEqual({ success: true, output: '{}', exitCode: 0 });
  });

  it.skipIf(process.platform === 'win32')('ends in order at SIGTERM', async () => {
    const child = startMortise(createTrustedWorkplace(), ['serve']);
    const finished = finish(child);
    child.stdin.write(lines(INITIALIZE));
    await once(createInterface(child.stdout), 'line');
    child.kill('SIGTERM');
    const ended = await finished;
    expect(ended).toMatchObject({ code: 0, signal: null });
    expectValidWire(lines(INITIALIZE), ended.stdout);
  });

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

    const second = await runProcess(workplace, ['serve', '--http', '--port', new URL(url).port]);
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
