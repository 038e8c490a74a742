import { describe, expect, it } from 'vitest';
import { requestMeta } from '../support/raw-stdio.js';
import { call, useRaw } from './use-raw.js';

const accept = (content: object) => ({ action: 'accept', content });
const elicitation = call('test_input_required_result_elicitation');

describe('rounds of questions with 2026-07-28 over stdio', () => {
  const server = useRaw('2026-07-28');

  it('the first round names the questions by their keys, each with its method and its schema', async () => {
    const wire = server();
    const { result } = await wire.request('tools/call', call('test_input_required_result_multiple_inputs'));
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: {
        user_name: {
          method: 'elicitation/create',
          params: {
            message: 'What is your name?',
            requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
          },
        },
        greeting: { method: 'sampling/createMessage', params: { maxTokens: 50 } },
        client_roots: { method: 'roots/list' },
      },
      requestState: expect.any(String),
    });
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a list', []],
    ['no answer', {}],
    ['a wrong key', { wrong: accept({ name: 'Ada' }) }],
    ['a number', { user_name: 12345 }],
    ['an action that is none', { user_name: { action: 'perhaps' } }],
  ])('%s is asked again', async (_, inputResponses) => {
    const wire = server();
    const { result } = await wire.request('tools/call', { ...elicitation, inputResponses });
    expect(Object.keys(result.inputRequests)).toEqual(['user_name']);
  });

  it('answers are taken without the state, and keys that no one asked for are ignored', async () => {
    const wire = server();
    const inputResponses = { user_name: accept({ name: 'Ada' }), unasked: accept({}) };
    const { result } = await wire.request('tools/call', { ...elicitation, inputResponses });
    expect(result).toMatchObject({ resultType: 'complete', content: [{ type: 'text', text: 'Hello, Ada!' }] });
  });

  it('the state changes from round to round and carries the answers; one that was changed or is of another call is −32602', async () => {
    const wire = server();
    const name = 'test_input_required_result_multi_round';
    const round = async (more: object, args: object = {}) =>
      wire.request('tools/call', call(name, { arguments: args, ...more }));
    const first = (await round({})).result;
    expect(Object.keys(first.inputRequests)).toEqual(['step1']);
    const answered = { inputResponses: { step1: accept({ name: 'Ada' }) }, requestState: first.requestState };
    for (const refused of [
      await round({ ...answered, requestState: `${first.requestState}-TAMPERED` }),
      await round(answered, { other: true }),
      await wire.request('tools/call', { ...elicitation, ...answered }),
    ]) {
      expect(refused.error).toMatchObject({ code: -32602 });
    }
    const second = (await round(answered)).result;
    expect(Object.keys(second.inputRequests)).toEqual(['step2']);
    expect(second.requestState).not.toBe(first.requestState);
    const last = { inputResponses: { step2: accept({ color: 'green' }) }, requestState: second.requestState };
    expect((await round(last)).result.content).toEqual([{ type: 'text', text: 'Ada likes green.' }]);
  });
});

describe('rounds of questions to a client that has a model only, over stdio', () => {
  const server = useRaw('2026-07-28', { sampling: {} });

  it('only what the client declared is asked for, also by a prompt', async () => {
    const wire = server();
    const { result } = await wire.request('tools/call', call('test_input_required_result_capabilities'));
    expect(Object.keys(result.inputRequests)).toEqual(['capital_question']);
    const prompt = { name: 'test_input_required_result_prompt' };
    expect((await wire.request('prompts/get', prompt)).error).toMatchObject({ code: -32021 });
    const able = { ...prompt, _meta: requestMeta({ elicitation: {} }) };
    const questions = (await wire.request('prompts/get', able)).result;
    expect(Object.keys(questions.inputRequests)).toEqual(['user_context']);
    const inputResponses = { user_context: accept({ context: 'tests' }) };
    const { messages } = (
      await wire.request('prompts/get', { ...able, inputResponses, requestState: questions.requestState })
    ).result;
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Use this context: tests' } }]);
  });
});
