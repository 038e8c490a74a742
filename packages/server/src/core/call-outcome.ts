import type { ObservedAnswer } from './server-api.js';

/** `ok`, or the code of the error. */
export function outcomeOf(answer: ObservedAnswer | undefined): string {
  if (answer === undefined) return 'INTERNAL_ERROR';
  if ('result' in answer) return answer.result.isError ? (firstCode(answer.result) ?? 'TOOL_ERROR') : 'ok';
  if (answer.kind === 'error')
    return typeof answer.data?.code === 'string' ? answer.data.code : `JSON_RPC_${answer.code}`;
  return answer.kind === 'result' ? 'ok' : answer.kind.toUpperCase();
}

function firstCode({ structuredContent }: { structuredContent?: object }): string | undefined {
  const { errors } = (structuredContent ?? {}) as { errors?: readonly { code?: string }[] };
  return errors?.[0]?.code;
}
