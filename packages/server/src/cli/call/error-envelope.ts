import type { InvalidReason } from '@mortise/plugin';
import { errorResponse } from '../../contract/envelope.js';
import { failures, hostError, invalidParam } from '../../contract/error-outcomes.js';
import { createRedactor } from '../../redact/redactor.js';
import { SettingsError } from '../../settings/settings-error.js';
import { toCliError } from '../cli-error.js';

/** What kept a call from being made, as the ErrorResponse that a machine-readable call prints. */
export function errorEnvelopeText(error: unknown): string {
  const keys = error instanceof SettingsError ? error.problems.map(({ key }) => key || 'configuration') : [];
  const { ending, complaints } = toCliError(error);
  const reason: InvalidReason = ending === 'notFound' ? 'not found' : 'invalid value';
  const errors = complaints.map(({ message, where, hint }, index) => {
    const said = where === undefined ? message : `${where}: ${message}`;
    if (ending === 'internal') return hostError('INTERNAL_ERROR', said);
    const parameter = keys[index] ?? (ending === 'notFound' ? 'tool' : 'arguments');
    return invalidParam(parameter, reason, said, hint === undefined ? {} : { hint });
  });
  return JSON.stringify(createRedactor({ secrets: [] }).value(errorResponse(failures(errors))));
}
