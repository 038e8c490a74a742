import type { RootCauseKind } from './root-cause-kind.js';

const BY_CODE: Readonly<Record<string, RootCauseKind>> = {
  ...kindOf('ProjectNotFound', 'MSB1003 MSB1009 MSB3202'),
  ...kindOf('InvalidParameter', 'MSB1001 MSB1006 MSB1008 MSB1011 MSB1014 MSB1050 MSB1063 INVALID_PARAMS'),
  ...kindOf('MissingSdk', 'MSB4236 EXIT_155'),
  ...kindOf('FileLocked', 'MSB3021 MSB3026 MSB3027'),
  ...kindOf('RestoreFailure', 'NU1301 NU1303 NETSDK1004 NETSDK1005 NETSDK1064'),
  ...kindOf('PackageVulnerable', 'NU1901 NU1902 NU1903 NU1904'),
  ...kindOf('MissingWorkload', 'NETSDK1147'),
  ...kindOf('Timeout', 'OPERATION_TIMEOUT'),
  ...kindOf('CompilationError', 'WHITESPACE IMPORTS FINALNEWLINE ENDOFLINE CHARSET'),
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
  if (Object.hasOwn(BY_CODE, key)) return BY_CODE[key];
  return BY_PREFIX.find(([prefix]) => prefix.test(key))?.[1];
}

function kindOf(kind: RootCauseKind, codes: string): Record<string, RootCauseKind> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, kind]));
}
