/** Takes secrets out of everything that leaves the process (contract.md §7). */
export interface Redactor {
  /** The text without ANSI sequences, control characters (TAB, LF, CR stay) and secrets. Linear in its length. */
  text(text: string): string;
  /** A copy of the JSON value with every string and key redacted; strings under secret keys are replaced whole. */
  value<T>(value: T): T;
}
