import { describe, expect, it } from 'vitest';
import type { InterceptedCall } from '../../../src/call/interceptors/call-interceptor.js';
import { OpenQuestions } from '../../../src/call/interceptors/open-questions.js';
import { MAX_OPEN_QUESTIONS } from '../../../src/core/max-open-questions.js';

const signal = new AbortController().signal;

function callOf(plugin: string, principal?: string): InterceptedCall {
  const client = { name: 'test', version: '1' };
  const info = { client, requestId: '1', ...(principal !== undefined && { principal }) };
  const caller = { signal, clientCapabilities: {}, inputMode: 'ask' as const, info };
  return { kind: 'tool', owner: { plugin, path: `/plugins/${plugin}` }, target: plugin, caller, ended: signal };
}

describe('OpenQuestions', () => {
  it('allows so many for each plugin and principal, and one more for each answer', () => {
    const questions = new OpenQuestions();
    const ends = Array.from({ length: MAX_OPEN_QUESTIONS }, () => questions.asks(callOf('p', 'a'), 1));
    expect(questions.asks(callOf('p', 'a'), 1)).toMatchObject({
      kind: 'error',
      errors: [{ code: 'TOOL_BUSY', data: { additionalData: { plugin: 'p', openQuestions: '32' } } }],
    });
    expect(questions.asks(callOf('p', 'b'), 1)).toBeTypeOf('function');
    expect(questions.asks(callOf('q', 'a'), 1)).toBeTypeOf('function');
    (ends[0] as () => void)();
    expect(questions.asks(callOf('p', 'a'), 2)).toHaveProperty('kind', 'error');
    expect(questions.asks(callOf('p', 'a'), 1)).toBeTypeOf('function');
  });

  it('counts each question of those that are asked together', () => {
    const questions = new OpenQuestions();
    expect(questions.asks(callOf('p'), MAX_OPEN_QUESTIONS + 1)).toHaveProperty('kind', 'error');
    const end = questions.asks(callOf('p'), MAX_OPEN_QUESTIONS);
    expect(questions.asks(callOf('p'), 1)).toHaveProperty('kind', 'error');
    (end as () => void)();
    expect(questions.asks(callOf('p'), MAX_OPEN_QUESTIONS)).toBeTypeOf('function');
  });
});
