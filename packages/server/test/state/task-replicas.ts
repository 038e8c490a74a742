import { onTestFinished } from 'vitest';
import { TaskWire } from '../../../mcp/test/tasks/task-wire.js';
import { SharedTaskStore } from '../../src/state/shared-task-store.js';
import type { StateStore } from '../../src/state/state-store.js';
import { openRedisStore, SILENT } from './state-stores.js';

/** No test lasts so long. */
const LONG_LEASE_MS = 600_000;
export const SHORT_LEASE_MS = 400;

export interface ReplicaOptions {
  readonly leaseMs?: number;
  readonly isRepeatable?: boolean;
  /** Changes what the replica sees of the store. */
  readonly through?: (store: StateStore) => StateStore;
}

let lastReplica = 0;

/** A replica with tasks in the store. @param at the store, or the URL of Redis */
export const openReplica = async (at: string | StateStore, options: ReplicaOptions = {}) =>
  (await openStore(at, options)).wire;

export async function openStore(
  at: string | StateStore,
  { leaseMs = LONG_LEASE_MS, isRepeatable = false, through }: ReplicaOptions = {},
) {
  lastReplica += 1;
  const connected = typeof at === 'string' ? await openRedisStore(at) : at;
  const name = `r${lastReplica}`;
  const store = await SharedTaskStore.open({
    ...{ store: through?.(connected) ?? connected, replica: name, runner: `runner-${name}`, leaseMs, log: SILENT },
    keepMs: 600_000,
  });
  onTestFinished(() => store.close(0));
  return { store, wire: new TaskWire({ store, isRepeatable: () => isRepeatable }) };
}

/** The notifications of this method that a client has received. */
export const announced = ({ received }: TaskWire, method: string) =>
  received.filter((message) => message.method === method);

/** A store whose writes wait first. */
export function holding(store: StateStore, wait: () => Promise<void>): StateStore {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'write') return value.bind(target);
      return async (...args: unknown[]) => {
        await wait();
        return value.apply(target, args);
      };
    },
  });
}
