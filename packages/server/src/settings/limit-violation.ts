import type { PluginProblem } from '@mortise/plugin/runtime';
import { LIMITS, type LimitName, type PluginLimits } from './plugin-limits.js';

/** A limit that is the same for all plugins and that no setting changes. */
export interface Bound {
  /** The limit's name in errors, such as `Blocks`. */
  readonly limit: string;
  readonly most: number;
  /** The plural noun of what is counted, for messages: `blocks`, `bytes`. */
  readonly unit: string;
  /** An imperative that tells the author what to do. Default: `Reduce it`. */
  readonly advice?: string;
}

/** An exceeded limit in words: by how much it is exceeded, and what to do. */
export interface LimitViolation {
  readonly limit: string;
  readonly message: string;
  readonly hint: string;
}

const formatCount = (count: number) => count.toLocaleString('en');

/**
 * Describes an exceeded limit: `The plugin has 100,000 tools; Plugins.Limits.Tools allows 1,000`.
 * @param subject the noun that begins the message, such as `The plugin`
 * @param amount a text if the counting stopped early: `more than 8,388,608`
 */
export function limitViolation(
  limits: PluginLimits,
  limit: LimitName,
  subject: string,
  amount: number | string,
): LimitViolation {
  const { unit, advice } = LIMITS[limit];
  return {
    limit,
    message: `${subject} has ${formatAmount(amount)} ${unit}; Plugins.Limits.${limit} allows ${formatCount(limits[limit])}`,
    hint: `${advice}, or raise Plugins.Limits.${limit} if you trust the plugin.`,
  };
}

/** Describes an exceeded bound: `The result has 6,000 blocks; 5,000 are allowed`. */
export function boundViolation(
  { limit, most, unit, advice = 'Reduce it' }: Bound,
  subject: string,
  amount: number | string,
): LimitViolation {
  const message = `${subject} has ${formatAmount(amount)} ${unit}; ${formatCount(most)} are allowed`;
  return { limit, message, hint: `${advice}.` };
}

const formatAmount = (amount: number | string) => (typeof amount === 'number' ? formatCount(amount) : amount);

/** Returns the text for an amount whose counting stopped here: `more than 8,388,608`. */
export const moreThan = (count: number): string => `more than ${formatCount(count)}`;

/** Turns an exceeded limit into a problem of a plugin. */
export function limitProblem({ message, hint }: LimitViolation, location: PluginProblem['location']): PluginProblem {
  return { severity: 'error', code: 'LIMIT_EXCEEDED', message, hint, location };
}
