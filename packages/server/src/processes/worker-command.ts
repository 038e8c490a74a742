import { bundlePath } from '../util/package-root.js';
import type { SupervisedChildOptions } from './supervised-child.js';

const MAIN = bundlePath('plugin-worker.js');

/**
 * A `.js` plugin can be ESM without saying so (docs/spec/plugins.md#module-kind), and an author cannot act on warnings
 * about Node's experiments.
 */
const QUIET = ['MODULE_TYPELESS_PACKAGE_JSON', 'ExperimentalWarning'].map((warning) => `--disable-warning=${warning}`);

export interface WorkerOptions {
  /** V8's own heap limit, a second line of defence behind the measured memory. */
  heapMb: number;
  /** Starts the process with `--inspect-brk` on this port, for an author who steps through the plugin. */
  inspectPort?: number;
  /** The options of Node.js that confine the process. */
  readonly permissions?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The command that starts the process of a plugin, with an empty stdin and a pipe in addition to the three streams. */
export function workerCommand({
  heapMb,
  inspectPort,
  permissions = [],
  env,
}: WorkerOptions): Pick<SupervisedChildOptions, 'file' | 'args' | 'env' | 'stdio'> {
  const args = [
    ...QUIET,
    ...permissions,
    `--max-old-space-size=${heapMb}`,
    ...(inspectPort === undefined ? [] : [`--inspect-brk=127.0.0.1:${inspectPort}`]),
    MAIN,
  ];
  const stdio = ['ignore', 'pipe', 'pipe', 'pipe'] as const;
  return { file: process.execPath, args, env, stdio: [...stdio] };
}
