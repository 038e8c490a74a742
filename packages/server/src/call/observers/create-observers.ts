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

/** Creates the observers of every call: one for the audit and one for metrics, if they are on. */
export function createObservers({ audit, metrics, snapshot }: ObserverOptions): CallObserver[] {
  return [
    ...(audit ? [new AuditCalls(audit, snapshot)] : []),
    ...(metrics ? [new MeasureCalls(metrics, snapshot)] : []),
  ];
}
