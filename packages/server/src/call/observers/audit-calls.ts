import type { AuditLog } from '../../access/audit/audit-log.js';
import { callIdOf } from '../../core/call-id.js';
import { isRefusal, outcomeOf } from '../../core/call-outcome.js';
import { LOCAL } from '../../core/principal.js';
import type { ObservedAnswer, ObservedCall } from '../../core/server-api.js';
import type { Snapshot } from '../../core/snapshot.js';
import { estimateJsonSize } from '../../util/json-size.js';
import type { CallObserver } from './call-observer.js';

/**
 * Writes an audit line for every call, prompt and read. Completions, which clients request at every key press, have a
 * line only if they are refused.
 */
export class AuditCalls implements CallObserver {
  constructor(
    private readonly audit: AuditLog,
    private readonly snapshot: () => Pick<Snapshot, 'findTool' | 'findPrompt'>,
  ) {}

  answered(call: ObservedCall, answer: ObservedAnswer | undefined, durationMs: number): void {
    const { method, target, args, caller } = call;
    const owned = this.#findTarget(method, target);
    const outcome = outcomeOf(answer);
    if (method === 'completion/complete' && !isRefusal(outcome)) return;
    const { client, sessionId } = caller.info ?? {};
    const { action } = (args ?? {}) as { action?: unknown };
    this.audit.record({
      event: isRefusal(outcome) ? 'refused' : 'call',
      callId: callIdOf(caller),
      principal: (caller.principal ?? LOCAL).name,
      client: client && `${client.name} ${client.version}`.trim(),
      sessionId,
      method,
      plugin: owned?.plugin,
      target: owned?.name ?? target,
      action: typeof action === 'string' ? action : undefined,
      ...(args !== undefined && this.audit.argumentsOf(args)),
      outcome,
      durationMs: Math.round(durationMs * 100) / 100,
      bytes: answer && estimateJsonSize(answer, Number.POSITIVE_INFINITY),
      lock: lockOf(answer),
    });
  }

  #findTarget(method: ObservedCall['method'], target: string): { name: string; plugin: string } | undefined {
    if (method === 'tools/call') {
      const tool = this.snapshot().findTool(target);
      return tool && { name: tool.wireName, plugin: tool.plugin };
    }
    const prompt = method === 'prompts/get' ? this.snapshot().findPrompt(target) : undefined;
    return prompt && { name: target, plugin: prompt.plugin };
  }
}

function lockOf(answer: ObservedAnswer | undefined): unknown {
  if (answer === undefined || !('result' in answer)) return undefined;
  return (answer.result.structuredContent as { lockInfo?: unknown } | undefined)?.lockInfo;
}
