import type { ObservedAnswer, ObservedCall, ServerApi } from '../../core/server-api.js';

/** Code that is called after each answer. `create-observers.ts` has the list of all observers. */
export interface CallObserver {
  /** Must not throw. @param answer undefined if the call threw */
  answered(call: ObservedCall, answer: ObservedAnswer | undefined, durationMs: number): void;
}

type Calls = Pick<ServerApi, 'callTool' | 'readResource' | 'getPrompt' | 'complete'>;

/**
 * Wraps a server's call methods, so that the observers see each call. Returns them unchanged if there are no observers.
 */
export function observeCalls(calls: Calls, observers: readonly CallObserver[]): Calls {
  if (observers.length === 0) return calls;
  const observed = async <T>(call: ObservedCall, work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    let answer: T | undefined;
    try {
      answer = await work();
      return answer;
    } finally {
      const durationMs = performance.now() - startedAt;
      for (const observer of observers) observer.answered(call, answer as ObservedAnswer | undefined, durationMs);
    }
  };
  return {
    callTool: (name, args, caller) =>
      observed({ method: 'tools/call', target: name, args, caller }, () => calls.callTool(name, args, caller)),
    readResource: (uri, caller) =>
      observed({ method: 'resources/read', target: uri, args: undefined, caller }, () =>
        calls.readResource(uri, caller),
      ),
    getPrompt: (name, args, caller) =>
      observed({ method: 'prompts/get', target: name, args, caller }, () => calls.getPrompt(name, args, caller)),
    complete: (request, caller) =>
      observed({ method: 'completion/complete', target: targetOf(request), args: undefined, caller }, () =>
        calls.complete(request, caller),
      ),
  };
}

function targetOf({ ref }: Parameters<ServerApi['complete']>[0]): string {
  return 'name' in ref ? ref.name : ref.uriTemplate;
}
