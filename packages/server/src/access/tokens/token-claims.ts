import { ownMember } from '@mortise/plugin/runtime';
import type { Scope } from '../../core/principal.js';
import { SCOPES } from '../../settings/access-settings.js';
import type { Issuer } from '../../settings/issuer-settings.js';

export type Claims = Readonly<Record<string, unknown>>;

/** The scopes that a scope of a token includes, from the narrowest on (docs/spec/access.md#scopes). */
const withIncluded = (scope: Scope): readonly Scope[] => SCOPES.slice(0, SCOPES.indexOf(scope) + 1);

/** Claims whose text is a list with spaces, of names that a client can request. */
const SCOPE_CLAIMS: readonly string[] = ['scope', 'scp'];

/** Returns the scopes of a token, with those that they include. Claims of another type give none. */
export function scopesOf(claims: Claims, { Scopes }: Issuer): ReadonlySet<Scope> {
  const names = Scopes
    ? valuesOf(claims, Scopes.from).flatMap((value) => ownMember(Scopes.map, value) ?? [])
    : (SCOPE_CLAIMS.map((claim) => valuesOf(claims, claim)).find((values) => values.length > 0) ?? []);
  return new Set(SCOPES.filter((scope) => names.includes(scope)).flatMap(withIncluded));
}

/** Returns the name of the profile that a token gets; undefined if the issuer gives none. */
export function profileOf(claims: Claims, { Profile }: Issuer): string | undefined {
  if (Profile === undefined) return undefined;
  const values = valuesOf(claims, Profile.from);
  return Object.entries(Profile.map).find(([value]) => values.includes(value))?.[1] ?? Profile.default;
}

/** Returns the name under which a client can request a scope; undefined if roles or groups give it. */
export function requestableName(scope: Scope, { Scopes }: Issuer): string | undefined {
  if (Scopes === undefined) return scope;
  if (!SCOPE_CLAIMS.includes(Scopes.from)) return undefined;
  const entries = Object.entries(Scopes.map);
  const direct = entries.find(([, scopes]) => scopes.includes(scope));
  return (direct ?? entries.find(([, scopes]) => scopes.some((one) => withIncluded(one).includes(scope))))?.[0];
}

function valuesOf(claims: Claims, path: string): string[] {
  const value = ownMember(claims, path) ?? path.split('.').reduce<unknown>(memberOf, claims);
  if (typeof value === 'string') return SCOPE_CLAIMS.includes(path) ? value.split(' ').filter(Boolean) : [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? ownMember(value as Claims, name) : undefined;
