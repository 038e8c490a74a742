import { messageStartOf } from '../../advice/codes/code-catalog.js';
import { isSourceLocation } from '../../advice/codes/source-kind.js';
import { codeOfMessage } from './cli-messages.js';
import type { DiagnosticLine } from './diagnostic-line.js';

/** The code of a diagnostic that was printed without one: by MSBuild or one of its tasks, and as `error: …` by NuGet. */
export const NO_CODE = 'MSBUILD_UNCODED';
export const NUGET_UNCODED = 'NUGET_UNCODED';

/** Whether a code only identifies the program that printed the diagnostic. */
export const hasNoCode = (code: string): boolean => code === NO_CODE || code === NUGET_UNCODED;

/** A diagnostic with all its lines, before duplicates are found. */
export interface Message {
  readonly head: DiagnosticLine;
  readonly code: string;
  readonly lines: string[];
  readonly raw: string[];
  /** The output of the program whose failure this reports. */
  readonly detail?: string | undefined;
  /** Whether only the summary's count can show that these lines are one message. */
  isHeuristic: boolean;
}

const COMPILER_CODE = /^(?:CS|BC|FS)\d/;
const NUGET_CODE = /^NU\d/;
const INCOMPATIBLE = /^Package '[^']*' is incompatible with /;
const NOT_RESOLVED = /^Unable to find a resolved package for /;

/** Compilers and analyzers print a message on one line, whatever is in it. */
export function isWholeMessage(line: DiagnosticLine): boolean {
  return isSourceLocation(line) || (line.code !== undefined && COMPILER_CODE.test(line.code));
}

export function messageOf(line: DiagnosticLine, raw: string): Message {
  const code = line.code ?? codeOfMessage(line.message) ?? (line.origin === '' ? NUGET_UNCODED : NO_CODE);
  return { head: line, code, lines: [line.message], raw: [raw], isHeuristic: false };
}

/** What NuGet reports after the error that caused it; it looks like a separate error but adds no information. */
export const isConsequence = ({ message }: DiagnosticLine): boolean =>
  NOT_RESOLVED.test(message) || INCOMPATIBLE.test(message);

/**
 * Whether a line continues with the message before it. The logger repeats origin and code on each line of a message, so
 * a further line is distinguished from another message by its indentation, or how messages of that code begin.
 */
export function continuation({ head, code, lines }: Message, line: DiagnosticLine): 'certain' | 'guessed' | undefined {
  const isIndented = /^\s/.test(line.message);
  if (head.severity !== line.severity || head.origin !== line.origin) return undefined;
  if (line.origin === '' && line.code === undefined) {
    return isIndented || (NUGET_CODE.test(code) && isConsequence(line)) ? 'certain' : undefined;
  }
  if (head.code !== line.code || head.project !== line.project || head.framework !== line.framework) return undefined;
  if (isWholeMessage(line)) return undefined;
  if (isIndented) return 'certain';
  if (NUGET_CODE.test(code) || line.message === lines.at(-1)) return undefined;
  const start = messageStartOf(code);
  if (start === undefined) return 'guessed';
  return line.message.startsWith(start) ? undefined : 'certain';
}

const FRAME = /^\s+(?:at \S.*\)(?: in .*)?|--- End of .* ---)$/;

/** The lines of a message without the stack of the exception that it reports; the full output contains it. */
export function withoutFrames(lines: readonly string[]): readonly string[] {
  return lines.filter((line, index) => index === 0 || !FRAME.test(line));
}

/** The messages of each line on its own, where the lines were joined by a guess. */
export function splitMessage({ head, code, lines, raw }: Message): Message[] {
  return lines.map((line, index) => ({ head, code, lines: [line], raw: [raw[index]!], isHeuristic: false }));
}
