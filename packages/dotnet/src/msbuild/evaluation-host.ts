import { HostError } from '../host/dotnet-host.js';
import type { DotnetHosts } from '../host/dotnet-hosts.js';
import { type EvaluationHost, TimeUpError } from './read-projects.js';

/** The part of a call that its evaluations need. */
export interface EvaluatingCall {
  /** False for an action that may run code of the repository, and therefore an SDK in it. */
  readonly isReadOnly: boolean;
  readonly context: { readonly signal: AbortSignal };
  /** The time limit of the whole call. */
  readonly limitMs: number;
  /** The time until the deadline of the call. */
  readonly timeLeftMs: number;
}

/**
 * Creates the evaluation of projects for one call. It uses the process that loads no generators. If that process ends
 * because of another call, the request is sent once more, to the next process.
 */
export function createEvaluationHost(hosts: DotnetHosts, call: EvaluatingCall): EvaluationHost {
  return async (folder, params) => {
    const timeLimit = AbortSignal.timeout(call.timeLeftMs);
    const signal = AbortSignal.any([call.context.signal, timeLimit]);
    const request = { method: 'evaluate' as const, params, signal, onProgress() {} };
    const place = { folder, runsGenerators: false, runsCode: !call.isReadOnly };
    try {
      return await hosts.request(place, request).catch((error: unknown) => {
        if (error instanceof HostError && error.kind === 'ended') return hosts.request(place, request);
        throw error;
      });
    } catch (error) {
      throw timeLimit.aborted && error === timeLimit.reason ? new TimeUpError(call.limitMs) : error;
    }
  };
}
