import type { Settings } from '../../settings/settings.js';
import type { CallInterceptor } from './call-interceptor.js';
import { OpenQuestions } from './open-questions.js';
import { PluginConcurrency } from './plugin-concurrency.js';

/** The interceptors of every call, the first one outermost. */
export function createInterceptors({ Plugins }: Settings): CallInterceptor[] {
  return [
    new OpenQuestions(),
    new PluginConcurrency({
      maxConcurrentCalls: Plugins.MaxConcurrentCalls,
      maxQueuedCalls: Plugins.MaxQueuedCalls,
    }),
  ];
}
