/** The location at which a value was set. Lines and columns count from 1. */
export type Origin =
  | { readonly from: 'file'; readonly file: string; readonly line: number; readonly column: number }
  | { readonly from: 'environment'; readonly variable: string }
  | { readonly from: 'flags' }
  | { readonly from: 'defaults' };
