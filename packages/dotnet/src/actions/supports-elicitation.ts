import type { ClientCapabilities } from '@mortise/plugin';

/** Whether a client shows forms to its user: `elicitation: {}` says so too, one with only `url` does not. */
export function canAsk({ elicitation }: ClientCapabilities): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
