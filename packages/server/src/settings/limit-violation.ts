import type { PluginProblem } from '@mortise/plugin/runtime';
import { LIMITS, type LimitName, type PluginLimits } from './plugin-limits.js';

/** Which limit is exceeded, by how much, and what to do; in words. */
export interface LimitViolation {
  readonly limit: LimitName;
  readonly message: string;
  readonly hint: string;
}

const formatted = (count: number) => count.toLocaleString('en');

/**
 * The words of a refusal: `The plugin has 100,000 tools; Plugins.Limits.Tools allows 1,000`.
 * @param subject what has too much of it, such as `The plugin`
 * @param found how much there is; as text where it was not counted to its end: `more than 8,388,608`
 */
export function limitViolation(
  limits: PluginLimits,
  limit: LimitName,
  subject: string,
  found: number | string,
): LimitViolation {
  const { unit, advice = 'Reduce it' } = LIMITS[limit];
  const much = typeof found === 'number' ? formatted(found) : found;
  return {
    limit,
    message: `${subject} has ${much} ${unit}; Plugins.Limits.${limit} allows ${formatted(limits[limit])}`,
    hint: `${advice}, or raise Plugins.Limits.${limit} if you trust the plugin.`,
  };
}

/** `more than 8,388,608`, for an amount that was not counted completely. */
export const moreThan = (count: number): string => `more than ${formatted(count)}`;

/** A refusal as a problem of a plugin. */
export function limitProblem({ message, hint }: LimitViolation, location: PluginProblem['location']): PluginProblem {
  return { severity: 'error', code: 'LIMIT_EXCEEDED', message, hint, location };
}
