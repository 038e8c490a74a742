import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { isServerOutcome } from '../../core/call-outcome.js';
import { COUNTS, type Counts, type MeasuredRequest, type RequestMetrics } from '../../core/server-metrics.js';

/** The upper bounds of the buckets in seconds, as in OpenTelemetry's conventions for MCP. */
const BUCKETS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
/**
 * The number of values that a label can have; further values count as `_OTHER`. A plugin can define any number of tools,
 * and a client can claim any version.
 */
const MAX_VALUES = { tool: 1_000, method: 100, protocolVersion: 20 };
const OTHER = '_OTHER';
const METHOD_NOT_FOUND = 'JSON_RPC_-32601';

const METRICS = { gauge: Gauge, counter: Counter };

/** The metrics of the server for Prometheus (docs/spec/audit.md#metrics). Each label has a limited number of values. */
export class Metrics implements RequestMetrics {
  readonly #registry = new Registry();
  /** The label of each value that has been seen. */
  readonly #labels = {
    tool: new Map<string, string>(),
    method: new Map<string, string>(),
    protocolVersion: new Map<string, string>(),
  };
  readonly #redact: (text: string) => string;
  readonly #durations = new Histogram({
    name: 'mcp_server_operation_duration_seconds',
    help: 'How long requests took, from their receipt to their response.',
    labelNames: ['mcp_method_name', 'gen_ai_tool_name', 'error_type', 'mcp_protocol_version'] as const,
    buckets: BUCKETS,
    registers: [this.#registry],
  });

  /**
   * @param redact replaces the secrets in a label, because a plugin can put one into the name of a tool
   * @param replica the name of this replica, which becomes a label of each metric; '' for no such label
   */
  constructor(redact: (text: string) => string, replica = '') {
    this.#redact = redact;
    if (replica !== '') this.#registry.setDefaultLabels({ replica });
    collectDefaultMetrics({ register: this.#registry });
  }

  observe({ method, tool, error, protocolVersion = '', durationMs }: MeasuredRequest): void {
    this.#durations
      .labels(
        this.#bounded('method', error === METHOD_NOT_FOUND ? OTHER : method),
        this.#bounded('tool', tool),
        errorLabel(error),
        this.#bounded('protocolVersion', protocolVersion),
      )
      .observe(durationMs / 1000);
  }

  watch(counts: () => Counts): void {
    for (const [key, { type, name, help }] of Object.entries(COUNTS)) {
      const metric: Counter | Gauge = new METRICS[type]({
        name,
        help,
        registers: [this.#registry],
        collect() {
          metric.reset();
          metric.inc(counts()[key as keyof Counts]);
        },
      });
    }
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  #bounded(label: keyof typeof MAX_VALUES, value = ''): string {
    const labels: Map<string, string> = this.#labels[label];
    if (labels.size < MAX_VALUES[label] && !labels.has(value)) labels.set(value, this.#redact(value));
    return labels.get(value) ?? OTHER;
  }
}

/** Codes that do not come from the server itself count as TOOL_ERROR, because plugins and compilers have very many. */
function errorLabel(error: string | undefined): string {
  if (error === undefined) return '';
  return isServerOutcome(error) ? error : 'TOOL_ERROR';
}
