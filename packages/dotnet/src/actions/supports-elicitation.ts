import type { ClientCapabilities } from '@mortise/plugin';

/** Whether a client shows forms to its user: also with `elicitation: {}`, but not with only `url`. */
export function canAsk({ elicitation }: ClientCapabilities): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
