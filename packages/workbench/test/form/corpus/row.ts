import type { Step } from '../steps.js';

/** A schema, what a person does in its form, and the JSON that is sent. */
export interface CorpusRow {
  readonly title: string;
  readonly schema: Record<string, unknown>;
  readonly steps: readonly Step[];
  readonly sent: string;
  /** What the form reports of what was entered. */
  readonly issues?: readonly string[];
}

/** An object with these properties; those that are named are required. */
export const object = (properties: Record<string, unknown>, ...required: string[]) => ({
  type: 'object',
  properties,
  required,
});
