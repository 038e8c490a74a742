import type { ObservedAnswer, ObservedCall, ServerApi } from '../../core/server-api.js';

/** Code that hears of every call once it is answered. The list of them is in `create-observers.ts`. */
export interface CallObserver {
  /** Must not throw. @param answer undefined if something threw */
  answered(call: ObservedCall, answer: ObservedAnswer | undefined, durationMs: number): void;
}

type Calls = Pick<ServerApi, 'callTool' | 'readResource' | 'getPrompt' | 'complete'>;

/** The calls of a server, observed; the calls themselves where no one observes them. */
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
