import { CALLER_LIMITS, type CallerLimits } from './caller-limits.js';
import type { Settings } from './settings.js';

interface LimitedPrincipal {
  readonly keyName?: string | undefined;
  /** Set for a principal with a token. */
  readonly identity?: { readonly profile: string | undefined } | undefined;
  readonly profiles: readonly string[];
}

/**
 * Returns the limits of a principal. Each member comes from its key; if the key does not set it, from the profile of
 * the key or token (without either, from the strictest profile of `--profile`); otherwise from `Limits`. For a principal with a
 * key or token, profiles in the URL do not count, because the principal would have other limits under every URL.
 */
export function limitsOf(settings: Settings, { keyName, identity, profiles }: LimitedPrincipal): CallerLimits {
  const { Profiles, Auth } = settings;
  const key = keyName === undefined ? undefined : Auth.Keys.find(({ Name }) => Name === keyName);
  const names = key ? [key.Profile] : identity ? [identity.profile] : profiles;
  const profileLimits = names.flatMap((name) => (name === undefined ? [] : (Profiles[name]?.Limits ?? [])));
  return [strictest(profileLimits), key?.Limits ?? {}].reduce(withOverrides, settings.Limits);
}

/** Replaces members of limits. A new `CallsPerSecond` also removes the `Burst` that belonged to the former one. */
function withOverrides({ Burst, ...others }: CallerLimits, overrides: CallerLimits): CallerLimits {
  const isBurstKept = Burst !== undefined && overrides.CallsPerSecond === undefined;
  return { ...others, ...(isBurstKept && { Burst }), ...overrides };
}

/** True if one of these members is limited for any principal. */
export function hasLimits(settings: Settings, ...members: (keyof CallerLimits)[]): boolean {
  const { Limits: defaults, Profiles, Auth } = settings;
  const allLimits = [defaults, ...[...Object.values(Profiles), ...Auth.Keys].map(({ Limits = {} }) => Limits)];
  return allLimits.some((limits) => members.some((member) => limits[member] !== undefined));
}

/** Returns a function that gives a principal's maximum result size in bytes: content and structuredContent together. */
export function resultLimit(settings: Settings): (principal: LimitedPrincipal) => number {
  const { MaxResultBytes } = settings.Output;
  if (!hasLimits(settings, 'ResultBytes')) return () => MaxResultBytes;
  return (principal) => Math.min(MaxResultBytes, limitsOf(settings, principal).ResultBytes ?? MaxResultBytes);
}

/** Combines limits by taking the least value of each member. */
function strictest(alternatives: readonly CallerLimits[]): CallerLimits {
  const members = Object.keys(CALLER_LIMITS) as (keyof CallerLimits)[];
  return Object.fromEntries(
    members.flatMap((member) => {
      const values = alternatives.flatMap((limits) => limits[member] ?? []);
      return values.length === 0 ? [] : [[member, Math.min(...values)]];
    }),
  );
}
