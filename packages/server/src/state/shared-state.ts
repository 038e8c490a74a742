import { randomUUID } from 'node:crypto';
import type { TaskStore } from '@mortise/mcp';
import type { Log } from '../log/log.js';
import { replicaName } from '../settings/replica-name.js';
import type { Settings } from '../settings/settings.js';
import { Presence } from './presence.js';
import { RedisConnection } from './redis/redis-connection.js';
import type { RedisSettings } from './redis/redis-settings.js';
import { RedisStateStore } from './redis/redis-state-store.js';
import { RemovedKeys } from './removed-keys.js';
import { SharedChanges } from './shared-changes.js';
import { SharedOutputs } from './shared-outputs.js';
import { SharedRates } from './shared-rates.js';
import { SharedTaskStore } from './shared-task-store.js';
import type { StateStore } from './state-store.js';

/** A replica that has not renewed its leases for one and a half times this time has lost its tasks. */
export const LEASE_MS = 10_000;
/** The longest time that a stop waits until the ends of tasks are stored. */
const FLUSH_MS = 2_000;

/** How long a stored output is kept, the same as without other replicas (docs/spec/contract.md#full-output). */
const OUTPUT_KEEP_MS = 3_600_000;

/** The part of a log that is used here. */
type StateLog = Pick<Log, 'info' | 'warn' | 'error'>;

/** The state that this replica shares with others (docs/spec/shared.md#tasks). */
export interface SharedState {
  readonly store: StateStore;
  readonly tasks: TaskStore;
  readonly rates: SharedRates;
  readonly removedKeys: RemovedKeys;
  readonly outputs: SharedOutputs;
  readonly changes: SharedChanges;
  /** Stores the ends of tasks, and closes the connections. */
  close(): Promise<void>;
}

/**
 * Connects to the store of `State.Redis`. If the store cannot be reached now, connecting is tried again later.
 * @throws SettingsError if the store can never be used with the settings
 */
export async function openSharedState({ State, Tasks }: Settings, log: StateLog): Promise<SharedState> {
  const replica = replicaName(State);
  const store = await openRedis(State.Redis!, replica, log);
  const runner = randomUUID();
  const presence = await Presence.open(store, runner);
  const tasks = await SharedTaskStore.open({
    ...{ store, replica, runner, log },
    keepMs: Tasks.KeepMs,
    leaseMs: LEASE_MS,
  });
  const removedKeys = await RemovedKeys.open(store);
  const changes = await SharedChanges.open(store, runner);
  return {
    store,
    tasks,
    removedKeys,
    changes,
    outputs: new SharedOutputs({ store, keepMs: OUTPUT_KEEP_MS, log }),
    rates: new SharedRates({ store, presence, onFailure: State.OnFailure, log }),
    async close() {
      removedKeys.close();
      changes.close();
      await tasks.close(FLUSH_MS);
      await presence.close();
      await store.close();
    },
  };
}

async function openRedis(settings: RedisSettings, replica: string, log: StateLog): Promise<StateStore> {
  const connection = await RedisConnection.open({ settings, name: `mortise:${replica}`, log });
  return new RedisStateStore(connection, settings.Prefix);
}
