import type { Diagnostic } from '../diagnostics/parse/diagnostic.js';
import { hasNoCode } from '../diagnostics/parse/multi-line-messages.js';

const ORDINARY_ERROR = 3;
const WARNING_AS_ERROR = 4;
const UNCODED = 5;

/** Codes that keep others from being seen or corrected: an SDK before the sources of packages, and these before packages. */
const BLOCKING: readonly RegExp[] = [/^MSB4236$/, /^NU(?:13\d\d|1801)$/, /^NU1(?:10\d|110)$/];

/**
 * Errors in the order in which they are to be corrected (docs/spec/errors.md#order). It does not depend on the order of
 * the output, which differs from run to run where projects are restored or built in parallel.
 */
export function inBlockingOrder(errors: readonly Diagnostic[]): Diagnostic[] {
  return errors.toSorted((a, b) => rankOf(a) - rankOf(b) || compare(keyOf(a), keyOf(b)));
}

function rankOf({ code, message }: Diagnostic): number {
  const blocking = BLOCKING.findIndex((codes) => codes.test(code));
  if (blocking >= 0) return blocking;
  if (hasNoCode(code)) return UNCODED;
  return /^Warning As Error: /.test(message) ? WARNING_AS_ERROR : ORDINARY_ERROR;
}

/** Errors of packages are ordered by code and message; those of a build keep their order within a project. */
function keyOf({ code, message, projects }: Diagnostic): string {
  return code.startsWith('NU') ? `${code} ${message}` : (projects[0] ?? '');
}

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
