import { groupMembers } from '@mortise/process';

/** What a call that is in progress does: it waits for a lock, it works, or what it started is being ended. */
export type OperationState = 'waiting' | 'running' | 'stopping' | 'cancelled' | 'timed out';

/** A call of this server that is in progress, or that was ended from outside not long ago. */
export interface OperationInfo {
  readonly tool: string;
  readonly action?: string;
  /** Absolute: the project, the solution, or the folder. */
  readonly target: string;
  readonly state: OperationState;
  /** ISO 8601, as are all times. */
  readonly startedAt: string;
  /** When an operation was cancelled or timed out. */
  readonly endedAt?: string;
  /** What runs of it now, or is left of it; undefined where groups of processes cannot be looked into. */
  readonly processes?: readonly { readonly pid: number; readonly name: string }[];
}

/** Follows one call. */
export interface Operation {
  /** Not known before the arguments are checked. */
  target: string | undefined;
  isWaiting: boolean;
  /** A command of it runs now. */
  started(pid: number): void;
  /** Its commands are being ended. */
  aborting(why: 'cancelled' | 'timed out'): void;
  /** The call is over. */
  end(): void;
}

/** The calls of this server. */
export interface Operations {
  begin(call: { tool: string; action: string | undefined; signal: AbortSignal }): Operation;
  /** In the order of their beginning; without `except`. */
  list(except?: Operation): OperationInfo[];
}

/** How long ended operations are kept, in milliseconds, and how many of them. */
const RETENTION_MS = 600_000;
const MAX_CLOSED = 20;

/** One call. If it was cancelled, its client gets no response, so its outcome is kept here. */
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

  /** A group that nothing is left of is not looked for again: its number may be another's by then. */
  #processes(): OperationInfo['processes'] {
    const found = [...this.#pids].map((pid) => {
      const members = groupMembers(pid);
      if (this.endedAt && members?.length === 0) this.#pids.delete(pid);
      return members;
    });
    return found.includes(undefined) ? undefined : found.flatMap((item) => item ?? []);
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
