import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';

/** What keeps a process alive, by the name that Node's async_hooks have for it. */
const NAMES: Readonly<Record<string, string>> = {
  Timeout: 'timer',
  TCPSERVERWRAP: 'port',
  UDPWRAP: 'UDP socket',
  PROCESSWRAP: 'child process',
  FSEVENTWRAP: 'file watcher',
};

/** How long what was closed may take to be gone, in milliseconds. */
const CLOSING_MS = 500;
const INTERVAL_MS = 20;

/** A timer or a handle of Node. */
interface Opened {
  type: string;
  resource: { _destroyed?: boolean; hasRef?(): boolean };
}

const tracked = new AsyncLocalStorage<Opened[]>();

/**
 * Runs work and records what it opens, but not what other code opens at the same time.
 * @param work gets a function that lists what it has opened and not closed: `1 timer, 2 ports`; '' for nothing
 */
export async function withOpened<T>(work: (leftOpen: () => Promise<string>) => Promise<T>): Promise<T> {
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (Object.hasOwn(NAMES, type)) tracked.getStore()?.push({ type, resource });
    },
  }).enable();
  const opened: Opened[] = [];
  try {
    return await tracked.run(opened, () => work(() => leftOpen(opened)));
  } finally {
    hook.disable();
  }
}

async function leftOpen(opened: readonly Opened[]): Promise<string> {
  const deadline = performance.now() + CLOSING_MS;
  for (;;) {
    const open = opened.filter(({ resource }) => !resource._destroyed && resource.hasRef?.());
    if (open.length === 0 || performance.now() > deadline) return countsOf(open);
    await tracked.exit(() => delay(INTERVAL_MS));
  }
}

function countsOf(open: readonly Opened[]): string {
  return Object.entries(NAMES)
    .map(([type, name]) => ({ name, count: open.filter((item) => item.type === type).length }))
    .filter(({ count }) => count > 0)
    .map(({ name, count }) => `${count} ${name}${count === 1 ? '' : name.endsWith('process') ? 'es' : 's'}`)
    .join(', ');
}
