import { RPC_CODES, type RpcErrorObject, type StoredTask, type TaskMessage } from '@mortise/mcp';
import { errorCodeEntry } from '@mortise/plugin';
import { decode, encode, OtherFormatError } from './format.js';

/** A task in the store of shared state (docs/spec/shared.md#tasks). */
export interface TaskRecord extends StoredTask {
  /** The name of the replica that runs the task, for people. */
  readonly replica: string;
  /** The id of the process that runs the task. It receives the messages for the task. */
  readonly runner: string;
  /** How long the task is kept after its end. */
  readonly keepMs: number;
}

export function encodeTask({ expiresAt, ...record }: TaskRecord): string {
  return encode({ ...record, expiresAt: expiresAt ?? null });
}

/** @throws OtherFormatError */
export function decodeTask(text: string): TaskRecord {
  const { expiresAt, ...record } = decode(text);
  return { ...record, expiresAt: expiresAt ?? undefined } as TaskRecord;
}

export const encodeMessage = (message: TaskMessage): string => encode(message);

/** @throws OtherFormatError */
export function decodeMessage(text: string): TaskMessage {
  const message = decode(text);
  if (message.kind === 'answers' || message.kind === 'cancel') return message as unknown as TaskMessage;
  throw new OtherFormatError(`A task got a message of the unknown kind ${JSON.stringify(message.kind)}.`);
}

/** The error of a task whose replica has ended without an answer (docs/spec/shared.md#lost). */
export function lostError({ replica, isRepeatable }: Pick<TaskRecord, 'replica' | 'isRepeatable'>): RpcErrorObject {
  const message = `The replica ${replica} ended, or lost its lease, before the task had a result`;
  const hint = isRepeatable
    ? 'Call the tool again: repeating the call has no further effect.'
    : errorCodeEntry('TASK_LOST')!.hint!;
  return { code: RPC_CODES.internalError, message, data: { code: 'TASK_LOST', hint, safeToRepeat: isRepeatable } };
}

/** The record of a task that has failed with {@link lostError}. */
export function lostTask(record: TaskRecord): TaskRecord {
  const { taskId, createdAt, pollIntervalMs } = record.task;
  const now = Date.now();
  const error = lostError(record);
  const expiresAt = now + record.keepMs;
  return {
    ...record,
    expiresAt,
    task: {
      ...{ taskId, createdAt, pollIntervalMs },
      lastUpdatedAt: new Date(now).toISOString(),
      ttlMs: expiresAt - Date.parse(createdAt),
      status: 'failed',
      statusMessage: error.message,
      error,
    } as StoredTask['task'],
  };
}
