import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';

/** The handles that keep a process alive, by their type in Node's async_hooks. */
const NAMES: Readonly<Record<string, string>> = {
  Timeout: 'timer',
  TCPSERVERWRAP: 'port',
  UDPWRAP: 'UDP socket',
  PROCESSWRAP: 'child process',
  FSEVENTWRAP: 'file watcher',
};

/** The time that closed handles get to disappear. */
const CLOSING_MS = 500;
const INTERVAL_MS = 20;

interface Opened {
  type: string;
  resource: { _destroyed?: boolean; hasRef?(): boolean };
}

const tracked = new AsyncLocalStorage<Opened[]>();

/**
 * Runs `work` and tracks the handles that it opens, but not those that other code opens at the same time.
 * @param work gets a function that lists the handles that are still open, such as `1 timer, 2 ports`; '' if there are
 * none
 */
export async function trackOpened<T>(work: (leftOpen: () => Promise<string>) => Promise<T>): Promise<T> {
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
