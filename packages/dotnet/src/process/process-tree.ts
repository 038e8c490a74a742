import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/**
 * Platform module: process groups, what is found by its environment, and who a process is. The branches for Windows and
 * macOS are written by the documented rules of `taskkill`, PowerShell's Win32_Process and `ps`, and untried.
 */
const PLATFORM = process.platform;
const run = promisify(execFile);

/** Whether a new process leads its own group, for the option `detached` of `spawn`; Windows opens a console for that. */
export const CAN_LEAD_GROUP = PLATFORM !== 'win32';

/**
 * Signals the process group that `pid` leads. Windows knows no signals for console programs of another console: there the
 * process and its descendants are killed immediately.
 */
export function signalGroup(pid: number, signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): void {
  if (PLATFORM === 'win32') spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true });
  else attemptKill(-pid, signal);
}

/** Whether anything of the group is left. Windows has no groups: false. */
export function isGroupAlive(pid: number): boolean {
  if (PLATFORM === 'win32' || !attemptKill(-pid, 0)) return false;
  // What only waits to be collected by init, for as long as init likes, has ended.
  return PLATFORM !== 'linux' || processIds().some((member) => groupOf(member) === pid);
}

/** What is left of the group that `pid` leads; undefined where that cannot be seen (all but Linux). */
export function groupMembers(pid: number): { pid: number; name: string }[] | undefined {
  if (PLATFORM !== 'linux') return undefined;
  const members = processIds().filter((member) => groupOf(member) === pid);
  return members.map((member) => ({ pid: member, name: readProc(member, 'comm')?.trim() ?? '' }));
}

function attemptKill(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    // ESRCH: already gone. EPERM: macOS reports this for a group of zombies.
    return false;
  }
}

/** Processes started in the meantime are found by the next attempt; a killed process does not disappear immediately. */
const MAX_ATTEMPTS = 100;
const POLL_MS = 20;

/**
 * Ends every process with this text in its environment, whatever group it is in; resolves when they are gone. On Windows,
 * where environments cannot be read, the command line is searched instead.
 */
export async function killTagged(tag: string): Promise<void> {
  if (PLATFORM === 'win32') {
    const script = `Get-CimInstance Win32_Process -Filter "CommandLine LIKE '%pipename:${tag}%'" | ForEach-Object { Stop-Process -Id $_.ProcessId -Force }`;
    await run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script], { windowsHide: true });
    return;
  }
  const find = PLATFORM === 'linux' ? findTaggedInProc : findTaggedWithPs;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const killed = (await find(tag)).filter((pid) => pid !== process.pid && attemptKill(pid, 'SIGKILL'));
    if (killed.length === 0) return;
    await sleep(POLL_MS);
  }
}

/** Whether {@link killTagged} finds processes that have the mark in nothing but their environment. */
export const HAS_ENVIRONMENTS = PLATFORM !== 'win32';

function findTaggedInProc(tag: string): number[] {
  return processIds().filter((pid) => environmentOf(pid).includes(tag));
}

/** `-E` adds the environment to the command. */
async function findTaggedWithPs(tag: string): Promise<number[]> {
  const { stdout } = await run('ps', ['-Eww', '-A', '-o', 'pid=,command='], { maxBuffer: 64 * 1024 * 1024 });
  return stdout.split('\n').flatMap((line) => (line.includes(tag) ? [Number.parseInt(line, 10)] : []));
}

function processIds(): number[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

function environmentOf(pid: number): string {
  return readProc(pid, 'environ') ?? '';
}

/** Undefined for a process that has ended or belongs to another user. */
function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return undefined;
  }
}

/** Set by the CLI for MSBuild, and so in what a build starts; not in the program that `dotnet run` starts (SDK 10.0.401). */
const BUILD_VARIABLE = '\0MSBuildLoadMicrosoftTargetsReadOnly=';

/**
 * Whether `dotnet run` (pid) has started the program that it built: a child that is not part of the build. Undefined where
 * that cannot be seen (all but Linux).
 */
export function hasStartedApp(pid: number): boolean | undefined {
  if (PLATFORM !== 'linux') return undefined;
  const own = readProc(pid, 'cmdline');
  return childrenOf(pid).some((child) => {
    const command = readProc(child, 'cmdline');
    // Between fork and exec a child looks like its parent.
    if (!command || command === own) return false;
    const program = programOf(child);
    const environment = environmentOf(child);
    // It has ended since its command line was read: what `dotnet run` starts for a moment is not a program of the user's.
    if (program === '' || environment === '') return false;
    return !`\0${environment}`.includes(BUILD_VARIABLE) && !isOfSdk(program, command, pid);
  });
}

