import type { RecommendedAction } from '@mortise/plugin';
import { rootCauseOfCode } from './codes/root-cause-codes.js';
import type { FailureEvidence, RootCauseKind } from './codes/root-cause-kind.js';
import { isSourceLocation } from './codes/source-kind.js';
import { recommendedActionFor } from './recommended-action.js';
import { rootCauseOfText } from './root-cause-texts.js';

/** A known cause always comes with what to do; both are absent where nothing is known. */
export interface RootCause {
  readonly rootCauseKind?: RootCauseKind;
  readonly recommendedAction?: RecommendedAction;
}

/** Limits the searched text: phrases that indicate a cause are at the beginning or at the end. */
const MAX_TEXT_CHARS = 16_000;

/** Codes whose message is more specific than the code. */
const REFINED: Readonly<Record<string, readonly RootCauseKind[]>> = {
  NU1301: ['PackageSourceAuth', 'NetworkUnreachable'],
  NU1303: ['PackageSourceAuth', 'NetworkUnreachable'],
  NUGET_UNCODED: ['PackageSourceAuth', 'NetworkUnreachable', 'OutOfDisk', 'ProjectNotFound', 'AccessDenied'],
  MSB3021: ['OutOfDisk'],
  MSB3026: ['OutOfDisk'],
  MSB3027: ['OutOfDisk'],
};

/** Codes of ours for what no tool printed one. */
const NO_DIAGNOSTIC = /^(?:EXIT_|OPERATION_|COMMAND_FAILED$)/;

/**
 * The cause of a failure: its code first, then the test results, then what was printed
 * (docs/spec/errors.md#classification).
 */
export function rootCauseOf(evidence: FailureEvidence): RootCause {
  const text = [evidence.message, evidence.stderr, evidence.lastStdout]
    .filter((part) => part !== undefined && part !== '')
    .map((part) => bounded(part!))
    .join('\n');
  const kind = kindOf(evidence, text);
  if (kind === undefined) return {};
  return { rootCauseKind: kind, recommendedAction: recommendedActionFor(kind, evidence, text) };
}

function kindOf(evidence: FailureEvidence, text: string): RootCauseKind | undefined {
  const code = evidence.code.trim().toUpperCase();
  const byCode = rootCauseOfCode(code);
  if (byCode !== undefined) return refined(code, text) ?? byCode;
  if (evidence.exitCode === 155) return 'MissingSdk';
  if ((evidence.failedTests ?? 0) > 0) return 'TestFailure';
  if (isSourceLocation(evidence)) return 'CompilationError';
  return rootCauseOfText(text) ?? (NO_DIAGNOSTIC.test(code) ? undefined : 'BuildError');
}

function refined(code: string, text: string): RootCauseKind | undefined {
  const among = Object.hasOwn(REFINED, code) ? REFINED[code] : undefined;
  return among && rootCauseOfText(text, among);
}

function bounded(text: string): string {
  if (text.length <= MAX_TEXT_CHARS) return text;
  return `${text.slice(0, MAX_TEXT_CHARS / 2)}\n${text.slice(-MAX_TEXT_CHARS / 2)}`;
}
