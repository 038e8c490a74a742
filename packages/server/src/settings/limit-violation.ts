import type { PluginProblem } from '@mortise/plugin/runtime';
import { LIMITS, type LimitName, type PluginLimits } from './plugin-limits.js';

/** A bound that is the same for everyone. */
export interface Bound {
  /** Its name in errors, such as `Blocks`. */
  readonly limit: string;
  readonly most: number;
  /** What one of it is, for messages: `blocks`, `bytes`. */
  readonly unit: string;
  /** What the author can do, if the advice is not simply to reduce the amount. */
  readonly advice?: string;
}

/** Which limit is exceeded, by how much, and what to do; in words. */
export interface LimitViolation {
  readonly limit: string;
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
  const { unit, advice } = LIMITS[limit];
  return {
    limit,
    message: `${subject} has ${amount(found)} ${unit}; Plugins.Limits.${limit} allows ${formatted(limits[limit])}`,
    hint: `${advice}, or raise Plugins.Limits.${limit} if you trust the plugin.`,
  };
}

/** The same for a bound: `The result has 6,000 blocks; 5,000 are allowed`. */
export function boundViolation(
  { limit, most, unit, advice = 'Reduce it' }: Bound,
  subject: string,
  found: number | string,
): LimitViolation {
  const message = `${subject} has ${amount(found)} ${unit}; ${formatted(most)} are allowed`;
  return { limit, message, hint: `${advice}.` };
}

const amount = (found: number | string) => (typeof found === 'number' ? formatted(found) : found);

/** `more than 8,388,608`, for an amount that was not counted completely. */
export const moreThan = (count: number): string => `more than ${formatted(count)}`;

/** A refusal as a problem of a plugin. */
export function limitProblem({ message, hint }: LimitViolation, location: PluginProblem['location']): PluginProblem {
  return { severity: 'error', code: 'LIMIT_EXCEEDED', message, hint, location };
}
