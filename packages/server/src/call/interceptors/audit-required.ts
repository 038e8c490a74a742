import type { ErrorOutcome } from '@mortise/plugin/runtime';
import type { AuditLog } from '../../access/audit/audit-log.js';
import { errorOutcome } from '../results/error-outcomes.js';
import type { CallInterceptor, InterceptedCall } from './call-interceptor.js';

/**
 * Refuses calls while the audit cannot be written, if `Audit.OnFailure` is `refuse`
 * (docs/spec/audit.md#audit-failure).
 */
export class AuditRequired implements CallInterceptor {
  constructor(private readonly audit: Pick<AuditLog, 'isRefusing'>) {}

  before({ kind }: InterceptedCall): ErrorOutcome | undefined {
    if (!this.audit.isRefusing || kind === 'completion' || kind === 'list') return undefined;
    return errorOutcome('AUDIT_UNAVAILABLE', 'The call was not run, because the audit cannot be written');
  }
}
