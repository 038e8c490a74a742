import { RPC_CODES } from '@mortise/mcp';
import type { Answer } from '../../core/server-api.js';
import { CliError } from '../shared/cli-error.js';

const NOT_FOUND: readonly number[] = [RPC_CODES.resourceNotFound, RPC_CODES.invalidParams];

/** Returns the result of a read or a prompt. @throws CliError with the reason if there is none */
export function resultOf<T extends object>(answer: Answer<T>, target: string, suggestions: string[]): T {
  switch (answer.kind) {
    case 'result':
      return answer;
    case 'error': {
      const hint = suggestions.length > 0 ? `Did you mean ${suggestions.join(' or ')}?` : answer.data?.hint;
      const status = NOT_FOUND.includes(answer.code) ? 'notFound' : 'failed';
      throw new CliError(status, { message: `${answer.message}.`, ...(typeof hint === 'string' && { hint }) });
    }
    default:
      throw new CliError('failed', { message: `${target} needs an answer that a command line cannot give.` });
  }
}
