// vitest calls it in its own process: before the processes that run tests start, and once all tests have ended.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { killTagged } from '../../packages/process/src/tags.js';
import { removeDeadSockets, socketsThere } from './left-sockets.js';
import { processesWith } from './processes.js';
import { waitFor } from './wait-for.js';

/** What downloads keep for later runs. Git ignores this folder. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/mortise-tests', import.meta.url));

/**
 * Gives the whole run a temporary folder and a HOME of its own, which all processes inherit. What the user has set up for npm and
 * NuGet (registries, downloaded packages) is read and not written.
 * @returns what ends the processes that still run there, and removes the folder; it rejects, with their command lines, if there were any
 */
export function setup(): () => Promise<void> {
  // Its path is short: sockets of Unix have at most a hundred characters.
  const folder = mkdtempSync(join(tmpdir(), 'mortise-'));
  const socketsBefore = socketsThere();
  const home = homedir();
  const runHome = join(folder, 'home');
  mkdirSync(runHome);
  copyNuGetConfig(home, runHome);
  Object.assign(process.env, {
    HOME: runHome,
    USERPROFILE: runHome,
    APPDATA: join(runHome, 'AppData'),
    LOCALAPPDATA: join(runHome, 'LocalAppData'),
    TMPDIR: folder,
    TMP: folder,
    TEMP: folder,
    NUGET_PACKAGES: join(runHome, '.nuget/packages'),
    NUGET_FALLBACK_PACKAGES: fallbackPackages(home),
    NUGET_HTTP_CACHE_PATH: join(CACHE, 'nuget'),
    npm_config_cache: join(CACHE, 'npm'),
    npm_config_userconfig: process.env.npm_config_userconfig ?? join(home, '.npmrc'),
  });
  for (const name of ['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME']) delete process.env[name];
  process.once('exit', () => removeRun(folder, socketsBefore));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  return async () => {
    const left = await processesLeftIn(folder);
    await killTagged(folder);
    removeRun(folder, socketsBefore);
    if (left.length > 0) throw new Error(`Tests left these processes behind:\n${left.join('\n')}`);
  };
}

/** What still runs when all processes have had time to end. On a busy machine that takes some seconds. */
async function processesLeftIn(folder: string): Promise<string[]> {
  const seen = () => processesWith(folder).map(({ command }) => command);
  await waitFor(() => seen().length === 0).catch(() => {});
  return seen();
}

/** Also where a run is interrupted: what it started is killed, and its folder is gone. */
function removeRun(folder: string, socketsBefore: readonly string[]): void {
  for (const { pid } of processesWith(folder)) killIfThere(pid);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  removeDeadSockets(socketsBefore);
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The user's own packages folder and the fallback folders that it has already. */
function fallbackPackages(home: string): string {
  const packages = process.env.NUGET_PACKAGES ?? join(home, '.nuget/packages');
  const folders = [packages, ...(process.env.NUGET_FALLBACK_PACKAGES ?? '').split(delimiter)];
  return folders.filter((path) => path !== '' && existsSync(path)).join(delimiter);
}

/** The package sources of the user, and what authenticates at them. */
function copyNuGetConfig(home: string, runHome: string): void {
  const folder = join(home, '.nuget/NuGet');
  if (!existsSync(folder)) return;
  mkdirSync(join(runHome, '.nuget/NuGet'), { recursive: true });
  for (const name of readdirSync(folder)) {
    if (/\.config$/i.test(name)) copyFileSync(join(folder, name), join(runHome, '.nuget/NuGet', name));
  }
}
