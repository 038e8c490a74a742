import type { ErrorOutcome } from '@mortise/plugin/runtime';
import { MAX_OPEN_QUESTIONS } from '../../core/max-open-questions.js';
import { errorOutcome } from '../results/error-outcomes.js';
import type { CallInterceptor, InterceptedCall } from './call-interceptor.js';

/** Limits the questions that wait for answers: while they are open, nothing else limits the calls that asked them. */
export class OpenQuestions implements CallInterceptor {
  /** By plugin and principal. */
  readonly #open = new Map<string, number>();

  asks({ owner, caller }: InterceptedCall, count: number): ErrorOutcome | (() => void) {
    const key = JSON.stringify([owner.path, caller.info?.principal ?? '']);
    const open = this.#open.get(key) ?? 0;
    if (open + count > MAX_OPEN_QUESTIONS) return tooMany(owner.plugin, open);
    this.#open.set(key, open + count);
    return () => {
      const left = this.#open.get(key)! - count;
      if (left > 0) this.#open.set(key, left);
      else this.#open.delete(key);
    };
  }
}

function tooMany(plugin: string, open: number): ErrorOutcome {
  return errorOutcome(
    'TOOL_BUSY',
    `The plugin '${plugin}' cannot ask: ${open} of its questions to this client are open, and ${MAX_OPEN_QUESTIONS} are allowed`,
    {
      hint: 'Answer the open questions or cancel their calls, then try again.',
      data: { exitCode: -1, additionalData: { plugin, openQuestions: `${open}` } },
    },
  );
}
