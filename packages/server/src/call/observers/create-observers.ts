import type { AuditLog } from '../../access/audit/audit-log.js';
import type { RequestMetrics } from '../../core/server-metrics.js';
import type { Snapshot } from '../../core/snapshot.js';
import { AuditCalls } from './audit-calls.js';
import type { CallObserver } from './call-observer.js';
import { MeasureCalls } from './measure-calls.js';

export interface ObserverOptions {
  readonly audit: AuditLog | undefined;
  readonly metrics: RequestMetrics | undefined;
  snapshot(): Snapshot;
}

/** The observers of every call; none unless the settings want some. */
export function createObservers({ audit, metrics, snapshot }: ObserverOptions): CallObserver[] {
  return [
    ...(audit ? [new AuditCalls(audit, snapshot)] : []),
    ...(metrics ? [new MeasureCalls(metrics, snapshot)] : []),
  ];
}
