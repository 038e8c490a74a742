import type { ClientCapabilities } from '@mortise/plugin';
import { errorEntry } from '../advice/plain-error.js';
import { type Action, type ActionContext, ActionError } from './action.js';
import { InvalidParameterError } from './invalid-parameter.js';

const SCHEMA = {
  type: 'object',
  properties: { confirmed: { type: 'boolean', title: 'Yes, do it', default: false } },
  required: ['confirmed'],
} as const;

/**
 * Asks the user before an action destroys something (docs/spec/dotnet-tools.md#destructive-actions). The call continues
 * only if the user accepts with `confirmed: true`. If the client cannot ask, actions with `needsForce` need `force:
 * true`.
 * @throws ActionError if the user does not confirm
 * @throws InvalidParameterError if `force` is needed
 */
export async function confirm({ confirm: rule }: Action, { args, context }: ActionContext): Promise<void> {
  const question = rule?.question(args);
  if (question === undefined) return;
  if (!canAsk(context.clientCapabilities)) {
    if (rule!.needsForce && args.force !== true) throw forceNeeded(args.action!, rule!.risk);
    return;
  }
  const answer = await context.input.elicit('confirm', { message: question, schema: SCHEMA });
  if (answer.action === 'accept' && answer.content?.confirmed === true) return;
  const message = 'The operation was cancelled by the user';
  const hint = 'Nothing was changed. Ask the user before you call again.';
  throw new ActionError(message, {
    errors: [errorEntry('OPERATION_CANCELLED', message, { hint, data: { exitCode: -1 } })],
  });
}

function forceNeeded(action: string, risk = 'cannot be undone'): InvalidParameterError {
  return new InvalidParameterError(
    'force',
    'required for safety',
    `Parameter 'force' must be true: ${action} ${risk}, and this client cannot ask the user`,
    { hint: 'Ask the user, then call again with force: true.' },
  );
}

/** True if a client can show forms to its user. `elicitation: {}` means forms; `url` alone does not. */
export function canAsk({ elicitation }: ClientCapabilities): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
