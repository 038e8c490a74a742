import { ERROR_CODES } from '@mortise/plugin';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { MeasuredRequest, MetricsSources, RequestMetrics } from '../core/server-metrics.js';

/** In seconds: those of OpenTelemetry's conventions for MCP. */
const BUCKETS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
/** Further values of a label are counted as one: a plugin can define new tools without end, and a client can claim any version. */
const MAX_VALUES = { tool: 1_000, method: 100, protocolVersion: 20 };
const OTHER = '_OTHER';
const METHOD_NOT_FOUND = 'JSON_RPC_-32601';

const COUNTERS = {
  crashes: [
    'mortise_plugin_crashes_total',
    'Processes of plugins and mounted servers that ended without being asked to.',
  ],
  reloads: ['mortise_reloads_total', 'Reloads of the plugins.'],
} as const;

const GAUGES = {
  processes: ['mortise_plugin_processes', 'Processes that run plugins and mounted servers.'],
  running: ['mortise_calls_running', 'Calls of plugins that run.'],
  waiting: ['mortise_calls_waiting', 'Calls of plugins that wait for their turn.'],
  sessions: ['mortise_sessions', 'Open sessions, and clients over stdio.'],
} as const;

/** The metrics of the server as Prometheus reads them (docs/spec/access.md#metrics). The values of all labels are bounded. */
export class Metrics implements RequestMetrics {
  readonly #registry = new Registry();
  readonly #values = { tool: new Set<string>(), method: new Set<string>(), protocolVersion: new Set<string>() };
  readonly #durations = new Histogram({
    name: 'mcp_server_operation_duration_seconds',
    help: 'How long requests took, from their receipt to their response.',
    labelNames: ['mcp_method_name', 'gen_ai_tool_name', 'error_type', 'mcp_protocol_version'] as const,
    buckets: BUCKETS,
    registers: [this.#registry],
  });

  constructor() {
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

  watch(sources: MetricsSources): void {
    const values = () => ({ ...sources.counts(), sessions: sources.sessions() });
    for (const [key, [name, help]] of Object.entries(GAUGES) as [keyof typeof GAUGES, readonly [string, string]][]) {
      new Gauge({
        name,
        help,
        registers: [this.#registry],
        collect() {
          this.set(values()[key]);
        },
      });
    }
    for (const [key, [name, help]] of Object.entries(COUNTERS) as [
      keyof typeof COUNTERS,
      readonly [string, string],
    ][]) {
      new Counter({
        name,
        help,
        registers: [this.#registry],
        collect() {
          this.reset();
          this.inc(values()[key]);
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
    const values = this.#values[label];
    if (values.size < MAX_VALUES[label]) values.add(value);
    return values.has(value) ? value : OTHER;
  }
}

/** Codes of plugins, and of compilers, are many: they are those of a tool. */
function errorLabel(error: string | undefined): string {
  if (error === undefined) return '';
  return Object.hasOwn(ERROR_CODES, error) || SERVER_CODE.test(error) ? error : 'TOOL_ERROR';
}

/** What the server itself answers with. */
const SERVER_CODE =
  /^(?:UNKNOWN_TOOL|CANCELLED|INPUT_REQUIRED|MISSING_CAPABILITY|REQUEST_STATE_INVALID|JSON_RPC_-\d{1,6})$/;
