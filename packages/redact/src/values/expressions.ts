import { charSet, endOfMatch, endOfRun, isBefore } from '../scanning/chars.js';
import { EXPRESSION_FORMS, type ExpressionForm } from './forms.js';
import { redactLiteral, type ValueReader } from './literals.js';
import { isNotSecret } from './non-secret-values.js';
import { type Key, redactInside } from './redact-inside.js';
import type { ScanState } from './scan-state.js';

/** Redacts the literal inside of the expression at `from`. @returns where reading continues, or -1 */
export function redactInExpression(state: ScanState, from: number, key: Key): number {
  for (const { pattern, value } of EXPRESSION_FORMS) {
    const start = endOfMatch(pattern, state.text, from);
    const next = start < 0 ? -1 : EXPRESSION_READERS[value](state, start, key);
    if (next >= 0) return next;
  }
  return -1;
}

const wrapped: ValueReader = ({ text, redact }, from, key) => {
  if (!isBefore(text, from, OPENS_WRAPPER) || isNotSecret(text, from)) return -1;
  const end = endOfRun(text, from, INSIDE_WRAPPER);
  redactInside(text, from, end, key.kind, redact);
  return end;
};

const OPENS_WRAPPER = charSet('[(');
const INSIDE_WRAPPER = charSet("!-'*-\\\\^-~");

const EXPRESSION_READERS: Readonly<Record<ExpressionForm['value'], ValueReader>> = { literal: redactLiteral, wrapped };
