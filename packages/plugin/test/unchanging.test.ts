import { ok, unchanging } from '@mortise/plugin';
import { normaliseReturned, type Outcome } from '@mortise/plugin/host';
import { describe, expect, it } from 'vitest';

const structuredOf = (outcome: Outcome) => (outcome.kind === 'success' && outcome.structured) || {};

describe('data that never changes', () => {
  it('is a frozen copy, with all that is in it', () => {
    const given = { list: [{ name: 'a' }], at: new Date(0), nothing: undefined };
    const data = unchanging(given);
    given.list[0]!.name = 'b';
    expect(data).toEqual({ list: [{ name: 'a' }], at: '1970-01-01T00:00:00.000Z' });
    expect(Object.keys(data)).toEqual(['list', 'at']);
    expect(() => {
      data.list[0]!.name = 'c';
    }).toThrow(TypeError);
    expect(() => data.list.push({ name: 'c' })).toThrow(TypeError);
  });

  it('is not copied when a tool returns it, whole or as a part', () => {
    const data = unchanging({ list: [1, 2] });
    expect(normaliseReturned(data)).toMatchObject({
      kind: 'success',
      content: [{ type: 'json', value: { list: [1, 2] } }],
    });
    const outcome = normaliseReturned(ok('two', { success: true, data }));
    expect(outcome).toMatchObject({ structured: { success: true, data: { list: [1, 2] } } });
    expect(structuredOf(outcome).data).toBe(data);
  });

  it('loses that in a copy, which may change', () => {
    const copy = { ...unchanging({ list: [1] }) };
    const structured = structuredOf(normaliseReturned(ok('one', { copy })));
    expect(structured.copy).toEqual({ list: [1] });
    expect(structured.copy).not.toBe(copy);
  });
});
