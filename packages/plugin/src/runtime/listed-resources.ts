import { isJsonObject, type JsonValue } from '../json.js';
import { describeError, describeValue } from './describe.js';
import { errorOutcome } from './error-outcome.js';
import type { ListOutcome } from './outcome.js';
import type { ResourceDefinition } from './plugin-instance.js';
import { NotSerializableError, toResultValue } from './to-json-value.js';

/**
 * Converts the return value of a template's `list` to JSON. Entries without `mimeType` get the template's. Never
 * throws.
 */
export function normaliseList(returned: unknown, { mimeType }: ResourceDefinition): ListOutcome {
  try {
    const resources = toResultValue(returned);
    if (!Array.isArray(resources)) return invalidList(describeValue(returned));
    const withType = (entry: JsonValue): JsonValue =>
      isJsonObject(entry) && mimeType !== undefined ? { mimeType, ...entry } : entry;
    return { kind: 'success', resources: resources.map(withType) };
  } catch (error) {
    return invalidList(error instanceof NotSerializableError ? error.message : describeError(error));
  }
}

const invalidList = (what: string) =>
  errorOutcome('TOOL_INVALID_RESULT', `it returned ${what}`, { hint: 'Return an array of { uri, name }.' });
