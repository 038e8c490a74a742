import type { AuditLog } from '../../audit/audit-log.js';
import type { Settings } from '../../settings/settings.js';
import { AuditRequired } from './audit-required.js';
import type { CallInterceptor } from './call-interceptor.js';
import { OpenQuestions } from './open-questions.js';
import { PluginConcurrency } from './plugin-concurrency.js';

/** The interceptors of every call, the first one outermost. */
export function createInterceptors({ Plugins }: Settings, audit?: AuditLog): CallInterceptor[] {
  return [
    ...(audit ? [new AuditRequired(audit)] : []),
    new OpenQuestions(),
    new PluginConcurrency({
      maxConcurrentCalls: Plugins.MaxConcurrentCalls,
      maxQueuedCalls: Plugins.MaxQueuedCalls,
    }),
  ];
}
