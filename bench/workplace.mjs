import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The command line that is measured, as it is installed. */
export const MORTISE = here('../packages/server/bin/mortise.mjs');
export const GOOD_PLUGINS = here('plugins/good');
export const BAD_PLUGINS = here('plugins/bad');
/** One folder for each plugin that is too large in its own way. */
export const LARGE_PLUGINS = here('plugins/large');
/** A module for `node --import`. */
export const STALL_PROBE = new URL('stall-probe.mjs', import.meta.url).href;

/** A temporary folder, in which servers have their home: nothing of the user's is read or written. */
export function createWorkplace() {
  const root = mkdtempSync(join(tmpdir(), 'mortise-bench-'));
  const env = {
    ...{ PATH: process.env.PATH, HOME: root, XDG_CONFIG_HOME: join(root, 'config') },
    // Lists are compared whole: they wait for every plugin.
    Plugins__StartWaitMs: '60000',
  };
  let folders = 0;
  let csharpFolder;

  const folder = () => {
    const path = join(root, `folder-${++folders}`);
    mkdirSync(path);
    return path;
  };

  return {
    env,
    folder,
    /** A configured `mortise serve`; `args` go at its end. */
    mortise(settings, args = []) {
      const cwd = folder();
      const config = join(cwd, 'appsettings.json');
      writeFileSync(config, JSON.stringify({ Dotnet: { Enabled: false }, ...settings }));
      return { args: [MORTISE, 'serve', '--config', config, ...args], env, cwd };
    },
    /** One of `servers/`. */
    fixture: (name, args = []) => ({ args: [here(`servers/${name}.mjs`), ...args], env, cwd: root }),
    /** The server on the official C# SDK, which is built at the first use. */
    csharp(args) {
      csharpFolder ??= buildCsharp(folder());
      return { file: 'dotnet', args: ['exec', join(csharpFolder, 'official-csharp.dll'), ...args], env, cwd: root };
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Builds a copy, so that nothing is written into the repository. */
function buildCsharp(folder) {
  cpSync(here('servers/official-csharp'), folder, { recursive: true });
  const output = join(folder, 'out');
  const args = ['build', folder, '--configuration', 'Release', '--output', output];
  execFileSync('dotnet', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  return output;
}

/** A port that is free now. */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
