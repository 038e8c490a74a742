import { CALLER_LIMITS, type CallerLimits } from './caller-limits.js';
import type { Settings } from './settings.js';

/** Whose limits are asked for. */
interface LimitedPrincipal {
  readonly keyName?: string | undefined;
  readonly profiles: readonly string[];
}

/**
 * The limits of a principal: those of its key, then those of the profile of its key (of `--profile`, where it has none), then
 * the defaults, member by member, `Burst` with its `CallsPerSecond`. The profile of a URL changes none: with every URL a principal would have others.
 */
export function limitsOf(settings: Settings, { keyName, profiles }: LimitedPrincipal): CallerLimits {
  const { Profiles, Auth } = settings;
  const key = keyName === undefined ? undefined : Auth.Keys.find(({ Name }) => Name === keyName);
  const names = key ? [key.Profile] : profiles;
  const ofProfiles = names.flatMap((name) => (name === undefined ? [] : (Profiles[name]?.Limits ?? [])));
  return [least(ofProfiles), key?.Limits ?? {}].reduce(replaced, settings.Limits);
}

/** With these members in place of others. `Burst` belongs to the `CallsPerSecond` that it was given with. */
function replaced({ Burst, ...others }: CallerLimits, limits: CallerLimits): CallerLimits {
  const isRateKept = Burst !== undefined && limits.CallsPerSecond === undefined;
  return { ...others, ...(isRateKept && { Burst }), ...limits };
}

/** Whether any principal has limits of these members. */
export function hasLimits(settings: Settings, ...members: (keyof CallerLimits)[]): boolean {
  const { Limits: defaults, Profiles, Auth } = settings;
  const all = [defaults, ...[...Object.values(Profiles), ...Auth.Keys].map(({ Limits = {} }) => Limits)];
  return all.some((limits) => members.some((member) => limits[member] !== undefined));
}

/** What a result may have for each principal, in bytes: content and structuredContent together. */
export function resultLimit(settings: Settings): (principal: LimitedPrincipal) => number {
  const { MaxResultBytes } = settings.Output;
  if (!hasLimits(settings, 'ResultBytes')) return () => MaxResultBytes;
  return (principal) => Math.min(MaxResultBytes, limitsOf(settings, principal).ResultBytes ?? MaxResultBytes);
}

function least(all: readonly CallerLimits[]): CallerLimits {
  const members = Object.keys(CALLER_LIMITS) as (keyof CallerLimits)[];
  return Object.fromEntries(
    members.flatMap((member) => {
      const values = all.flatMap((limits) => limits[member] ?? []);
      return values.length === 0 ? [] : [[member, Math.min(...values)]];
    }),
  );
}
