import type { McpServerOptions } from '@mortise/mcp';
import type { RequestMetrics } from '../../core/server-metrics.js';

/** Methods that `call/observers/measure-calls.ts` measures, because it knows the outcome of a call. */
const MEASURED_BY_CALL: ReadonlySet<string> = new Set([
  'tools/call',
  'resources/read',
  'prompts/get',
  'completion/complete',
]);

/** Measures the requests that are not calls. */
export function traceWith(metrics: RequestMetrics): NonNullable<McpServerOptions['trace']> {
  return ({ request: { method }, protocolVersion }) => {
    if (MEASURED_BY_CALL.has(method)) return undefined;
    const startedAt = performance.now();
    return (error) =>
      metrics.observe({
        method,
        error: error && `JSON_RPC_${error.code}`,
        protocolVersion,
        durationMs: performance.now() - startedAt,
      });
  };
}
