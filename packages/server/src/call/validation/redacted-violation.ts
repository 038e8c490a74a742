import { keyOfSegment, type OutcomeError, pointerSegment } from '@mortise/plugin/runtime';
import { clip } from '../results/truncate.js';

type Redact = (text: string) => string;

/**
 * Redacts and then clips the caller's texts in an INVALID_PARAMS error: the value, and the names in the parameter's
 * JSON pointer. The names are redacted without the pointer's escapes, which could hide a secret.
 */
export function redactedViolation(error: OutcomeError, redact: Redact): OutcomeError {
  const { additionalData } = error.data ?? {};
  const { parameter, providedValue, validActions } = additionalData ?? {};
  let message = typeof error.message === 'string' ? error.message : '';
  const redacted: Record<string, string> = {};
  if (typeof parameter === 'string') {
    redacted.parameter = redactedPointer(parameter, redact);
    if (redacted.parameter !== parameter) message = message.replace(`'${parameter}'`, () => `'${redacted.parameter}'`);
  }
  if (typeof providedValue === 'string') {
    redacted.providedValue = clip(redact(providedValue));
    if (validActions !== undefined)
      message = message.replace(`'${providedValue}'`, () => `'${redacted.providedValue}'`);
  }
  return { ...error, message, data: { ...error.data!, additionalData: { ...additionalData, ...redacted } } };
}

function redactedPointer(pointer: string, redact: Redact): string {
  const segments = pointer.split('/').map((segment) => redact(keyOfSegment(segment)));
  return segments.map((segment) => pointerSegment(clip(segment))).join('/');
}
