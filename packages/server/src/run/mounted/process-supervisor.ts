/** Supervises the process of a plugin that is run like a mounted server. */
export interface ProcessSupervisor {
  /** The time that the process has to end by itself after its input has ended. */
  readonly shutdownMs: number;
  started(process: SupervisedProcess): void;
  /** Called when the process has answered with its lists. */
  loaded(): void;
  /** Called when the process begins to have work, and when its work has ended. */
  setBusy(isBusy: boolean): void;
  /** Called for each line that the process prints. */
  onOutput(line: string): void;
  /** Returns the reason for which the process ended by itself; undefined if its output shows none. */
  cause(): string | undefined;
}

/** The part of a process that its supervisor uses. */
export interface SupervisedProcess {
  readonly pid: number | null;
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<unknown>;
  /** Writes a line of JSON to the process. */
  send(message: object): Promise<void>;
  /** Kills the process and its descendants immediately. Running calls end with this reason. */
  kill(reason: string): void;
}
