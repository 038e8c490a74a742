import type { ErrorOutcome } from '@mortise/plugin/runtime';
import { MAX_OPEN_QUESTIONS } from '../../core/max-open-questions.js';
import { errorOutcome } from '../results/error-outcomes.js';
import type { CallInterceptor, InterceptedCall } from './call-interceptor.js';

/**
 * Limits the number of unanswered questions. Without it nothing would limit calls that wait for an answer, because they
 * hold no slot.
 */
export class OpenQuestions implements CallInterceptor {
  /** The number of open questions for each pair of plugin and principal. */
  readonly #openCounts = new Map<string, number>();

  asks({ owner, caller }: InterceptedCall, questionCount: number): ErrorOutcome | (() => void) {
    const key = JSON.stringify([owner.path, caller.info?.principal ?? '']);
    const openCount = this.#openCounts.get(key) ?? 0;
    if (openCount + questionCount > MAX_OPEN_QUESTIONS) return tooManyQuestions(owner.plugin, openCount);
    this.#openCounts.set(key, openCount + questionCount);
    return () => {
      const remaining = this.#openCounts.get(key)! - questionCount;
      if (remaining > 0) this.#openCounts.set(key, remaining);
      else this.#openCounts.delete(key);
    };
  }
}

function tooManyQuestions(plugin: string, openCount: number): ErrorOutcome {
  return errorOutcome(
    'TOOL_BUSY',
    `The plugin '${plugin}' cannot ask this client: ${openCount} of its questions are open, and ${MAX_OPEN_QUESTIONS} are allowed`,
    {
      hint: 'Answer the open questions or cancel their calls, then try again.',
      data: { exitCode: -1, additionalData: { plugin, openQuestions: `${openCount}` } },
    },
  );
}