/** Such as the compiler server, which the CLI itself starts for a file-based app. */
function isOfSdk(program: string, command: string, cli: number): boolean {
  const host = programOf(cli);
  const sdk = `${dirname(host)}/sdk/`;
  if (program !== host) return program.startsWith(sdk);
  // A program is `dotnet x.dll` or `dotnet exec x.dll`. Anything else is a command of the CLI, such as the
  // `dotnet clean file-based-apps --automatic` with which the first run of a file-based app begins (SDK 10).
  const [, first = '', second = ''] = command.split('\0');
  const isProgram = first === 'exec' || /\.dll$/i.test(first);
  return !isProgram || [first, second].some((argument) => argument.startsWith(sdk));
}

function programOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return '';
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
      const children = readProc(pid, `task/${thread}/children`) ?? '';
      return children.split(' ').filter(Boolean).map(Number);
    });
  } catch {
    return [];
  }
}

/** Deeper than programs start programs. */
const MAX_DEPTH = 16;

/** Whether a process is `ancestor`, or was started by it or by what it started. */
export function isWithin(pid: number, ancestor: number): boolean {
  let at: number | undefined = pid;
  for (let depth = 0; at !== undefined && depth < MAX_DEPTH; depth++) {
    if (at === ancestor) return true;
    at = parentOf(at);
  }
  return false;
}

function parentOf(pid: number): number | undefined {
  if (PLATFORM === 'linux') return positive(statFields(pid)?.[1]);
  const script = `(Get-CimInstance Win32_Process -Filter "ProcessId=${pid}").ParentProcessId`;
  const { stdout } =
    PLATFORM === 'win32'
      ? spawnSync('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script], { windowsHide: true })
      : spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)]);
  return positive(String(stdout ?? ''));
}

function positive(text = ''): number | undefined {
  const number = Number.parseInt(text, 10);
  return number > 0 ? number : undefined;
}

/** Whether {@link processStartTime} is a matter of microseconds. */
export const HAS_START_TIMES = PLATFORM === 'linux';

/** Times of one process, read in two ways, differ by less than this many milliseconds. */
const START_TOLERANCE_MS = 5000;

/**
 * When a process started, for {@link isSameStartTime}; undefined when there is none with this pid, or it has ended and waits to
 * be collected. On Linux it names the boot too.
 */
export function processStartTime(pid: number): string | undefined {
  if (PLATFORM === 'linux') return processStartInProc(pid);
  if (pid === process.pid) return String(Math.round(Date.now() - process.uptime() * 1000));
  if (!isAlive(pid)) return undefined;
  const [program, args] = PLATFORM === 'win32' ? startWithPowerShell(pid) : startWithPs(pid);
  const { stdout } = spawnSync(program, args, {
    encoding: 'utf8',
    windowsHide: true,
    env: { ...process.env, LC_ALL: 'C' },
  });
  const startedAt = Date.parse((stdout ?? '').trim());
  return Number.isNaN(startedAt) ? undefined : String(startedAt);
}

/** Whether two answers of {@link processStartTime} can be of one process. */
export function isSameStartTime(one: string, other: string): boolean {
  if (PLATFORM === 'linux') return one === other;
  return Math.abs(Number(one) - Number(other)) < START_TOLERANCE_MS;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function startWithPs(pid: number): [string, string[]] {
  return ['ps', ['-o', 'lstart=', '-p', String(pid)]];
}

function startWithPowerShell(pid: number): [string, string[]] {
  const script = `(Get-Process -Id ${pid}).StartTime.ToUniversalTime().ToString('o')`;
  return ['powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script]];
}

function processStartInProc(pid: number): string | undefined {
  const startTicks = statFields(pid)?.[19];
  return startTicks === undefined ? undefined : `${bootId()}/${startTicks}`;
}

function groupOf(pid: number): number | undefined {
  const fields = statFields(pid);
  return fields && Number(fields[2]);
}

/**
 * The fields of /proc/<pid>/stat behind the command in brackets: the state is 0, the parent 1, the process group 2, the
 * start in ticks since boot 19. Undefined for what has ended.
 */
function statFields(pid: number): string[] | undefined {
  const stat = readProc(pid, 'stat');
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields?.[0] === 'Z' || fields?.[0] === 'X' ? undefined : fields;
}

let boot: string | undefined;

/** Includes the PID namespace, because a pid of another container is meaningless here. */
function bootId(): string {
  boot ??= `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}/${readlinkSync('/proc/self/ns/pid')}`;
  return boot;
}
