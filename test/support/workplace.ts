import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const BIN = join(ROOT, 'packages/server/bin/mortise.mjs');

/** A folder of its own for a test, with a configuration, plugins and a home; gone when the test has finished. */
export interface Workplace {
  readonly folder: string;
  readonly config: string;
  /** For child processes: the home, and with it trust and caches, is the test's own. */
  readonly env: Record<string, string>;
  write(path: string, text: string): string;
}

/** Takes what ends something: `onTestFinished`, or what several tests share ends in its place. */
export type Finished = (end: () => void | Promise<void>) => void;

/** @param files path in the folder → text; those of plugins are named `plugins/…` */
export function createWorkplace(
  files: Record<string, string> = {},
  settings: object = {},
  finished: Finished = onTestFinished,
): Workplace {
  const workplace = makeWorkplace(files, settings);
  finished(() => removeWorkplace(workplace));
  return workplace;
}

/** What names the temporary folder on each platform. */
const TEMPORARY_FOLDER = { TMPDIR: tmpdir(), TMP: tmpdir(), TEMP: tmpdir() };

const MAX_REMOVALS = 20;
const REMOVAL_PAUSE_MS = 100;

/** A process that is about to end may still write into the folder: then it is removed again. */
export function removeWorkplace({ folder }: Workplace): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let removals = 1; ; removals += 1) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (removals === MAX_REMOVALS || (error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
      Atomics.wait(pause, 0, 0, REMOVAL_PAUSE_MS);
    }
  }
}

/** The same for several tests: whoever makes it removes it. */
export function makeWorkplace(files: Record<string, string>, settings: object): Workplace {
  const folder = mkdtempSync(join(tmpdir(), 'mortise-test-'));
  const write = (path: string, text: string) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  mkdirSync(join(folder, 'plugins'), { recursive: true });
  for (const [path, text] of Object.entries(files)) write(path, text);
  const config = write('appsettings.json', JSON.stringify(withDefaults(settings), null, 2));
  const home = join(folder, 'home');
  mkdirSync(home);
  const env = {
    PATH: process.env.PATH ?? '',
    ...TEMPORARY_FOLDER,
    HOME: home,
    USERPROFILE: home,
    APPDATA: home,
    XDG_CONFIG_HOME: '',
    XDG_CACHE_HOME: '',
    XDG_STATE_HOME: '',
    // On a busy machine a list would lack what loads slowly, and a plugin would be given up.
    Plugins__StartWaitMs: '240000',
    Plugins__LoadTimeoutMs: hasLoadTimeout(settings) ? '' : '240000',
  };
  return { folder, config, env: Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')), write };
}

/** Lets plugins in the folder import `@mortise/plugin` as if it were installed. */
export function linkContract({ folder }: Workplace): void {
  mkdirSync(join(folder, 'node_modules/@mortise'), { recursive: true });
  symlinkSync(join(ROOT, 'packages/plugin'), join(folder, 'node_modules/@mortise/plugin'), 'junction');
}

/** Lets plugins in the folder import what this repository has installed, zod for example, and `@mortise/plugin`. */
export function linkNodeModules({ folder }: Workplace): void {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
}

/** The environment would count, not the file. */
const hasLoadTimeout = ({ Plugins = {} }: { Plugins?: object }): boolean => 'LoadTimeoutMs' in Plugins;

/** Without the .NET tools: the lists of most tests do not depend on whether this machine has an SDK. */
function withDefaults(settings: object): object {
  return {
    Plugins: { Directory: 'plugins' },
    ...settings,
    ...(!('Dotnet' in settings) && { Dotnet: { Enabled: false } }),
  };
}
