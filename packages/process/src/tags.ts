import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { kill } from './groups.js';
import { HAS_PROC, processIds, readProc } from './proc.js';

/**
 * Platform module: finds processes by a text in their environment. The branches for macOS and Windows follow the
 * documentation of `ps` and PowerShell's Win32_Process, and have not been tested.
 */
const IS_WINDOWS = process.platform === 'win32';

/**
 * The environment variable that identifies descendants of a plugin after they have left its process group. It contains
 * one tag, or several if a plugin runs a server with its own plugins.
 */
export const PROCESS_TAG_VARIABLE = 'MORTISE_PLUGIN_PROCESS';

/** Creates a tag, and the environment that passes it on to a process and all its descendants. */
export function createProcessTag(): { readonly tag: string; readonly environment: Readonly<Record<string, string>> } {
  const tag = randomBytes(12).toString('hex');
  return {
    tag,
    environment: { [PROCESS_TAG_VARIABLE]: [process.env[PROCESS_TAG_VARIABLE], tag].filter(Boolean).join(' ') },
  };
}

/** True if {@link killTagged} can search environments. Otherwise it searches command lines. */
export const CAN_READ_ENVIRONMENTS = !IS_WINDOWS;

/**
 * The maximum number of searches, and the pause between them in milliseconds. Each search can find processes that were
 * started during the last one, and killed ones that have not ended yet.
 */
const MAX_SEARCHES = 100;
const PAUSE_MS = 20;

/**
 * Kills every process with one of these texts in its environment, in whatever group it is, and waits until all have
 * ended. On Windows, where environments cannot be read, the command line is searched instead.
 */
export async function killTagged(...tags: string[]): Promise<void> {
  if (tags.length === 0) return;
  if (IS_WINDOWS) return killByCommandLine(tags);
  for (let search = 0; search < MAX_SEARCHES; search++) {
    const found = HAS_PROC ? findInProc(tags) : await findWithPs(tags);
    const killed = found.filter((pid) => pid !== process.pid && kill(pid));
    if (killed.length === 0) return;
    await sleep(PAUSE_MS);
  }
}

function findInProc(tags: readonly string[]): number[] {
  return processIds().filter((pid) => {
    const environment = readProc(pid, 'environ');
    return tags.some((tag) => environment.includes(tag));
  });
}

/** Searches the output of `ps -E`, which shows the environment after the command. */
async function findWithPs(tags: readonly string[]): Promise<number[]> {
  const args = ['-Eww', '-A', '-o', 'pid=,command='];
  const { stdout } = await promisify(execFile)('ps', args, { maxBuffer: 64 * 1024 * 1024 });
  const found = stdout.split('\n').filter((line) => tags.some((tag) => line.includes(tag)));
  return found.map((line) => Number.parseInt(line, 10));
}

/** Kills all matching processes but PowerShell, whose own command line contains the tags. */
async function killByCommandLine(tags: readonly string[]): Promise<void> {
  const filter = tags.map((tag) => `CommandLine LIKE '%${tag}%'`).join(' OR ');
  const script = `Get-CimInstance Win32_Process -Filter "${filter}" | Where-Object ProcessId -ne $PID | ForEach-Object { Stop-Process -Id $_.ProcessId -Force }`;
  const args = ['-NoProfile', '-NonInteractive', '-Command', script];
  await promisify(execFile)('powershell.exe', args, { windowsHide: true });
}
