import { keyOfSegment, type OutcomeError, pointerSegment } from '@mortise/plugin/runtime';
import { clip } from '../results/truncate.js';

type Redact = (text: string) => string;

/**
 * An INVALID_PARAMS error as it may be shown: what callers sent is redacted before it is cut, and each member's name before
 * it became a part of a JSON pointer, in which `/` and `~` are written otherwise.
 */
export function redactedViolation(error: OutcomeError, redact: Redact): OutcomeError {
  const { additionalData } = error.data ?? {};
  const { parameter, providedValue, validActions } = additionalData ?? {};
  let message = typeof error.message === 'string' ? error.message : '';
  const more: Record<string, string> = {};
  if (typeof parameter === 'string') {
    more.parameter = redactedPointer(parameter, redact);
    if (more.parameter !== parameter) message = message.replace(`'${parameter}'`, () => `'${more.parameter}'`);
  }
  if (typeof providedValue === 'string') {
    more.providedValue = clip(redact(providedValue));
    if (validActions !== undefined) message = message.replace(`'${providedValue}'`, () => `'${more.providedValue}'`);
  }
  return { ...error, message, data: { ...error.data!, additionalData: { ...additionalData, ...more } } };
}

function redactedPointer(pointer: string, redact: Redact): string {
  const segments = pointer.split('/').map((segment) => redact(keyOfSegment(segment)));
  return segments.map((segment) => pointerSegment(clip(segment))).join('/');
}
