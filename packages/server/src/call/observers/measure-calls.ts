import { outcomeOf } from '../../core/call-outcome.js';
import type { ObservedAnswer, ObservedCall } from '../../core/server-api.js';
import type { RequestMetrics } from '../../core/server-metrics.js';
import type { Snapshot } from '../../core/snapshot.js';
import type { CallObserver } from './call-observer.js';

/** Measures every call, prompt, read and completion for the metrics (docs/spec/audit.md#metrics). */
export class MeasureCalls implements CallObserver {
  constructor(
    private readonly metrics: RequestMetrics,
    private readonly snapshot: () => Pick<Snapshot, 'findTool'>,
  ) {}

  answered({ method, target, caller }: ObservedCall, answer: ObservedAnswer | undefined, durationMs: number): void {
    const outcome = outcomeOf(answer);
    this.metrics.observe({
      method,
      tool: method === 'tools/call' ? this.snapshot().findTool(target)?.wireName : undefined,
      error: outcome === 'ok' ? undefined : outcome,
      protocolVersion: caller.protocolVersion,
      durationMs,
    });
  }
}
