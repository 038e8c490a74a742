import type { JsonObject } from '@mortise/plugin';
import type { CallAnswer, Caller, ServerApi } from '../../core/server-api.js';

/** A request that was answered by the pipeline, or before it: a refusal or an unknown name too. */
export interface ObservedCall {
  readonly method: 'tools/call' | 'resources/read' | 'prompts/get' | 'completion/complete';
  /** As the caller wrote it: the tool's or prompt's name, or the URI. */
  readonly target: string;
  readonly args: unknown;
  readonly caller: Caller;
}

export type ObservedAnswer =
  | CallAnswer
  | { readonly kind: 'result' }
  | { readonly kind: 'error'; readonly code: number; readonly message: string; readonly data?: JsonObject };

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

/** `ok`, or the code of the error. */
export function outcomeOf(answer: ObservedAnswer | undefined): string {
  if (answer === undefined) return 'INTERNAL_ERROR';
  if ('result' in answer) return answer.result.isError ? (firstCode(answer.result) ?? 'TOOL_ERROR') : 'ok';
  if (answer.kind === 'error')
    return typeof answer.data?.code === 'string' ? answer.data.code : `JSON_RPC_${answer.code}`;
  return answer.kind === 'result' ? 'ok' : answer.kind.toUpperCase();
}

function firstCode({ structuredContent }: { structuredContent?: object }): string | undefined {
  const { errors } = (structuredContent ?? {}) as { errors?: readonly { code?: string }[] };
  return errors?.[0]?.code;
}
