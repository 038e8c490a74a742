import type { Diagnostic } from './diagnostic.js';
import type { Message } from './multi-line-messages.js';

type Severity = Diagnostic['severity'];

const COUNT = /^(\d{1,9}) (Warning|Error)\(s\)$/;
const TEST_RUN_FAILED = ' : error run failed: ';

/**
 * The lines from `Build succeeded.` or `Build FAILED.` to the counts. They repeat all diagnostics, so they show whether
 * parsing was correct.
 */
export class BuildSummary {
  /** The messages that can have several lines. */
  readonly #messages: Message[] = [];
  /** The number of messages that are one line each. */
  readonly #lines: Record<Severity, number> = { error: 0, warning: 0 };
  readonly #counts: Partial<Record<Severity, number>> = {};

  addMessage(message: Message): void {
    this.#messages.push(message);
  }

  addLine(severity: Severity): void {
    this.#lines[severity]++;
  }

  /** Returns MSBuild's own count; undefined if it was not printed. */
  count(severity: Severity): number | undefined {
    return this.#counts[severity];
  }

  /** Reads a line that is not a diagnostic. @returns true if it is the last line of the summary */
  parseOther(line: string): boolean {
    // The line reports failed tests, but MSBuild counts it as an error.
    if (line.includes(TEST_RUN_FAILED)) this.#lines.error++;
    const count = COUNT.exec(line);
    if (!count) return false;
    this.#counts[count[2] === 'Error' ? 'error' : 'warning'] = Number(count[1]);
    return count[2] === 'Error';
  }

  /**
   * Returns the keys ({@link heuristicKey}) of messages that a heuristic joined from several lines, if MSBuild counted
   * each line as a message.
   */
  wronglyJoined(): string[] {
    return (['error', 'warning'] as const).flatMap((severity) => {
      const heuristic = this.#messages.filter(({ head, isHeuristic }) => isHeuristic && head.severity === severity);
      const joinedLines = heuristic.reduce((sum, { lines }) => sum + lines.length - 1, 0);
      return joinedLines > 0 && joinedLines === this.#missing(severity) ? heuristic.map(heuristicKey) : [];
    });
  }

  /**
   * Returns the number of diagnostics that MSBuild counts in addition to the parsed ones.
   * @param splitKeys the keys of messages that were split again, see {@link wronglyJoined}
   */
  unparsed(severity: Severity, splitKeys: ReadonlySet<string>): number {
    const split = this.#messages.filter((message) => message.isHeuristic && splitKeys.has(heuristicKey(message)));
    const own = split.filter(({ head }) => head.severity === severity);
    return Math.max(0, this.#missing(severity) - own.reduce((sum, { lines }) => sum + lines.length - 1, 0));
  }

  /** The number of messages between the heading and the counts. */
  printedCount(severity: Severity): number {
    return this.#lines[severity] + this.#messages.filter(({ head }) => head.severity === severity).length;
  }

  #missing(severity: Severity): number {
    const printedCount = this.printedCount(severity);
    return (this.#counts[severity] ?? printedCount) - printedCount;
  }
}

/** Returns the code and origin of a message that a heuristic joined. Messages with the same key are split together. */
export function heuristicKey({ head, code }: Message): string {
  return `${code} ${head.origin}`;
}

/** The output from the end of one summary to the end of the next one, or to the end of the output. */
export class Section {
  summary: BuildSummary | undefined;
  readonly #reported = { error: 0, warning: 0 };
  readonly #ignored = { error: 0, warning: 0 };

  add(severity: Severity, isIgnored: boolean): void {
    (isIgnored ? this.#ignored : this.#reported)[severity]++;
  }

  /** Returns MSBuild's count without ignored diagnostics, or the number of printed ones if it printed no count. */
  count(severity: Severity): number {
    const counted = this.summary?.count(severity);
    if (counted !== undefined) return Math.max(0, counted - this.#ignored[severity]);
    return Math.max(this.#reported[severity], this.summary?.printedCount(severity) ?? 0);
  }
}
