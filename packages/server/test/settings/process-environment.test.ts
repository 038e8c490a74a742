import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { Sandbox } from './sandbox.js';

/** Loads the settings as a process of its own with this environment and working directory. */
function loadThere(cwd: string, env: Record<string, string>) {
  const program = `
    const { createJiti } = await import(${JSON.stringify(createRequire(import.meta.url).resolve('jiti'))});
    const jiti = createJiti(${JSON.stringify(import.meta.url)}, { fsCache: false });
    const { readProcessEnvironment } = await jiti.import(process.argv[1]);
    try { console.log(JSON.stringify({ ...readProcessEnvironment(), env: undefined, port: readProcessEnvironment().env.Http__Port })); }
    catch (error) { console.log(JSON.stringify({ name: error.name, message: error.message })); }`;
  const source = fileURLToPath(new URL('../../src/settings/process-environment.ts', import.meta.url));
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program, source], {
    cwd,
    env,
    encoding: 'utf8',
  });
  return JSON.parse(stdout);
}

test.skipIf(process.platform === 'win32')('the process gives its folder, its environment and the user’s folder', () => {
  const { cwd, root } = new Sandbox();
  const home = join(root, 'home');
  mkdirSync(home, { recursive: true });
  const loaded = loadThere(cwd, { HOME: home, Http__Port: '1' });
  expect(loaded).toEqual({ cwd, port: '1', userConfigDir: expect.stringContaining(home) });
});

test.skipIf(process.platform === 'win32')(
  'without an absolute home the error is ours: the working directory never decides',
  () => {
    expect(loadThere(new Sandbox().cwd, { HOME: '.' })).toMatchObject({
      name: 'SettingsError',
      message: expect.stringContaining('Set HOME'),
    });
  },
);

test.skipIf(process.platform === 'win32')('an empty variable that names a folder counts as unset', () => {
  const { cwd } = new Sandbox();
  const { HOME: _, XDG_CONFIG_HOME: __, ...env } = process.env as Record<string, string>;
  const empty = loadThere(cwd, { ...env, HOME: '', XDG_CONFIG_HOME: '', TMPDIR: '' });
  expect(empty.userConfigDir).toBe(loadThere(cwd, env).userConfigDir);
});
