/** A request over HTTP that is refused before anything is called, as the audit says it (docs/spec/audit.md#http-refusals). */
export interface HttpRefusal {
  readonly event: 'refused' | 'login-failed';
  readonly outcome: string;
  readonly status: number;
  /** The client's, as the server sees it. */
  readonly address: string;
  /** Undefined where no one has asked for a key yet, or the key is not valid. */
  readonly principal?: string | undefined;
  /** Of HTTP. */
  readonly method: string;
  /** The path, without the query. */
  readonly target: string;
}
