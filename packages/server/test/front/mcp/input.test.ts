import { createInputRounds } from '@mortise/mcp';
import { describe, expect, test } from 'vitest';
import { type HttpWire, withHttp } from './http-wire.js';
import type { Wire } from './wire.js';

const ADA = { action: 'accept', content: { name: 'Ada' } };
const call = async (wire: HttpWire, params: Record<string, unknown>, headers = {}): Promise<Wire> =>
  (await wire.modern('tools/call', params, headers)).body;
const answersOf = (body: Wire) => JSON.parse(body.result.content[0].text);

describe('multi round-trip input of 2026-07-28', () => {
  test('a question ends the call, its answer lets it run again', () =>
    withHttp({}, async (wire) => {
      const { result } = await call(wire, { name: 'ask_one' });
      expect(result).toMatchObject({
        resultType: 'input_required',
        inputRequests: { user: { method: 'elicitation/create', params: { message: 'Your name?' } } },
      });
      const { requestState } = result;
      const body = await call(wire, { name: 'ask_one', requestState, inputResponses: { user: ADA } });
      expect(answersOf(body)).toEqual({ user: ADA });
    }));

  test('several questions are asked at once', () =>
    withHttp({}, async (wire) => {
      const { result } = await call(wire, { name: 'ask_all' });
      expect(Object.keys(result.inputRequests)).toEqual(['user', 'city', 'where']);
    }));

  test('rounds keep the answers of the rounds before, and only those that were asked for', () =>
    withHttp({}, async (wire) => {
      const one = await call(wire, { name: 'ask_twice' });
      const two = await call(wire, {
        name: 'ask_twice',
        requestState: one.result.requestState,
        inputResponses: { first: ADA, second: { action: 'decline' }, extra: ADA },
      });
      expect(Object.keys(two.result.inputRequests)).toEqual(['second']);
      const three = await call(wire, {
        name: 'ask_twice',
        requestState: two.result.requestState,
        inputResponses: { second: { action: 'cancel' }, first: { action: 'decline' } },
      });
      expect(answersOf(three)).toEqual({ first: ADA, second: { action: 'cancel' } });
    }));

  test('a missing or wrong answer is asked for again', () =>
    withHttp({}, async (wire) => {
      const { requestState } = (await call(wire, { name: 'ask_one' })).result;
      for (const inputResponses of [{}, { other: ADA }, { user: 'Ada' }, []]) {
        const { result } = await call(wire, { name: 'ask_one', requestState, inputResponses });
        expect(Object.keys(result.inputRequests)).toEqual(['user']);
      }
    }));

  test('answers without a state are taken', () =>
    withHttp({}, async (wire) => {
      expect(answersOf(await call(wire, { name: 'ask_one', inputResponses: { user: ADA, extra: ADA } }))).toEqual({
        user: ADA,
      });
    }));

  test('resources and prompts ask the same way', () =>
    withHttp({}, async (wire) => {
      for (const [method, params] of [
        ['resources/read', { uri: 'test://ask' }],
        ['prompts/get', { name: 'interview' }],
      ] as const) {
        const { requestState, inputRequests } = (await wire.modern(method, params)).body.result;
        expect(Object.keys(inputRequests)).toEqual(['who']);
        const done = await wire.modern(method, { ...params, requestState, inputResponses: { who: ADA } });
        expect(JSON.stringify(done.body.result)).toContain('Ada');
      }
    }));

  test('a state holds whatever the order of the members of the arguments', () =>
    withHttp({}, async (wire) => {
      const { requestState } = (await call(wire, { name: 'ask_one', arguments: { a: 1, b: { c: 2, d: 3 } } })).result;
      const inputResponses = { user: ADA };
      const body = await call(wire, {
        name: 'ask_one',
        arguments: { b: { d: 3, c: 2 }, a: 1 },
        requestState,
        inputResponses,
      });
      expect(answersOf(body)).toEqual({ user: ADA });
    }));

  test('a state that was tampered with, or belongs to something else, is −32602', () =>
    withHttp(
      {
        Auth: {
          Keys: [
            { Name: 'a', Key: 'a', Scopes: [] },
            { Name: 'b', Key: 'b', Scopes: [] },
          ],
        },
      },
      async (wire) => {
        const [a, b] = [{ authorization: 'Bearer a' }, { authorization: 'Bearer b' }];
        const { requestState } = (await call(wire, { name: 'ask_one', arguments: { x: 1 } }, a)).result;
        const forged = Buffer.from(requestState, 'base64url');
        forged[forged.length - 1]! ^= 1;
        const inputResponses = { user: ADA };
        const right = { name: 'ask_one', arguments: { x: 1 }, requestState, inputResponses };
        for (const [params, headers] of [
          [{ ...right, requestState: forged.toString('base64url') }, a],
          [{ ...right, requestState: requestState.slice(0, -8) }, a],
          [{ ...right, requestState: 'nonsense' }, a],
          [{ ...right, requestState: '' }, a],
          [{ ...right, requestState: 7 }, a],
          [{ ...right, requestState: null }, a],
          [{ ...right, name: 'ask_twice' }, a],
          [{ ...right, arguments: { x: 2 } }, a],
          [{ ...right, arguments: undefined }, a],
          [right, b],
        ] as const) {
          const { error } = await call(wire, params, headers);
          expect(error).toMatchObject({ code: -32602, data: { reason: 'invalid_request_state' } });
          expect(error.message).toMatch(/^Invalid or expired requestState/);
        }
        expect(answersOf(await call(wire, right, a))).toEqual({ user: ADA });
      },
    ));

  test('replicas with the same key take over from each other, others do not', () =>
    withHttp({ Http: { StateKey: 'shared' } }, (one) =>
      withHttp({ Http: { StateKey: 'shared' } }, (two) =>
        withHttp({}, (stranger) =>
          withHttp({}, async (other) => {
            const retryOf = async (wire: HttpWire) => {
              const { requestState } = (await call(wire, { name: 'ask_one' })).result;
              return { name: 'ask_one', requestState, inputResponses: { user: ADA } };
            };
            expect(answersOf(await call(two, await retryOf(one)))).toEqual({ user: ADA });
            expect((await call(stranger, await retryOf(one))).error.code).toBe(-32602);
            expect((await call(stranger, await retryOf(other))).error.code).toBe(-32602);
          }),
        ),
      ),
    ));

  test('a key can be replaced: the first of a list seals, and each opens', () =>
    withHttp({ Http: { StateKeys: ['old'] } }, (before) =>
      withHttp({ Http: { StateKeys: ['old', 'new'] } }, (during) =>
        withHttp({ Http: { StateKeys: ['new'] } }, async (after) => {
          const stateOf = async (wire: HttpWire) => (await call(wire, { name: 'ask_one' })).result.requestState;
          const retry = (wire: HttpWire, requestState: string) =>
            call(wire, { name: 'ask_one', requestState, inputResponses: { user: ADA } });
          for (const wire of [before, after])
            expect(answersOf(await retry(during, await stateOf(wire)))).toEqual({ user: ADA });
          expect(answersOf(await retry(before, await stateOf(during)))).toEqual({ user: ADA });
          expect((await retry(after, await stateOf(during))).error.code).toBe(-32602);
        }),
      ),
    ));

  test('an expired state is −32602', () => {
    const rounds = createInputRounds('key', -5);
    const contextWith = (requestState?: unknown) =>
      ({ principal: '', request: { params: { requestState } } }) as unknown as Parameters<typeof rounds.open>[0];
    const round = rounds.open(contextWith(), 'tools/call x', {});
    const { requestState } = round.ask({ user: { method: 'roots/list', params: {} } });
    expect(() => rounds.open(contextWith(requestState), 'tools/call x', {})).toThrow(
      expect.objectContaining({ code: -32602 }),
    );
  });
});
