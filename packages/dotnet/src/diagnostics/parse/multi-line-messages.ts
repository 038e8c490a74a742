import { messageStartOf } from '../../advice/codes/code-catalog.js';
import { isSourceLocation } from '../../advice/codes/source-kind.js';
import { codeOfMessage } from './cli-messages.js';
import type { DiagnosticLine } from './diagnostic-line.js';

/** Codes for diagnostics without a code: the first for MSBuild and its tasks, the second for `error: …` of NuGet. */
export const NO_CODE = 'MSBUILD_UNCODED';
export const NUGET_UNCODED = 'NUGET_UNCODED';

export const hasNoCode = (code: string): boolean => code === NO_CODE || code === NUGET_UNCODED;

/** A diagnostic with all its lines, before duplicates are found. */
export interface Message {
  readonly head: DiagnosticLine;
  code: string;
  readonly lines: string[];
  readonly raw: string[];
  /** The output of the program whose failure the message reports. */
  readonly detail?: string | undefined;
  /** True if the lines were joined by a guess, which only the count of the summary can confirm. */
  isHeuristic: boolean;
}

const COMPILER_CODE = /^(?:CS|BC|FS)\d/;
const NUGET_CODE = /^NU\d/;
const INCOMPATIBLE = /^Package '[^']*' is incompatible with /;
const NOT_RESOLVED = /^Unable to find a resolved package for /;

/** True for messages of compilers and analyzers, which are always one line. */
export function isWholeMessage(line: DiagnosticLine): boolean {
  return isSourceLocation(line) || (line.code !== undefined && COMPILER_CODE.test(line.code));
}

export function messageOf(line: DiagnosticLine, raw: string): Message {
  const code = line.code ?? codeOfMessage(line.message) ?? (line.origin === '' ? NUGET_UNCODED : NO_CODE);
  return { head: line, code, lines: [line.message], raw: [raw], isHeuristic: false };
}

/** True for errors of NuGet that only follow from the error before them and add no information. */
export const isConsequence = ({ message }: DiagnosticLine): boolean =>
  NOT_RESOLVED.test(message) || INCOMPATIBLE.test(message);

/**
 * Decides whether a line continues the message before it. The logger repeats origin and code on each line of a message,
 * so a further line is recognised by its indentation, or because messages of that code begin otherwise.
 * @returns undefined if it does not
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

/** Removes the stack trace of an exception from a message. The full output has it. */
export function withoutFrames(lines: readonly string[]): readonly string[] {
  return lines.filter((line, index) => index === 0 || !FRAME.test(line));
}

/** Splits a message into one message per line, for lines that were joined by a wrong guess. */
export function splitMessage({ head, code, lines, raw }: Message): Message[] {
  return lines.map((line, index) => ({ head, code, lines: [line], raw: [raw[index]!], isHeuristic: false }));
}
