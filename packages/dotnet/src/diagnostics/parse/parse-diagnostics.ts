import { BuildSummary, heuristicKey, Section } from './build-summary.js';
import { cleanLine } from './clean-line.js';
import type { Diagnostic } from './diagnostic.js';
import { type DiagnosticLine, parseDiagnosticLine } from './diagnostic-line.js';
import { type Counted, combinePackages, DiagnosticSet, type ParsedMessage } from './diagnostic-set.js';
import {
  continuation,
  isConsequence,
  isWholeMessage,
  type Message,
  messageOf,
  NO_CODE,
  splitMessage,
  withoutFrames,
} from './multi-line-messages.js';

/** The diagnostics in a command's output (docs/spec/errors.md#diagnostics). */
export interface DiagnosticReport {
  /** The distinct diagnostics in the order of first appearance, of each severity at most `MAX_DIAGNOSTICS`. */
  readonly diagnostics: readonly Diagnostic[];
  /**
   * The command's own count: the number in its summary, or else the number of printed messages
   * (docs/spec/errors.md#counts).
   */
  readonly errorCount: number;
  readonly warningCount: number;
  /** The number of distinct diagnostics; absent if `diagnostics` has all of them. */
  readonly distinct?: Readonly<Record<Diagnostic['severity'], number>>;
  /** The number of errors that the summary counts in addition to those that were found; absent if 0. */
  readonly unparsedErrorCount?: number;
  readonly unparsedWarningCount?: number;
  /** The result in the last summary; undefined if no summary was printed. */
  readonly succeeded: boolean | undefined;
}

export interface DiagnosticOptions {
  /** Codes to leave out, for example `MTP0001` if Mortise added the flags that it warns about. */
  readonly ignoredCodes?: readonly string[];
}

/** Reads an output line by line, so that lines which a bounded buffer drops are still counted. */
export interface DiagnosticReader {
  line(text: string): void;
  end(): DiagnosticReport;
}

/** Parses a whole output, in time that is linear in its length. */
export function parseDiagnostics(output: string, options?: DiagnosticOptions): DiagnosticReport {
  const reader = createDiagnosticReader(options);
  for (let start = 0; start < output.length; ) {
    const end = output.indexOf('\n', start);
    reader.line(output.slice(start, end < 0 ? output.length : end));
    start = end < 0 ? output.length : end + 1;
  }
  return reader.end();
}

/** Creates a reader for the output of one command, both streams in order of arrival. */
export function createDiagnosticReader(options: DiagnosticOptions = {}): DiagnosticReader {
  return new Reader(options);
}

type Severity = Diagnostic['severity'];

const SUMMARY_START = /^Build (succeeded|FAILED)\.$/;
const SWITCH_CODE = /^MSB10\d\d$/;
/** The maximum number of lines between an MSB10xx and its `Switch: …`. */
const SWITCH_REACH = 6;
/** On Unix, MSBuild takes an absolute path that does not exist for a switch. */
const MISSING_PROJECT = /^Switch: \/.*\.(?:[a-z]*proj|slnx?|slnf)$/i;

/** Limits memory. A line that is not cached is parsed again. */
const MAX_CACHED_LINES = 20_000;

class Reader implements DiagnosticReader {
  readonly #diagnostics = new DiagnosticSet();
  /** A cache of lines that are complete messages, because summaries and parallel builds repeat them. */
  readonly #wholeLines = new Map<string, WholeLine>();
  /** Messages that can have several lines; they are complete only at the end. */
  readonly #messages: OrderedMessage[] = [];
  readonly #sections: Section[] = [new Section()];
  readonly #ignoredCodes: ReadonlySet<string>;
  readonly #programOutput = new ProgramOutput();
  #openSummary: BuildSummary | undefined;
  #succeeded: boolean | undefined;
  /** The message that the next line can continue. */
  #previous: Message | undefined;
  #switchReach = 0;
  #sequence = 0;

  constructor({ ignoredCodes = [] }: DiagnosticOptions) {
    this.#ignoredCodes = new Set(ignoredCodes);
  }

  line(text: string): void {
    const { line, isIndented } = cleanLine(text);
    const repeated = this.#wholeLines.get(line);
    if (repeated !== undefined) {
      this.#previous = undefined;
      this.#countWhole(repeated);
      return;
    }
    const parsed = line === '' ? undefined : parseDiagnosticLine(line, isIndented);
    if (parsed === undefined) this.#parseOther(line);
    else if (isWholeMessage(parsed)) this.#addWhole(parsed, line);
    else this.#addLine(parsed, line);
  }

