/** The audit record of an HTTP request that was refused before it became a call (docs/spec/audit.md#http-refusals). */
export interface HttpRefusal {
  readonly event: 'refused' | 'login-failed';
  readonly outcome: string;
  readonly status: number;
  /** The client's IP address, as the server sees it. */
  readonly address: string;
  /** The principal's name; undefined if the request was refused before its key was checked, or the key is not valid. */
  readonly principal?: string | undefined;
  readonly method: string;
  /** The path without the query. */
  readonly target: string;
}
