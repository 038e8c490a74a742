import type { InvalidReason } from '@mortise/plugin';
import { createRedactor } from '@mortise/redact';
import { errorResponse } from '../../call/results/envelope.js';
import { errorOutcomes, invalidParam, tableError } from '../../call/results/error-outcomes.js';
import { SettingsError } from '../../settings/settings-error.js';
import { toCliError } from '../shared/cli-error.js';

/** Converts an error that prevented a call to the ErrorResponse that `--machine-readable` prints, as JSON. */
export function commandErrorEnvelope(error: unknown): string {
  const keys = error instanceof SettingsError ? error.problems.map(({ key }) => key || 'configuration') : [];
  const { exitStatus, problems } = toCliError(error);
  const reason: InvalidReason = exitStatus === 'notFound' ? 'not found' : 'invalid value';
  const errors = problems.map(({ message, where, hint }, index) => {
    const messageWithLocation = where === undefined ? message : `${where}: ${message}`;
    if (exitStatus === 'internal') return tableError('INTERNAL_ERROR', messageWithLocation);
    const parameter = keys[index] ?? (exitStatus === 'notFound' ? 'tool' : 'arguments');
    return invalidParam(parameter, reason, messageWithLocation, hint === undefined ? {} : { hint });
  });
  return JSON.stringify(createRedactor({ secrets: [] }).value(errorResponse(errorOutcomes(errors))));
}
