import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SLOW_DISK = new URL('../faults/slow-disk.mjs', import.meta.url).href;
const NOBODY = 65_534;
const MB = 1024 * 1024;
const HOUR_SECONDS = 3_600;

const run = (program, ...args) => execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
const isRoot = () => process.getuid?.() === 0;
const hasProgram = (name) => spawnSync(name, ['--version']).status === 0;
const withoutPrlimit = () => (hasProgram('prlimit') ? undefined : 'prlimit is missing');

/** Mounts an empty disk in memory at the folder. @returns removes it */
export function mountDisk(folder, megabytes) {
  run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder);
  return () => run('umount', '--lazy', folder);
}

let withoutDisk;
/** Why no disk can be mounted here; it is tried once. */
export function missingDisk({ folder }) {
  withoutDisk ??= attempt(() => mountDisk(folder, 1)()) ? '' : 'a tmpfs can be mounted by root only';
  return withoutDisk || undefined;
}

function attempt(work) {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

function libfaketime() {
  const folders = ['/usr/lib', '/usr/local/lib', ...(existsSync('/usr/lib') ? archFolders() : [])];
  return folders.map((folder) => join(folder, 'faketime/libfaketime.so.1')).find((file) => existsSync(file));
}
const archFolders = () =>
  readdirSync('/usr/lib')
    .filter((name) => name.includes('-linux-'))
    .map((name) => join('/usr/lib', name));

/** Fills the disk of a folder. @returns the file that fills it */
export function fill(folder) {
  const file = join(folder, 'filling');
  for (const bytes of [MB, 4096, 1]) while (attempt(() => writeFileSync(file, Buffer.alloc(bytes), { flag: 'a' })));
  return file;
}

/** While the server runs, the disk with its home, its project and its audit is filled, and has space again. */
function fullDisk({ folder }) {
  const dispose = mountDisk(folder, 4);
  let file;
  return {
    dispose,
    impose() {
      file = fill(folder);
    },
    relieve: () => rmSync(file),
  };
}

/** The disk is full before the server starts. */
function fullAtStart({ folder }) {
  const dispose = mountDisk(folder, 4);
  return { dispose, beforeStart: () => void fill(folder) };
}

/** The home and the project cannot be written; the audit and its key can, if they are elsewhere. */
const readOnlyDisk = (isAuditElsewhere) => (place) => {
  const dispose = mountDisk(place.folder, 4);
  if (isAuditElsewhere) place.audit = join(place.root, 'audit.jsonl');
  const env = isAuditElsewhere ? { XDG_DATA_HOME: join(place.root, 'data') } : {};
  return { dispose, env, beforeStart: () => void run('mount', '-o', 'remount,ro', place.folder) };
};

/** A program that runs the server with limits of its resources. */
const limited = (...limits) => ({ prefix: ['prlimit', ...limits] });

/** Another user runs the server, who may start no further process while the condition is there. */
function noMoreProcesses({ root, folder }) {
  const prefix = isRoot() ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];
  const limit = (pid, value) => run(...prefix, 'prlimit', '--pid', `${pid}`, `--nproc=${value}:`);
  return {
    prefix,
    beforeStart: () => isRoot() && giveAway({ root, folder }),
    impose({ pid }) {
      limit(pid, 1);
      for (const plugin of pluginsOf(pid)) process.kill(plugin, 'SIGKILL');
    },
    relieve: ({ pid }) => limit(pid, hardLimit(pid)),
  };
}

/** The processes with plugins, and the one that is kept ready. */
function pluginsOf(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return children.filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('plugin-worker'));
}

const hardLimit = (pid) => /^Max processes +\S+ +(\S+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))[1];

function giveAway({ root, folder }) {
  chmodSync(dirname(root), 0o755);
  for (const path of [root, folder]) chownSync(path, NOBODY, NOBODY);
  for (const entry of readdirSync(folder, { recursive: true })) chownSync(join(folder, entry), NOBODY, NOBODY);
}

/** The clock jumps while the server runs. */
const clock = (seconds) => (place) => {
  const file = join(place.root, 'clock');
  const set = (offset) => writeFileSync(file, `${offset < 0 ? '' : '+'}${offset}\n`);
  set(0);
  const env = {
    LD_PRELOAD: libfaketime(),
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  };
  return { env, impose: () => set(seconds), relieve: () => set(0) };
};
const withoutFaketime = () => (libfaketime() === undefined ? 'libfaketime is missing' : undefined);

const withoutAnotherUser = () => {
  if (process.getuid === undefined) return 'the system has no users with numbers';
  if (withoutPrlimit() !== undefined) return withoutPrlimit();
  if (!isRoot()) return undefined;
  const asNobody = [
    '--reuid',
    `${NOBODY}`,
    '--regid',
    `${NOBODY}`,
    '--clear-groups',
    'test',
    '-r',
    fileURLToPath(import.meta.url),
  ];
  return spawnSync('setpriv', asNobody).status === 0 ? undefined : 'another user cannot read this repository';
};

/**
 * What can be wrong with a machine. `prepare` gives how the server is started (`prefix`, `env`), what happens before that
 * (`beforeStart`) and while it runs (`impose`, `relieve`), and what removes it (`dispose`). `missing` says why the machine cannot do
 * it. A server under a condition that `mayRefuse` may also end with an explanation instead of starting.
 */
export const CONDITIONS = [
  { name: 'full disk', prepare: fullDisk, missing: missingDisk },
  { name: 'full disk at the start', prepare: fullAtStart, missing: missingDisk, mayRefuse: true },
  { name: 'read-only disk', prepare: readOnlyDisk(true), missing: missingDisk },
  { name: 'audit on a read-only disk', prepare: readOnlyDisk(false), missing: missingDisk, mayRefuse: true },
  { name: 'slow disk', prepare: () => ({ nodeArgs: [`--import=${SLOW_DISK}`] }) },
  { name: '64 file descriptors', prepare: () => limited('--nofile=64'), missing: withoutPrlimit },
  { name: 'no more processes', prepare: noMoreProcesses, missing: withoutAnotherUser },
  { name: '256 MB of memory', prepare: () => limited(`--data=${256 * MB}`), missing: withoutPrlimit, mayRefuse: true },
  { name: 'clock one hour forward', prepare: clock(HOUR_SECONDS), missing: withoutFaketime },
  { name: 'clock one hour back', prepare: clock(-HOUR_SECONDS), missing: withoutFaketime },
  { name: 'no HOME', prepare: () => ({ env: { HOME: undefined, XDG_CONFIG_HOME: undefined } }) },
  { name: 'a HOME that is missing', prepare: () => ({ env: { HOME: '/nonexistent', XDG_CONFIG_HOME: undefined } }) },
  { name: 'no TMPDIR', prepare: () => ({ env: { TMPDIR: undefined } }) },
  { name: 'a TMPDIR that is missing', prepare: () => ({ env: { TMPDIR: '/nonexistent' } }) },
  { name: 'paths with spaces and Unicode', folderName: 'a folder, с пробелами – 空白 é', prepare: () => ({}) },
];

/** A folder for the server on which a condition is tried. */
export function makePlace(root, folderName = 'place') {
  const folder = join(root, folderName);
  mkdirSync(folder, { recursive: true });
  return { root, folder, audit: join(folder, 'audit.jsonl') };
}
