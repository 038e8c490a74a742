import type { Access } from '../../access/access.js';
import type { AuditLog } from '../../access/audit/audit-log.js';
import type { Settings } from '../../settings/settings.js';
import type { SharedRates } from '../../state/shared-rates.js';
import { AuditRequired } from './audit-required.js';
import type { CallInterceptor } from './call-interceptor.js';
import { CallStatistics } from './call-statistics.js';
import { CallerLimiter } from './caller-limiter.js';
import { OpenQuestions } from './open-questions.js';
import { PluginConcurrency } from './plugin-concurrency.js';
import { RequiredScope } from './required-scope.js';

export interface Interceptors {
  /**
   * The interceptors of every call; the first one is the outermost. Each refuses calls only with error codes for which
   * `isRefusal` is true, so that the audit records the call as refused.
   */
  readonly interceptors: readonly CallInterceptor[];
  /** The number of running and of waiting calls of all plugins. */
  counts(): { readonly running: number; readonly waiting: number };
  readonly statistics: Pick<CallStatistics, 'of'>;
}

export function createInterceptors(
  settings: Settings,
  access: Pick<Access, 'operations'>,
  audit?: AuditLog,
  rates?: SharedRates,
): Interceptors {
  const { Plugins } = settings;
  const concurrency = new PluginConcurrency({
    maxConcurrentCalls: Plugins.MaxConcurrentCalls,
    maxQueuedCalls: Plugins.MaxQueuedCalls,
  });
  const statistics = new CallStatistics();
  const interceptors = [
    new RequiredScope(access),
    ...(audit ? [new AuditRequired(audit)] : []),
    ...(CallerLimiter.isNeeded(settings) ? [new CallerLimiter(settings, rates)] : []),
    new OpenQuestions(),
    concurrency,
    statistics,
  ];
  return { interceptors, counts: () => concurrency.counts, statistics };
}
