/** Looks after a server's process, as a plugin's is. */
export interface ProcessSupervisor {
  /** How long the process may take to end by itself once its input has, in milliseconds. */
  readonly shutdownMs: number;
  started(process: SupervisedProcess): void;
  /** It has answered with its lists. */
  loaded(): void;
  /** Whether something is running in it. */
  setBusy(isBusy: boolean): void;
  /** A line that it has printed. */
  onOutput(line: string): void;
  /** Why it ended by itself, if its output shows the reason. */
  cause(): string | undefined;
}

/** What a supervisor needs of a process. */
export interface SupervisedProcess {
  readonly pid: number | null;
  /** Resolves when it has ended, however it did. */
  readonly ended: Promise<unknown>;
  /** Writes a line of JSON to it. */
  send(message: object): Promise<void>;
  /** Kills it and all its descendants immediately; running calls end with this reason. */
  kill(reason: string): void;
}
