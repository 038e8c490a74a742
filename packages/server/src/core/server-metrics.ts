/**
 * A request that was answered, as `call/observers/measure-calls.ts` fills it. Its members are labels in `metrics.ts`.
 */
export interface MeasuredRequest {
  readonly method: string;
  /** The wire name; undefined if the request calls no tool, or one that does not exist. */
  readonly tool?: string | undefined;
  /** The error code; undefined for a success. */
  readonly error?: string | undefined;
  readonly protocolVersion?: string | undefined;
  readonly durationMs: number;
}

/**
 * The server's own metrics: a gauge is a current number, a counter the number of events since the start. `counts` of
 * server.ts reads the values; those that only MCP knows, such as sessions, are added in front/mcp/create-mcp-server.ts.
 * After a change, run `npm run generate`.
 */
export const COUNTS = {
  sessions: { type: 'gauge', name: 'mortise_sessions', help: 'Open sessions, and clients over stdio.' },
  running: { type: 'gauge', name: 'mortise_calls_running', help: 'Plugin calls that are running.' },
  waiting: { type: 'gauge', name: 'mortise_calls_waiting', help: 'Plugin calls that wait for a free slot.' },
  processes: {
    type: 'gauge',
    name: 'mortise_plugin_processes',
    help: 'Process groups that run plugins and mounted servers.',
  },
  crashes: {
    type: 'counter',
    name: 'mortise_plugin_crashes_total',
    help: 'Unexpected ends of processes of plugins and mounted servers, and of connections to them.',
  },
  reloads: { type: 'counter', name: 'mortise_reloads_total', help: 'Reloads of plugins.' },
} as const;

export type Counts = Readonly<Record<keyof typeof COUNTS, number>>;

/** The counts without sessions, which only the front ends know. */
export type ServerCounts = Omit<Counts, 'sessions'>;

/** Collects measurements of requests and writes them for Prometheus. */
export interface RequestMetrics {
  observe(request: MeasuredRequest): void;
  /** Adds the server's counts to the text. @param counts reads the current values */
  watch(counts: () => Counts): void;
  /** Writes all metrics in Prometheus' text format. */
  text(): Promise<string>;
  readonly contentType: string;
}
