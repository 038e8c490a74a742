import type { JsonObject } from '@mortise/plugin';
import { type CallChannel, isJsonObject, type Outcome, type PluginLogEntry } from '@mortise/plugin/runtime';
import { errorOutcome } from '../../call/results/error-outcomes.js';
import { toLogEntry } from '../mounted/log-entry.js';
import { passedMeta } from '../mounted/passed-meta.js';
import { toolOutcome } from '../mounted/to-outcome.js';

const ERROR_KEY = 'mortise/error';
/** The codes that the host names, each with a hint for the author of a C# plugin. */
const HINTS = {
  TOOL_EXCEPTION:
    'Catch the exception in the tool, and return a ToolCallResult with IsError = true that says what is wrong.',
  TOOL_INVALID_RESULT:
    'Return a ToolCallResult whose Content has blocks of the types text, image, audio, resource or resource_link.',
} as const;
const CODES = Object.keys(HINTS) as (keyof typeof HINTS)[];

/** Converts a result of the host of C# plugins. The host names the code of an error in `_meta`. */
export function hostOutcome(result: JsonObject): Outcome {
  const error = isJsonObject(result._meta) ? result._meta[ERROR_KEY] : undefined;
  if (!isJsonObject(error)) return toolOutcome(result);
  const { message, rawOutput } = error;
  const code = CODES.find((candidate) => candidate === error.code);
  if (code === undefined || typeof message !== 'string') return toolOutcome(result);
  return errorOutcome(code, message, { hint: HINTS[code], ...(typeof rawOutput === 'string' && { rawOutput }) });
}

const CALLER_KEY = 'mortise/caller';

/** Returns the `_meta` for the host: that of the client, and the caller (docs/spec/csharp-plugins.md#csharp-caller). */
export function hostMeta({ meta, caller }: CallChannel): JsonObject {
  const { [CALLER_KEY]: _, ...passed } = passedMeta(meta) ?? {};
  if (caller?.principal === undefined) return passed;
  const { principal, issuer, subject } = caller;
  return { ...passed, [CALLER_KEY]: { principal, ...(issuer && { issuer }), ...(subject && { subject }) } };
}

const LOG_PREFIX = 'mortise/log ';

/** Reads a line of a plugin's logger, which the host writes to stderr while it has no client. Undefined for other lines. */
export function hostLogEntry(line: string): PluginLogEntry | undefined {
  if (!line.startsWith(LOG_PREFIX)) return undefined;
  try {
    const entry: unknown = JSON.parse(line.slice(LOG_PREFIX.length));
    return isJsonObject(entry) ? toLogEntry(entry as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
