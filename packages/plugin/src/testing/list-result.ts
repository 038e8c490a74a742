import type { ErrorResult } from '../error-response.js';
import type { ListedResource } from '../register.js';
import { errorOutcome } from '../runtime/error-outcome.js';
import type { ErrorOutcome, ListOutcome } from '../runtime/outcome.js';
import { MalformedRegistrationError, parseResourceDefinition } from '../runtime/registered-resources.js';
import { matchTemplate } from '../runtime/uri-template.js';
import type { CallRecord } from './call-options.js';
import { firstError } from './run-result.js';

export interface ListResult extends CallRecord {
  resources: ListedResource[];
  error?: ErrorResult;
}

/** Converts the outcome of a list for tests. Here an entry that the server would drop is an error. */
export function toListResult(
  outcome: Exclude<ListOutcome, { kind: 'input_required' }>,
  uriTemplate: string,
): Omit<ListResult, keyof CallRecord> {
  if (outcome.kind === 'error') return { resources: [], error: firstError(outcome) };
  const faults = outcome.resources.flatMap((entry) => faultOf(entry, uriTemplate) ?? []);
  return {
    resources: outcome.resources as unknown as ListedResource[],
    ...(faults.length > 0 && { error: firstError(malformed(faults.join('; '))) }),
  };
}

function faultOf(entry: unknown, uriTemplate: string): string | undefined {
  try {
    const { uri } = parseResourceDefinition(entry);
    return uri !== undefined && matchTemplate(uriTemplate, uri)
      ? undefined
      : `${JSON.stringify(uri)} does not fit ${uriTemplate}`;
  } catch (error) {
    if (error instanceof MalformedRegistrationError) return error.message;
    throw error;
  }
}

const malformed = (message: string): ErrorOutcome => errorOutcome('TOOL_INVALID_RESULT', message);
