import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';

const KIT = new URL('../../dist/testing/index.js', import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), 'mortise-blocked-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const plugin = join(folder, 'plugin.mjs');
writeFileSync(
  plugin,
  `export const register = (api) => {
  const tool = (name, run) => api.registerTool({ name, title: name, description: 'd', inputSchema: { type: 'object' }, run });
  tool('at-once', () => {
    for (;;);
  });
  tool('later', async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    for (;;);
  });
  tool('waits', () => new Promise((resolve) => setTimeout(resolve, 2000, 'waited')));
};`,
);

/** Runs code with the kit in a process of its own: what is blocked there ends it. */
async function run(code: string, flags: string[] = []) {
  const source = `import * as kit from ${JSON.stringify(KIT)};\nconst plugin = ${JSON.stringify(plugin)};\n${code}`;
  const child = spawn(process.execPath, [...flags, '--input-type=module', '--eval', source]);
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
  const [exitCode, signal] = await once(child, 'close');
  return { exitCode, signal, stdout: await stdout, stderr: await stderr };
}

const calling = (tool: string, options: string) =>
  `console.log((await (await kit.openPlugin(plugin, ${options})).callTool('${tool}')).text);`;

describe('a call that blocks the thread', () => {
  it.each([
    ['at-once', 4],
    ['later', 8],
  ])('ends the process, and says where it is: %s', async (tool, line) => {
    const { signal, stdout, stderr } = await run(calling(tool, '{ blockedAfterMs: 500 }'));
    expect(stderr).toContain(
      `The plugin's thread was blocked for 0.5 s, in a call of ${tool}, at ${plugin}:${line}.\nHint: Look for an endless loop`,
    );
    expect(stdout).toBe('');
    if (process.platform !== 'win32') expect(signal).toBe('SIGKILL');
  });

  it('is found by checkPlugin too', async () => {
    const { stderr } = await run('await kit.checkPlugin(plugin, { blockedAfterMs: 500 });');
    expect(stderr).toContain('in a call of at-once');
  });

  it('is not one that waits for longer', async () => {
    const result = await run(calling('waits', '{ blockedAfterMs: 500 }'));
    expect(result).toMatchObject({ exitCode: 0, stdout: 'waited\n', stderr: '' });
  });
});
