import type { AuditLog } from '../../audit/audit-log.js';
import type { Snapshot } from '../../core/snapshot.js';
import { AuditCalls } from './audit-calls.js';
import type { CallObserver } from './call-observer.js';

export interface ObserverOptions {
  readonly audit: AuditLog | undefined;
  snapshot(): Snapshot;
}

/** The observers of every call; none unless the settings want some. */
export function createObservers({ audit, snapshot }: ObserverOptions): CallObserver[] {
  return audit ? [new AuditCalls(audit, snapshot)] : [];
}
