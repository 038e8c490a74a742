/** A request that was answered, as `call/observers/measure-calls.ts` fills it. Its members are labels in `metrics.ts`. */
export interface MeasuredRequest {
  readonly method: string;
  /** The wire name of a tool that exists. */
  readonly tool?: string | undefined;
  /** The code of the error; undefined for a success. */
  readonly error?: string | undefined;
  readonly protocolVersion?: string | undefined;
  readonly durationMs: number;
}

/**
 * What the server counts: gauges are what it has at a moment, counters what has happened since it started. `counts` of
 * server.ts gives the values. After a change, run `npm run generate`.
 */
export const COUNTS = {
  sessions: { type: 'gauge', name: 'mortise_sessions', help: 'Open sessions, and clients over stdio.' },
  running: { type: 'gauge', name: 'mortise_calls_running', help: 'Calls of plugins that run.' },
  waiting: { type: 'gauge', name: 'mortise_calls_waiting', help: 'Calls of plugins that wait for their turn.' },
  processes: {
    type: 'gauge',
    name: 'mortise_plugin_processes',
    help: 'Groups of processes that run plugins and mounted servers.',
  },
  crashes: {
    type: 'counter',
    name: 'mortise_plugin_crashes_total',
    help: 'Processes of plugins and mounted servers, and connections, that ended without being asked to.',
  },
  reloads: { type: 'counter', name: 'mortise_reloads_total', help: 'Reloads of the plugins.' },
} as const;

export type Counts = Readonly<Record<keyof typeof COUNTS, number>>;

/** What is counted without the front ends, which have the sessions. */
export type ServerCounts = Omit<Counts, 'sessions'>;

/** Where requests are measured. */
export interface RequestMetrics {
  observe(request: MeasuredRequest): void;
  /** From now on these are told too. */
  watch(counts: () => Counts): void;
  /** All of them, as Prometheus reads them. */
  text(): Promise<string>;
  /** Of the text. */
  readonly contentType: string;
}