  end(): DiagnosticReport {
    const split = new Set(this.#sections.flatMap(({ summary }) => summary?.wronglyJoined() ?? []));
    for (const item of this.#messages) {
      const parts = item.isHeuristic && split.has(heuristicKey(item)) ? splitMessage(item) : [item];
      for (const { head, code, lines, raw } of parts) {
        const message = {
          head,
          code,
          text: withoutFrames(lines).join('\n'),
          raw: raw.join('\n'),
          sequence: item.sequence,
          detail: item.detail,
        };
        this.#add(message, item.section);
      }
    }
    const sum = (count: (section: Section) => number) =>
      this.#sections.reduce((total, section) => total + count(section), 0);
    const unparsed = (severity: Severity) => sum(({ summary }) => summary?.unparsed(severity, split) ?? 0);
    const listed = this.#diagnostics.list();
    const diagnostics = combinePackages(listed);
    const repeated = (severity: Severity) => countOf(listed, severity) - countOf(diagnostics, severity);
    const distinctOf = (severity: Severity) => this.#diagnostics.count(severity) - repeated(severity);
    const distinct = { error: distinctOf('error'), warning: distinctOf('warning') };
    const unparsedErrorCount = unparsed('error');
    const unparsedWarningCount = unparsed('warning');
    return {
      diagnostics,
      errorCount: sum((section) => section.count('error')),
      warningCount: sum((section) => section.count('warning')),
      ...(diagnostics.length < distinct.error + distinct.warning && { distinct }),
      ...(unparsedErrorCount > 0 && { unparsedErrorCount }),
      ...(unparsedWarningCount > 0 && { unparsedWarningCount }),
      succeeded: this.#succeeded,
    };
  }

  #addWhole(line: DiagnosticLine, raw: string): void {
    this.#previous = undefined;
    const code = line.code ?? NO_CODE;
    this.#programOutput.remove(code);
    const section = this.#openSummary ? undefined : this.#section;
    this.#openSummary?.addLine(line.severity);
    const counted = this.#add({ head: line, code, text: line.message, raw, sequence: this.#sequence++ }, section);
    if (this.#wholeLines.size < MAX_CACHED_LINES) {
      this.#wholeLines.set(raw, { severity: line.severity, counted, isIgnored: this.#ignoredCodes.has(code) });
    }
  }

  /** Counts a repeated line, which is either part of the summary or a further report. */
  #countWhole({ severity, counted, isIgnored }: WholeLine): void {
    if (this.#openSummary) {
      this.#openSummary.addLine(severity);
    } else {
      this.#section.add(severity, isIgnored);
      if (counted) counted.count++;
    }
  }

  get #section(): Section {
    return this.#sections.at(-1)!;
  }

  #addLine(line: DiagnosticLine, raw: string): void {
    const joined = this.#previous && continuation(this.#previous, line);
    if (joined) {
      if (!isConsequence(line)) {
        this.#previous!.lines.push(line.message);
        this.#previous!.raw.push(raw);
      }
      if (joined === 'guessed') this.#previous!.isHeuristic = true;
      return;
    }
    const section = this.#openSummary ? undefined : this.#section;
    const begun = messageOf(line, raw);
    const detail = this.#programOutput.remove(begun.code);
    const message = { ...begun, sequence: this.#sequence++, section, detail };
    this.#messages.push(message);
    this.#openSummary?.addMessage(message);
    this.#previous = message;
    this.#switchReach = SWITCH_CODE.test(message.code) ? SWITCH_REACH : 0;
  }

  /** @param section the section that counts the message; undefined if a summary repeats it */
  #add(message: ParsedMessage, section: Section | undefined): Counted | undefined {
    const isIgnored = this.#ignoredCodes.has(message.code);
    section?.add(message.head.severity, isIgnored);
    return isIgnored ? undefined : this.#diagnostics.add(message, section !== undefined);
  }

  #parseOther(line: string): void {
    this.#previous = undefined;
    if (line === '') return;
    this.#programOutput.add(line);
    if (this.#switchReach > 0) this.#readSwitch(line);
    const start = SUMMARY_START.exec(line);
    if (start) {
      this.#succeeded = start[1] === 'succeeded';
      this.#openSummary = new BuildSummary();
      this.#section.summary = this.#openSummary;
    } else if (this.#openSummary?.parseOther(line)) {
      this.#openSummary = undefined;
      this.#sections.push(new Section());
    }
  }

  #readSwitch(line: string): void {
    this.#switchReach--;
    if (!line.startsWith('Switch: ')) return;
    this.#switchReach = 0;
    const message = this.#messages.at(-1)!;
    if (message.code === 'MSB1001' && MISSING_PROJECT.test(line)) {
      message.code = 'MSB1009';
      message.lines[0] = 'Project file does not exist.';
    }
    message.lines.push(line);
    message.raw.push(line);
  }
}

const countOf = (diagnostics: readonly Diagnostic[], severity: Severity): number =>
  diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;

interface OrderedMessage extends Message {
  readonly sequence: number;
  /** Undefined if a summary repeats the message. */
  readonly section: Section | undefined;
}

interface WholeLine {
  readonly severity: Severity;
  readonly counted: Counted | undefined;
  readonly isIgnored: boolean;
}

/** Errors which say that a program failed, but not why. Exec and tasks that wrap a tool report them (MSBuild 18). */
const EXIT_CODE_ONLY = new Set(['MSB3073', 'MSB3721', 'MSB4181', 'MSB6006']);

/** Lines that MSBuild itself prints between those of a program. */
const MSBUILD_LINE =
  /^(?:Determining projects to restore|Restored |All projects are up-to-date|Nothing to do|Build started |Project "|Done [Bb]uilding |Time Elapsed |Setting DOTNET_ROOT |Compilation request |CompilerServer: )| -> /;
/** The heading of a target, such as `CoreCompile:`, at verbosity `normal`. */
const TARGET = /^[A-Za-z_][\w.-]*:$/;

const MAX_LINES = 20;
const MAX_LINE_CHARS = 500;

/** Collects the output of a program that a task runs: the lines since the last diagnostic. */
class ProgramOutput {
  #lines: string[] = [];

  add(line: string): void {
    if (TARGET.test(line)) this.#lines = [];
    else if (line !== '' && !MSBUILD_LINE.test(line)) this.#lines.push(line.slice(0, MAX_LINE_CHARS));
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
  }

  /** Removes the lines and returns them if they explain a diagnostic of this code; else returns undefined. */
  remove(code: string): string | undefined {
    const lines = this.#lines;
    this.#lines = [];
    return lines.length > 0 && EXIT_CODE_ONLY.has(code) ? lines.join('\n') : undefined;
  }
}
