/** A request that was answered. */
export interface MeasuredRequest {
  readonly method: string;
  /** The wire name of a tool that exists. */
  readonly tool?: string | undefined;
  /** The code of the error; undefined for a success. */
  readonly error?: string | undefined;
  readonly protocolVersion?: string | undefined;
  readonly durationMs: number;
}

/** What the server has at a moment, and what has happened since it started. */
export interface ServerCounts {
  /** Groups of processes that run plugins and mounted servers. */
  readonly processes: number;
  /** Calls of plugins that run, and that wait for their turn. */
  readonly running: number;
  readonly waiting: number;
  /** Processes of plugins and mounted servers, and connections, that ended without being asked to. */
  readonly crashes: number;
  readonly reloads: number;
}

/** What the gauges and counters of the server are read from. */
export interface MetricsSources {
  counts(): ServerCounts;
  /** How many clients are connected. */
  sessions(): number;
}

/** Where requests are measured. */
export interface RequestMetrics {
  observe(request: MeasuredRequest): void;
  /** From now on these are told too. */
  watch(sources: MetricsSources): void;
  /** All of them, as Prometheus reads them. */
  text(): Promise<string>;
  /** Of the text. */
  readonly contentType: string;
}
