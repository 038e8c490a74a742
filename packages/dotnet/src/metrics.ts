/** How the calls of one tool went. */
export interface ToolMetrics {
  readonly invocationCount: number;
  readonly avgDurationMs: number;
  readonly successCount: number;
  readonly failureCount: number;
  /** Characters of all results: text and structured content. */
  readonly resultChars: number;
}

/**
 * Counts the calls that the .NET tools answer; an error result is a failure. What the host refuses by the input schema
 * reaches no tool.
 */
export interface Metrics {
  record(tool: string, call: { durationMs: number; isSuccess: boolean; resultChars: number }): void;
  /** By tool, in the order of names. */
  read(): Record<string, ToolMetrics>;
  reset(): void;
  /** When counting began: at the start, or at the last reset. */
  readonly since: Date;
}

export function createMetrics(): Metrics {
  let since = new Date();
  const tools = new Map<string, { count: number; totalMs: number; failures: number; chars: number }>();
  return {
    record(tool, { durationMs, isSuccess, resultChars }) {
      const counted = tools.get(tool) ?? { count: 0, totalMs: 0, failures: 0, chars: 0 };
      counted.count++;
      counted.totalMs += durationMs;
      counted.chars += resultChars;
      if (!isSuccess) counted.failures++;
      tools.set(tool, counted);
    },
    read() {
      const names = [...tools.keys()].sort();
      return Object.fromEntries(
        names.map((name) => {
          const { count, totalMs, failures, chars } = tools.get(name)!;
          const avgDurationMs = Math.round((totalMs / count) * 100) / 100;
          return [
            name,
            {
              invocationCount: count,
              avgDurationMs,
              successCount: count - failures,
              failureCount: failures,
              resultChars: chars,
            },
          ];
        }),
      );
    },
    get since() {
      return since;
    },
    reset() {
      since = new Date();
      tools.clear();
    },
  };
}
