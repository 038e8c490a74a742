/** The path of the {@link ServerStatus}. */
export const STATUS_PATH = '/status';

/** The status of a server, for its operators (docs/spec/access.md#status). */
export interface ServerStatus {
  readonly server: 'mortise';
  readonly version: string;
  /** The word with which `/readyz` answers. */
  readonly state: string;
  /** '' for a server without a name. */
  readonly replica: string;
  /** The store of shared state; null without one. */
  readonly store: {
    readonly hosts: readonly string[];
    /** Why the store cannot be used, as the end of a sentence; null if it can. */
    readonly problem: string | null;
    /** The last known number of replicas that share the store. */
    readonly replicas: number;
  } | null;
  /** The tasks that run at this server. */
  readonly tasks: number;
  readonly sessions: number;
  readonly calls: { readonly running: number; readonly waiting: number };
}
