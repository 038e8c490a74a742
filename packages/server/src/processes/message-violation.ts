import { countValues, hasMoreValues } from '@mortise/mcp/util';
import { type LimitViolation, limitViolation } from '../settings/limit-violation.js';
import type { PluginLimits } from '../settings/plugin-limits.js';

/** No character takes more bytes in UTF-8. */
const MAX_CHAR_BYTES = 3;

/**
 * Why a message of a plugin or of a mounted server is refused for its size, before it is parsed
 * (docs/spec/plugins.md#message-limits); undefined if it is within the limits.
 * @param subject begins the sentence: `The result`
 */
export function messageViolation(json: string, limits: PluginLimits, subject: string): LimitViolation | undefined {
  const { MessageBytes, MessageValues } = limits;
  if (json.length * MAX_CHAR_BYTES > MessageBytes) {
    const bytes = Buffer.byteLength(json);
    if (bytes > MessageBytes) return limitViolation(limits, 'MessageBytes', subject, bytes);
  }
  if (!hasMoreValues(json, MessageValues)) return undefined;
  return limitViolation(limits, 'MessageValues', subject, countValues(json));
}
