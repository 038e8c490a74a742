import type { JsonObject } from '@mortise/plugin';
import { isJsonObject, type Outcome, type PluginLogEntry } from '@mortise/plugin/runtime';
import { errorOutcome } from '../../call/results/error-outcomes.js';
import { toLogEntry } from '../mounted/log-entry.js';
import { toolOutcome } from '../mounted/to-outcome.js';

const ERROR_KEY = 'mortise/error';
/** The codes that the host names, with what the author of a C# plugin can do. */
const HINTS = {
  TOOL_EXCEPTION:
    'The tool threw instead of returning a result. Its author can return a ToolCallResult with IsError = true to say what is wrong.',
  TOOL_INVALID_RESULT:
    'Return a ToolCallResult whose Content holds blocks of the types text, image, audio, resource and resource_link.',
} as const;
const CODES = Object.keys(HINTS) as (keyof typeof HINTS)[];

/** A result of the host of C# plugins, which names the code of an error in `_meta` (docs/csharp-plugins.md). */
export function hostOutcome(result: JsonObject): Outcome {
  const error = isJsonObject(result._meta) ? result._meta[ERROR_KEY] : undefined;
  if (!isJsonObject(error)) return toolOutcome(result);
  const { message, rawOutput } = error;
  const code = CODES.find((candidate) => candidate === error.code);
  if (code === undefined || typeof message !== 'string') return toolOutcome(result);
  return errorOutcome(code, message, { hint: HINTS[code], ...(typeof rawOutput === 'string' && { rawOutput }) });
}

const LOG_PREFIX = 'mortise/log ';

/** The line of a plugin's logger that the host writes to stderr while no client listens; undefined for any other line. */
export function hostLogEntry(line: string): PluginLogEntry | undefined {
  if (!line.startsWith(LOG_PREFIX)) return undefined;
  try {
    const entry: unknown = JSON.parse(line.slice(LOG_PREFIX.length));
    return isJsonObject(entry) ? toLogEntry(entry as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
