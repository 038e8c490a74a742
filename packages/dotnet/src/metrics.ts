import type { ToolCallResult } from '@mortise/plugin';

export interface ToolMetrics {
  readonly invocationCount: number;
  readonly avgDurationMs: number;
  readonly successCount: number;
  readonly failureCount: number;
  /** The characters of all results, in texts and in structured content. */
  readonly resultChars: number;
}

/**
 * Counts the calls of the .NET tools. An error result is a failure. Calls that the server refuses because of the input
 * schema reach no tool and are not counted.
 */
export interface Metrics {
  record(tool: string, call: { durationMs: number; result: ToolCallResult }): void;
  /** The metrics by tool, in alphabetical order. */
  read(): Record<string, ToolMetrics>;
  reset(): void;
  /** The time of the start or of the last reset. */
  readonly since: Date;
}

interface Counted {
  count: number;
  totalMs: number;
  failures: number;
  chars: number;
}

export function createMetrics(): Metrics {
  let since = new Date();
  const tools = new Map<string, Counted>();
  let uncounted: { counted: Counted; result: ToolCallResult }[] = [];
  const countChars = () => {
    for (const { counted, result } of uncounted) counted.chars += charsOf(result);
    uncounted = [];
  };
  return {
    record(tool, { durationMs, result }) {
      const counted = tools.get(tool) ?? { count: 0, totalMs: 0, failures: 0, chars: 0 };
      counted.count++;
      counted.totalMs += durationMs;
      if (result.isError === true) counted.failures++;
      tools.set(tool, counted);
      // Counting characters can take longer than the call itself, so it must not delay the result.
      if (uncounted.length === 0) setImmediate(countChars);
      uncounted.push({ counted, result });
    },
    read() {
      countChars();
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

/** Returns the number of characters of a result's texts, and of its data as JSON. */
function charsOf({ content = [], structuredContent }: ToolCallResult): number {
  const texts = content.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0);
  return texts + (structuredContent === undefined ? 0 : JSON.stringify(structuredContent).length);
}
