import type { ErrorOutcome } from '@mortise/plugin/runtime';
import type { Operations } from '../../access/operations.js';
import type { Scope } from '../../core/principal.js';
import type { Caller } from '../../core/server-api.js';
import { errorOutcome } from '../results/error-outcomes.js';
import type { CallInterceptor, InterceptedCall } from './call-interceptor.js';

/** Refuses calls for which the principal lacks the scope (docs/spec/access.md#scopes). */
export class RequiredScope implements CallInterceptor {
  constructor(private readonly access: { readonly operations: Operations }) {}

  before({ caller, kind, tool, args, target }: InterceptedCall): ErrorOutcome | undefined {
    const { principal } = caller;
    if (principal === undefined || kind === 'list') return undefined;
    const scope = tool ? this.access.operations.of(tool, args?.action, args).scope : 'mortise:read';
    return principal.scopes.has(scope) ? undefined : scopeMissing(caller, scope, target);
  }
}

/** Tells the caller which scope it lacks, and returns the error. */
export function scopeMissing(caller: Caller, scope: Scope, target: string): ErrorOutcome {
  const { scopes = [], identity } = caller.principal ?? {};
  const credential = identity ? 'token' : 'key';
  const hint = identity
    ? `Log in again, and request '${identity.requestableName(scope) ?? scope}'. If the issuer does not grant it, ask its operator.`
    : `Ask the operator to add '${scope}' to the Scopes of the key in Auth.Keys.`;
  caller.lacksScope?.(scope);
  return errorOutcome('SCOPE_MISSING', `The access ${credential} has no scope '${scope}', which '${target}' needs`, {
    hint,
    data: { exitCode: -1, additionalData: { requiredScope: scope, scopes: [...scopes].join(' ') } },
  });
}
