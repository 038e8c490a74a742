/** The refusal of a request. `outcome` is its name in the audit. */
export interface Refusal {
  readonly outcome: string;
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}
