import type { Diagnostic } from './diagnostic.js';
import type { Message } from './multi-line-messages.js';

type Severity = Diagnostic['severity'];

const COUNT = /^(\d{1,9}) (Warning|Error)\(s\)$/;
const TEST_RUN_FAILED = ' : error run failed: ';

/** What is between `Build FAILED.` and the counts: the cross-check of what was read. */
export class BuildSummary {
  /** Messages that may have several lines. */
  readonly #messages: Message[] = [];
  /** Messages that are one line each. */
  readonly #lines: Record<Severity, number> = { error: 0, warning: 0 };
  readonly #counts: Partial<Record<Severity, number>> = {};

  addMessage(message: Message): void {
    this.#messages.push(message);
  }

  addLine(severity: Severity): void {
    this.#lines[severity]++;
  }

  /** What MSBuild counted; undefined where the counts were not printed. */
  count(severity: Severity): number | undefined {
    return this.#counts[severity];
  }

  /** Reads a line that is not a diagnostic; true if it is the last one of the summary. */
  parseOther(line: string): boolean {
    // MSBuild counts this line, but it reports tests.
    if (line.includes(TEST_RUN_FAILED)) this.#lines.error++;
    const count = COUNT.exec(line);
    if (!count) return false;
    this.#counts[count[2] === 'Error' ? 'error' : 'warning'] = Number(count[1]);
    return count[2] === 'Error';
  }

  /** The keys of messages that were joined heuristically although, according to the count, each line was a message. */
  wronglyJoined(): string[] {
    return (['error', 'warning'] as const).flatMap((severity) => {
      const heuristic = this.#messages.filter(({ head, isHeuristic }) => isHeuristic && head.severity === severity);
      const joinedLines = heuristic.reduce((sum, { lines }) => sum + lines.length - 1, 0);
      return joinedLines > 0 && joinedLines === this.#missing(severity) ? heuristic.map(guessKey) : [];
    });
  }

  /** How many more the summary counts than it shows. */
  unparsed(severity: Severity, splitKeys: ReadonlySet<string>): number {
    const split = this.#messages.filter((message) => message.isHeuristic && splitKeys.has(guessKey(message)));
    const own = split.filter(({ head }) => head.severity === severity);
    return Math.max(0, this.#missing(severity) - own.reduce((sum, { lines }) => sum + lines.length - 1, 0));
  }

  /** The messages between its heading and its counts. */
  printedCount(severity: Severity): number {
    return this.#lines[severity] + this.#messages.filter(({ head }) => head.severity === severity).length;
  }

  #missing(severity: Severity): number {
    const printedCount = this.printedCount(severity);
    return (this.#counts[severity] ?? printedCount) - printedCount;
  }
}

/** Messages of one code and origin were all joined by the same guess. */
export function guessKey({ head, code }: Message): string {
  return `${code} ${head.origin}`;
}

/** The output up to the end of a summary, or the rest after the last one. */
export class Section {
  summary: BuildSummary | undefined;
  readonly #reported = { error: 0, warning: 0 };
  readonly #ignored = { error: 0, warning: 0 };

  add(severity: Severity, isIgnored: boolean): void {
    (isIgnored ? this.#ignored : this.#reported)[severity]++;
  }

  /** What MSBuild counted, without what is ignored; without its counts, what was printed. */
  count(severity: Severity): number {
    const counted = this.summary?.count(severity);
    if (counted !== undefined) return Math.max(0, counted - this.#ignored[severity]);
    return Math.max(this.#reported[severity], this.summary?.printedCount(severity) ?? 0);
  }
}
