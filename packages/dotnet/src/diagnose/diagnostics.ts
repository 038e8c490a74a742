import { BuildSummary, guessKey } from './build-summary.js';
import type { Diagnostic } from './diagnostic.js';
import { type DiagnosticLine, parseDiagnosticLine } from './diagnostic-line.js';
import { DiagnosticSet } from './diagnostic-set.js';
import { continuation, isWholeMessage, type Message, messageOf, splitMessage, UNCODED } from './message-lines.js';
import { cleanLine } from './output-line.js';

/** What a command's output says of its diagnostics (errors.md §1). */
export interface DiagnosticReport {
  /** Each once, in the order of first appearance; of each severity at most MAX_KEPT of diagnostic-set.ts. */
  readonly diagnostics: readonly Diagnostic[];
  /** Of all diagnostics, each once; not what the summary says. */
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

const SUMMARY_START = /^Build (succeeded|FAILED)\.$/;
const SWITCH_CODE = /^MSB10\d\d$/;
/** Lines between an MSB10xx and its `Switch: …`. */
const SWITCH_REACH = 6;

/** Bounds memory; a line that is not remembered is read again. */
const MAX_REMEMBERED_LINES = 20_000;

class Reader implements DiagnosticReader {
  readonly #diagnostics = new DiagnosticSet();
  /** Lines that are a whole message: the summary repeats each, and parallel builds do. */
  readonly #wholeLines = new Map<string, Diagnostic['severity']>();
  /** Messages that may have several lines; what they are is known at the end. */
  readonly #messages: OrderedMessage[] = [];
  readonly #summaries: BuildSummary[] = [];
  readonly #ignoredCodes: ReadonlySet<string>;
  #openSummary: BuildSummary | undefined;
  #succeeded: boolean | undefined;
  /** The message that the next line may go on with. */
  #previous: Message | undefined;
  #switchReach = 0;
  #order = 0;

  constructor({ ignoredCodes = [] }: DiagnosticOptions) {
    this.#ignoredCodes = new Set(ignoredCodes);
  }

  line(text: string): void {
    const { line, isIndented } = cleanLine(text);
    const repeated = this.#wholeLines.get(line);
    if (repeated !== undefined) {
      this.#previous = undefined;
      this.#openSummary?.addLine(repeated);
      return;
    }
    const parsed = line === '' ? undefined : parseDiagnosticLine(line, isIndented);
    if (parsed === undefined) this.#readOther(line);
    else if (isWholeMessage(parsed)) this.#addWhole(parsed, line);
    else this.#addLine(parsed, line);
  }

  end(): DiagnosticReport {
    const split = new Set(this.#summaries.flatMap((summary) => summary.wronglyJoined()));
    for (const each of this.#messages) {
      const parts = each.isGuessed && split.has(guessKey(each)) ? splitMessage(each) : [each];
      for (const { head, code, lines, raw } of parts) {
        this.#add(head, code, lines.join('\n'), raw.join('\n'), each.order);
      }
    }
    const unparsed = (severity: Diagnostic['severity']) =>
      this.#summaries.reduce((sum, summary) => sum + summary.unparsed(severity, split), 0);
    const unparsedErrorCount = unparsed('error');
    const unparsedWarningCount = unparsed('warning');
    return {
      diagnostics: this.#diagnostics.list(),
      errorCount: this.#diagnostics.count('error'),
      warningCount: this.#diagnostics.count('warning'),
      ...(unparsedErrorCount > 0 && { unparsedErrorCount }),
      ...(unparsedWarningCount > 0 && { unparsedWarningCount }),
      succeeded: this.#succeeded,
    };
  }

  #addWhole(line: DiagnosticLine, raw: string): void {
    this.#previous = undefined;
    if (this.#wholeLines.size < MAX_REMEMBERED_LINES) this.#wholeLines.set(raw, line.severity);
    this.#openSummary?.addLine(line.severity);
    this.#add(line, line.code ?? UNCODED, line.message, raw, this.#order++);
  }

  #addLine(line: DiagnosticLine, raw: string): void {
    const joined = this.#previous && continuation(this.#previous, line);
    if (joined) {
      this.#previous!.lines.push(line.message);
      this.#previous!.raw.push(raw);
      if (joined === 'guessed') this.#previous!.isGuessed = true;
      return;
    }
    const message = { ...messageOf(line, raw), order: this.#order++ };
    this.#messages.push(message);
    this.#openSummary?.addMessage(message);
    this.#previous = message;
    this.#switchReach = SWITCH_CODE.test(message.code) ? SWITCH_REACH : 0;
  }

  #add(head: DiagnosticLine, code: string, text: string, raw: string, order: number): void {
    if (!this.#ignoredCodes.has(code)) this.#diagnostics.add({ head, code, text, raw, order });
  }

  #readOther(line: string): void {
    this.#previous = undefined;
    if (line === '') return;
    if (this.#switchReach > 0) this.#readSwitch(line);
    const start = SUMMARY_START.exec(line);
    if (start) {
      this.#succeeded = start[1] === 'succeeded';
      this.#openSummary = new BuildSummary();
      this.#summaries.push(this.#openSummary);
    } else if (this.#openSummary?.readOther(line)) {
      this.#openSummary = undefined;
    }
  }

  #readSwitch(line: string): void {
    this.#switchReach--;
    if (!line.startsWith('Switch: ')) return;
    this.#switchReach = 0;
    const message = this.#messages.at(-1)!;
    message.lines.push(line);
    message.raw.push(line);
  }
}

interface OrderedMessage extends Message {
  readonly order: number;
}
