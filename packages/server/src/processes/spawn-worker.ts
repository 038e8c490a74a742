import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { withoutSettings } from '@mortise/plugin/runtime';
import { tryOs } from '../util/ignore-os-errors.js';
import { descendantsOf } from './descendants.js';
import { killProcessGroup } from './kill-group.js';
import { lowerPriority } from './priority.js';
import { PROCESS_TAG_VARIABLE } from './process-tag.js';

/** Platform module: process groups. Windows' branches are written by its documented rules and untried. */
const IS_WINDOWS = process.platform === 'win32';

const MAIN = fileURLToPath(new URL('../plugin-worker/main.js', import.meta.url));

/**
 * A `.js` plugin may be ESM without saying so (docs/spec/plugins.md#module-kind), and Node's experiments are not the
 * author's business.
 */
const QUIET = ['MODULE_TYPELESS_PACKAGE_JSON', 'ExperimentalWarning'].map((warning) => `--disable-warning=${warning}`);

export interface ChildOptions {
  /** V8's own limit, a distant backstop behind the measured one. */
  heapMb: number;
  /** `--inspect-brk` on this port, for an author who steps through the plugin. */
  inspectPort?: number;
}

export interface Child {
  child: ChildProcess;
  /** The pipe beside the three; undefined when the process could not be started, and `child` tells why by `error`. */
  channel: Duplex | undefined;
  /** Is in the environment of the process and of all that it starts. */
  tag: string;
}

/** A process for one plugin: its own process group, a lower priority, an empty stdin, and a pipe beside the three. */
export function spawnChild({ heapMb, inspectPort }: ChildOptions): Child {
  const args = [
    ...QUIET,
    `--max-old-space-size=${heapMb}`,
    ...(inspectPort === undefined ? [] : [`--inspect-brk=127.0.0.1:${inspectPort}`]),
  ];
  const tag = randomBytes(12).toString('hex');
  const child = spawn(process.execPath, [...args, MAIN], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: {
      ...withoutSettings(process.env),
      [PROCESS_TAG_VARIABLE]: [process.env[PROCESS_TAG_VARIABLE], tag].filter(Boolean).join(' '),
    },
    detached: !IS_WINDOWS,
    windowsHide: true,
  });
  if (child.pid !== undefined) lowerPriority(child.pid);
  // Without a file descriptor to spare there is no stdio at all.
  const [, , , channel] = (child.stdio as ChildProcess['stdio'] | undefined) ?? [];
  return { child, channel: (channel ?? undefined) as Duplex | undefined, tag };
}

/** Ends a child, everything in its process group, and what it has started beside that, at once. */
export function killProcessTree(child: ChildProcess): void {
  if (child.pid === undefined) return;
  const descendants = descendantsOf(child.pid);
  killProcessGroup(child.pid, () => child.kill('SIGKILL'));
  for (const pid of descendants) tryOs(() => process.kill(pid, 'SIGKILL'));
}
