import type { Access } from '../../access/access.js';
import type { AuditLog } from '../../access/audit/audit-log.js';
import type { Settings } from '../../settings/settings.js';
import { AuditRequired } from './audit-required.js';
import type { CallInterceptor } from './call-interceptor.js';
import { CallStatistics } from './call-statistics.js';
import { CallerLimiter } from './caller-limiter.js';
import { OpenQuestions } from './open-questions.js';
import { PluginConcurrency } from './plugin-concurrency.js';
import { RequiredScope } from './required-scope.js';

export interface Interceptors {
  /** The interceptors of every call, the first one outermost. One that refuses a call uses a code with `isRefusal`. */
  readonly interceptors: readonly CallInterceptor[];
  /** How many calls of plugins run and wait. */
  counts(): { readonly running: number; readonly waiting: number };
  /** The calls of each plugin so far. */
  readonly statistics: Pick<CallStatistics, 'of'>;
}

export function createInterceptors(
  settings: Settings,
  access: Pick<Access, 'operations'>,
  audit?: AuditLog,
): Interceptors {
  const { Plugins } = settings;
  const plugins = new PluginConcurrency({
    maxConcurrentCalls: Plugins.MaxConcurrentCalls,
    maxQueuedCalls: Plugins.MaxQueuedCalls,
  });
  const statistics = new CallStatistics();
  const interceptors = [
    new RequiredScope(access),
    ...(audit ? [new AuditRequired(audit)] : []),
    ...(CallerLimiter.isNeeded(settings) ? [new CallerLimiter(settings)] : []),
    new OpenQuestions(),
    plugins,
    statistics,
  ];
  return { interceptors, counts: () => plugins.counts, statistics };
}
