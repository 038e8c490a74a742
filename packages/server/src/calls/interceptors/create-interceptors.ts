import type { Access } from '../../access/access.js';
import type { AuditLog } from '../../audit/audit-log.js';
import type { Settings } from '../../settings/settings.js';
import { AuditRequired } from './audit-required.js';
import type { CallInterceptor } from './call-interceptor.js';
import { CallerLimiter } from './caller-limiter.js';
import { OpenQuestions } from './open-questions.js';
import { PluginConcurrency } from './plugin-concurrency.js';
import { RequiredScope } from './required-scope.js';

export interface Interceptors {
  /** The interceptors of every call, the first one outermost. */
  readonly interceptors: readonly CallInterceptor[];
  /** How many calls of plugins run and wait. */
  counts(): { readonly running: number; readonly waiting: number };
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
  const interceptors = [
    new RequiredScope(() => access.operations),
    ...(audit ? [new AuditRequired(audit)] : []),
    ...(CallerLimiter.isNeeded(settings) ? [new CallerLimiter(settings)] : []),
    new OpenQuestions(),
    plugins,
  ];
  return { interceptors, counts: () => plugins.counts };
}
