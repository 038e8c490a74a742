import type { Diagnostic } from './diagnostic.js';
import { type DiagnosticLine, parseDiagnosticLine } from './diagnostic-line.js';
import { distinctDiagnostics } from './distinct-diagnostics.js';
import { continuation, type Message, splitMessage, UNCODED } from './message-lines.js';
import { cleanLine } from './output-line.js';

/** What a command's output says of its diagnostics (errors.md §1). */
export interface DiagnosticReport {
  /** Each once, in the order of first appearance. */
  readonly diagnostics: readonly Diagnostic[];
  /** Of the diagnostics, not of the summary. */
  readonly errorCount: number;
  readonly warningCount: number;
  /** How many more the summary counts than its lines show; absent when none. */
  readonly unparsedErrorCount?: number;
  readonly unparsedWarningCount?: number;
  /** What the last summary said; undefined where none was printed. */
  readonly succeeded: boolean | undefined;
}

export interface DiagnosticOptions {
  /** Codes to leave out: `MTP0001` where the flags that it complains of are ours. */
  readonly ignoredCodes?: readonly string[];
}

/** Reads an output line by line, so that what a bounded buffer drops is still counted. */
export interface DiagnosticReader {
  /** One line without its line end. */
  line(text: string): void;
  end(): DiagnosticReport;
}

/** The diagnostics of a whole output. Linear in its length. */
export function readDiagnostics(output: string, options?: DiagnosticOptions): DiagnosticReport {
  const reader = createDiagnosticReader(options);
  for (let start = 0; start < output.length; ) {
    const end = output.indexOf('\n', start);
    reader.line(output.slice(start, end < 0 ? output.length : end));
    start = end < 0 ? output.length : end + 1;
  }
  return reader.end();
}

/** A reader for one command's output, both streams in order of arrival. */
export function createDiagnosticReader(options: DiagnosticOptions = {}): DiagnosticReader {
  return new Reader(options);
}

type Severity = Diagnostic['severity'];

/** What stands between `Build FAILED.` and the counts. */
interface Summary {
  messages: Message[];
  readonly counts: Partial<Record<Severity, number>>;
  /** Lines like `x.dll : error run failed: …`: MSBuild counts them, but they tell of tests. */
  testFailureCount: number;
}

const SUMMARY_START = /^Build (succeeded|FAILED)\.$/;
const SUMMARY_COUNT = /^(\d{1,9}) (Warning|Error)\(s\)$/;
const TEST_RUN_FAILED = ' : error run failed: ';
const SWITCH_CODE = /^MSB10\d\d$/;
/** Lines between an MSB10xx and its `Switch: …`. */
const SWITCH_REACH = 6;
const NO_VERSIONS = /^There are no versions available for the package /;

class Reader implements DiagnosticReader {
  private readonly ignoredCodes: ReadonlySet<string>;
  private messages: Message[] = [];
  private readonly summaries: Summary[] = [];
  private succeeded: boolean | undefined;
  private openSummary: Summary | undefined;
  /** The message that the next line may go on with. */
  private previous: Message | undefined;
  private switchReach = 0;

  constructor({ ignoredCodes = [] }: DiagnosticOptions) {
    this.ignoredCodes = new Set(ignoredCodes);
  }

  line(text: string): void {
    const { line, isIndented } = cleanLine(text);
    const parsed = line === '' ? undefined : parseDiagnosticLine(line, isIndented);
    if (parsed) {
      this.addLine(parsed, line);
      return;
    }
    this.previous = undefined;
    if (line === '') return;
    if (this.switchReach > 0) this.readSwitch(line);
    if (this.openSummary && line.includes(TEST_RUN_FAILED)) this.openSummary.testFailureCount++;
    this.readSummaryLine(line);
  }

  end(): DiagnosticReport {
    for (const summary of this.summaries) this.splitWronglyJoined(summary);
    const diagnostics = distinctDiagnostics(this.messages.filter(({ code }) => !this.ignoredCodes.has(code)));
    const errorCount = diagnostics.filter(({ severity }) => severity === 'error').length;
    const unparsedErrorCount = this.unparsed('error');
    const unparsedWarningCount = this.unparsed('warning');
    return {
      diagnostics,
      errorCount,
      warningCount: diagnostics.length - errorCount,
      ...(unparsedErrorCount > 0 && { unparsedErrorCount }),
      ...(unparsedWarningCount > 0 && { unparsedWarningCount }),
      succeeded: this.succeeded,
    };
  }

  private addLine(line: DiagnosticLine, raw: string): void {
    const joined = this.previous && continuation(this.previous, line);
    if (joined) {
      this.previous!.lines.push(line.message);
      this.previous!.raw.push(raw);
      if (joined === 'guessed') this.previous!.isGuessed = true;
      return;
    }
    const code = line.code ?? (NO_VERSIONS.test(line.message) ? 'NU1101' : UNCODED);
    this.previous = { head: line, code, lines: [line.message], raw: [raw], isGuessed: false };
    this.messages.push(this.previous);
    this.openSummary?.messages.push(this.previous);
    this.switchReach = SWITCH_CODE.test(code) ? SWITCH_REACH : 0;
  }

  private readSwitch(line: string): void {
    this.switchReach--;
    if (!line.startsWith('Switch: ')) return;
    this.switchReach = 0;
    const message = this.messages.at(-1)!;
    message.lines.push(line);
    message.raw.push(line);
  }

  private readSummaryLine(line: string): void {
    const start = SUMMARY_START.exec(line);
    if (start) {
      this.succeeded = start[1] === 'succeeded';
      this.openSummary = { messages: [], counts: {}, testFailureCount: 0 };
      this.summaries.push(this.openSummary);
      return;
    }
    const count = this.openSummary && SUMMARY_COUNT.exec(line);
    if (!count) return;
    this.openSummary!.counts[count[2] === 'Error' ? 'error' : 'warning'] = Number(count[1]);
    if (count[2] === 'Error') this.openSummary = undefined;
  }

  /** The summary counts messages, not lines: where the guessed ones explain the difference, each line was a message. */
  private splitWronglyJoined(summary: Summary): void {
    for (const severity of ['error', 'warning'] as const) {
      const shown = summary.messages.filter(({ head }) => head.severity === severity);
      const guessed = shown.filter(({ isGuessed }) => isGuessed);
      const missing = (summary.counts[severity] ?? 0) - shown.length;
      const joinedLines = guessed.reduce((sum, { lines }) => sum + lines.length - 1, 0);
      if (missing <= 0 || missing !== joinedLines) continue;
      const wrong = new Set(guessed.map(keyOf));
      const split = (message: Message): Message[] =>
        message.isGuessed && wrong.has(keyOf(message)) ? splitMessage(message) : [message];
      summary.messages = summary.messages.flatMap(split);
      this.messages = this.messages.flatMap(split);
    }
  }

  private unparsed(severity: Severity): number {
    return this.summaries.reduce((sum, { messages, counts, testFailureCount }) => {
      const shown = messages.filter(({ head }) => head.severity === severity).length;
      const known = shown + (severity === 'error' ? testFailureCount : 0);
      return sum + Math.max(0, (counts[severity] ?? known) - known);
    }, 0);
  }
}

const keyOf = ({ head, code }: Message): string => `${code}\0${head.origin}`;
