import type { CallerInfo, ClientCapabilities } from '../call-context.js';
import { ownMember } from '../json.js';
import type { ProgressReport } from '../progress-reporter.js';
import type { InputRequest, OnceResults } from '../runtime/outcome.js';
import type { CallChannel, PluginLogEntry } from '../runtime/plugin-instance.js';

/** A client's answer to a question of the tool, or a function that creates it from the params of the request. */
export type TestAnswer = object | ((params: Record<string, unknown>) => unknown);

export interface CallOptions {
  /** Cancels the call, as a client can; it ends with OPERATION_CANCELLED. */
  signal?: AbortSignal;
  /**
   * The time limit of the call, in milliseconds; then it ends with OPERATION_TIMEOUT. Default: the tool's `timeoutMs`,
   * or no limit.
   */
  timeoutMs?: number;
  /** Members of `context.caller`. By default the client is `test` and the request is `1`. */
  caller?: Partial<CallerInfo>;
  /** Default: all of elicitation, sampling and roots. */
  clientCapabilities?: ClientCapabilities;
  /** Answers to `context.input`, by key: `{name: {action: 'accept', content: {name: 'Ada'}}}`. */
  answers?: Record<string, TestAnswer>;
  /**
   * `ask` (default): the call waits for each answer, as with protocol 2025-11-25. `retry`: it runs again from its start
   * with the answers so far, as with 2026-07-28. Test both if your tool asks questions.
   */
  inputMode?: 'ask' | 'retry';
  /**
   * Shows texts that `secret()` marked, as the server does in a call with `unsafeOutput`. Default: they are
   * `[REDACTED]`.
   */
  unsafeOutput?: boolean;
}

export interface RecordedProgress extends ProgressReport {
  /** `done` in percent of `total`; absent if there is no total. */
  percent?: number;
}

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
 * Makes a call with a channel that the options describe. In mode `retry` it repeats the call until no question is open.
 * @throws Error if a question has no answer among the options
 */
export async function callWith<O extends Interruptible>(
  call: (channel: CallChannel) => Promise<O>,
  options: CallOptions,
): Promise<{ outcome: Exclude<O, { kind: 'input_required' }>; record: CallRecord }> {
  const answers: Record<string, unknown> = {};
  let onceResults: OnceResults | undefined;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const record: CallRecord = { progress: [], logs: [] };
    const unanswered: Error[] = [];
    const outcome = await call({ ...createChannel(options, answers, { ...record, unanswered }), onceResults });
    if (unanswered[0] !== undefined) throw unanswered[0];
    if (outcome.kind !== 'input_required') {
      return { outcome: outcome as Exclude<O, { kind: 'input_required' }>, record };
    }
    onceResults = outcome.onceResults;
    Object.assign(answers, await answersTo(outcome.requests ?? {}, options));
  }
  throw new Error(
    `The call still asks after ${MAX_ROUNDS} rounds. Use the same key for the same question in every round.`,
  );
}

function createChannel(
  options: CallOptions,
  answers: Record<string, unknown>,
  { progress, logs, unanswered }: CallRecord & { unanswered: Error[] },
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
      throw new Error(
        `The tool asked '${key}' (${method}), and the test has no answer. Pass answers: { '${key}': … }.`,
      );
    }
    return [key, typeof answer === 'function' ? await answer(params) : answer] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}
