import type { CallerInfo, ClientCapabilities } from '../call-context.js';
import { ownMember } from '../json.js';
import type { ProgressReport } from '../progress-reporter.js';
import type { InputRequest, OnceResults } from '../runtime/outcome.js';
import type { CallChannel, PluginLogEntry } from '../runtime/plugin-instance.js';

/** An answer to a question of the tool as a client would give it, or what makes one of the request's params. */
export type TestAnswer = object | ((params: Record<string, unknown>) => unknown);

/** How a test calls a tool, a resource or a prompt. */
export interface CallOptions {
  /** The client's cancel: a call that it ends is OPERATION_CANCELLED. */
  signal?: AbortSignal;
  /** How long the call may take, in milliseconds; after it the call is OPERATION_TIMEOUT. Default: `timeoutMs` of the tool, or no limit. */
  timeoutMs?: number;
  /** Members of `context.caller`; by default the client is `test`, and the request is `1`. */
  caller?: Partial<CallerInfo>;
  /** Default: elicitation, sampling and roots. */
  clientCapabilities?: ClientCapabilities;
  /** Answers to `context.input`, by key: `{name: {action: 'accept', content: {name: 'Ada'}}}`. */
  answers?: Record<string, TestAnswer>;
  /**
   * `ask` (default): the call waits for each answer, as with protocol 2025-11-25. `retry`: it runs again from its start
   * with the answers so far, as with 2026-07-28; try both when your tool asks.
   */
  inputMode?: 'ask' | 'retry';
  /** Shows what `secret()` marked, as a call with this option does where the operator allows it. Default: `[REDACTED]`. */
  unsafeOutput?: boolean;
}

/** A report of progress; one in percent has the total 100. */
export interface RecordedProgress extends ProgressReport {
  /** `done` of `total`; absent if there is no total. */
  percent?: number;
}

/** What a call said while it ran. */
export interface CallRecord {
  progress: RecordedProgress[];
  logs: PluginLogEntry[];
}

const ALL_CAPABILITIES: ClientCapabilities = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };
const TEST_CALLER: CallerInfo = { client: { name: 'test', version: '1' }, requestId: '1' };
const MAX_ROUNDS = 20;

interface Interruptible {
  kind: string;
  requests?: Record<string, InputRequest>;
  onceResults?: OnceResults;
}

/**
 * Calls with a port made of the options; in mode `retry` again and again until no question is open.
 * @throws Error for a question that has no answer among the options
 */
export async function callWith<O extends Interruptible>(
  call: (channel: CallChannel) => Promise<O>,
  options: CallOptions,
): Promise<{ outcome: Exclude<O, { kind: 'input_required' }>; record: CallRecord }> {
  const members: Record<string, unknown> = {};
  let onceResults: OnceResults | undefined;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const record: CallRecord = { progress: [], logs: [] };
    const unanswered: Error[] = [];
    const outcome = await call({ ...createChannel(options, members, record, unanswered), onceResults });
    if (unanswered[0] !== undefined) throw unanswered[0];
    if (outcome.kind !== 'input_required') {
      return { outcome: outcome as Exclude<O, { kind: 'input_required' }>, record };
    }
    onceResults = outcome.onceResults;
    Object.assign(members, await answersTo(outcome.requests ?? {}, options));
  }
  throw new Error(`The call still asks after ${MAX_ROUNDS} rounds: its keys must be the same in every round.`);
}

function createChannel(
  options: CallOptions,
  answers: Record<string, unknown>,
  { progress, logs }: CallRecord,
  unanswered: Error[],
): CallChannel {
  return {
    signal: options.signal ?? new AbortController().signal,
    caller: { ...TEST_CALLER, ...options.caller },
    clientCapabilities: options.clientCapabilities ?? ALL_CAPABILITIES,
    inputMode: options.inputMode ?? 'ask',
    answers,
    progress: (report) => {
      const { done, total } = report;
      progress.push({ ...(total !== undefined && { percent: (done / total) * 100 }), ...report });
    },
    log: (entry) => {
      logs.push(entry);
    },
    requestInput: async (requests) => {
      try {
        return await answersTo(requests, options);
      } catch (error) {
        unanswered.push(error as Error);
        throw error;
      }
    },
  };
}

async function answersTo(
  requests: Record<string, InputRequest>,
  { answers = {} }: CallOptions,
): Promise<Record<string, unknown>> {
  const found = Object.entries(requests).map(async ([key, { method, params }]) => {
    const answer = ownMember(answers, key);
    if (answer === undefined) {
      throw new Error(`The tool asked '${key}' (${method}), and the test has no answer: give answers: {'${key}': …}.`);
    }
    return [key, typeof answer === 'function' ? await answer(params) : answer] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}
