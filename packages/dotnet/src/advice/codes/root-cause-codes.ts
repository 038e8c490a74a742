import { ownMember } from '@mortise/plugin/runtime';
import { CODES } from './codes.js';
import type { RootCauseKind } from './root-cause-kind.js';

/** These codes have a cause but no entry in codes.json: the server makes some of them itself, NuGet and `dotnet format` print the others. */
const UNEXPLAINED: Readonly<Record<string, RootCauseKind>> = {
  INVALID_PARAMS: 'InvalidParameter',
  EXIT_155: 'MissingSdk',
  NU1303: 'RestoreFailure',
  OPERATION_TIMEOUT: 'Timeout',
  IMPORTS: 'CompilationError',
  FINALNEWLINE: 'CompilationError',
  ENDOFLINE: 'CompilationError',
  CHARSET: 'CompilationError',
};

const BY_PREFIX: readonly (readonly [RegExp, RootCauseKind])[] = [
  [/^(?:CS|FS|BC)\d/, 'CompilationError'],
  [/^MSB\d/, 'BuildError'],
  [/^NU(?:\d|GET_)/, 'PackageError'],
  [/^NETSDK\d/, 'SdkError'],
];

/** The cause that follows from the code alone, in any letter case; undefined if the text decides. */
export function rootCauseOfCode(code: string): RootCauseKind | undefined {
  const key = code.trim().toUpperCase();
  const kind = (CODES.get(key)?.rootCause as RootCauseKind | undefined) ?? ownMember(UNEXPLAINED, key);
  if (kind !== undefined) return kind;
  return BY_PREFIX.find(([prefix]) => prefix.test(key))?.[1];
}
