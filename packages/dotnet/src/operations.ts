import { groupMembers } from '@mortise/process';

/** The state of a call: waiting for a lock, running, ending its processes, or ended by cancellation or timeout. */
export type OperationState = 'waiting' | 'running' | 'stopping' | 'cancelled' | 'timed out';

/** A call of this server that is in progress, or that was recently cancelled or timed out. */
export interface OperationInfo {
  readonly tool: string;
  readonly action?: string;
  /** The absolute path of the project, solution or folder. */
  readonly target: string;
  readonly state: OperationState;
  /** The time of the start in ISO 8601, like all times here. */
  readonly startedAt: string;
  /** The end of an operation that was cancelled or timed out. */
  readonly endedAt?: string;
  /** The running processes of the call; undefined on platforms where the members of process groups cannot be listed. */
  readonly processes?: readonly { readonly pid: number; readonly name: string }[];
}

/** Records the state of one call. */
export interface Operation {
  /** The absolute path of the target; undefined until the arguments have been checked. */
  target: string | undefined;
  /** True while the call waits for a lock. */
  isWaiting: boolean;
  /** Records that the call has started the process group `pid`. */
  started(pid: number): void;
  /** Records that the commands of the call are being ended. */
  aborting(why: 'cancelled' | 'timed out'): void;
  end(): void;
}

export interface Operations {
  begin(call: { tool: string; action: string | undefined; signal: AbortSignal }): Operation;
  /**
   * Returns the aborted calls in order of their end, then the calls in progress in order of their start, without
   * `except`.
   */
  list(except?: Operation): OperationInfo[];
}

/** The time for which aborted operations are kept. */
const RETENTION_MS = 600_000;
/** The maximum number of aborted operations that are kept. */
const MAX_CLOSED = 20;

/** A call. It is kept after it has been aborted, because the client of a cancelled call gets no response. */
class OpenOperation implements Operation {
  target: string | undefined;
  isWaiting = false;
  readonly #startedAt = new Date().toISOString();
  readonly #pids = new Set<number>();
  #abortCause: 'cancelled' | 'timed out' | undefined;
  endedAt: Date | undefined;

  constructor(
    readonly call: { tool: string; action: string | undefined; signal: AbortSignal },
    readonly onClosed: (operation: OpenOperation) => void,
  ) {}

  started(pid: number): void {
    this.#pids.add(pid);
  }

  aborting(why: 'cancelled' | 'timed out'): void {
    this.#abortCause = why;
  }

  end(): void {
    if (this.call.signal.aborted) this.#abortCause ??= 'cancelled';
    this.endedAt = new Date();
    this.#processes();
    this.onClosed(this);
  }

  get wasAborted(): boolean {
    return this.#abortCause !== undefined;
  }

  details(): OperationInfo {
    const { tool, action } = this.call;
    const processes = this.#processes();
    return {
      tool,
      ...(action !== undefined && { action }),
      target: this.target!,
      state: this.#state(),
      startedAt: this.#startedAt,
      ...(this.endedAt && { endedAt: this.endedAt.toISOString() }),
      ...(processes && { processes }),
    };
  }

  /**
   * Lists the processes. After the call has ended, an empty process group is forgotten, because its id may be reused.
   */
  #processes(): OperationInfo['processes'] {
    const groups = [...this.#pids].map((pid) => {
      const members = groupMembers(pid);
      if (this.endedAt && members?.length === 0) this.#pids.delete(pid);
      return members;
    });
    return groups.includes(undefined) ? undefined : groups.flatMap((members) => members ?? []);
  }

  #state(): OperationState {
    if (this.endedAt) return this.#abortCause!;
    if (this.#abortCause !== undefined || this.call.signal.aborted) return 'stopping';
    return this.isWaiting ? 'waiting' : 'running';
  }
}

export function createOperations(): Operations {
  const open = new Set<OpenOperation>();
  let closed: OpenOperation[] = [];
  const dropOld = () => {
    const since = Date.now() - RETENTION_MS;
    closed = closed.filter(({ endedAt }) => endedAt!.getTime() >= since).slice(-MAX_CLOSED);
  };
  return {
    begin(call) {
      const operation = new OpenOperation(call, () => {
        open.delete(operation);
        if (operation.wasAborted && operation.target !== undefined) closed.push(operation);
        dropOld();
      });
      open.add(operation);
      return operation;
    },
    list(except) {
      dropOld();
      const visible = [...open].filter((item) => item !== except && item.target !== undefined);
      return [...closed, ...visible].map((item) => item.details());
    },
  };
}
