import { immutable, ok } from '@mortise/plugin';
import { normaliseReturned, type Outcome } from '@mortise/plugin/runtime';
import { runTool } from '@mortise/plugin/testing';
import { describe, expect, it } from 'vitest';

const structuredOf = (outcome: Outcome) => (outcome.kind === 'success' && outcome.structured) || {};

describe('data that never changes', () => {
  it('is a frozen copy, with all that is in it', () => {
    const value = { list: [{ name: 'a' }], at: new Date(0), nothing: undefined };
    const data = immutable(value);
    value.list[0]!.name = 'b';
    expect(data).toEqual({ list: [{ name: 'a' }], at: '1970-01-01T00:00:00.000Z' });
    expect(Object.keys(data)).toEqual(['list', 'at']);
    expect(() => {
      data.list[0]!.name = 'c';
    }).toThrow(TypeError);
    expect(() => data.list.push({ name: 'c' })).toThrow(TypeError);
  });

  it('is not copied when a tool returns it as a member of its data', () => {
    const data = immutable({ list: [1, 2] });
    expect(normaliseReturned(data)).toMatchObject({
      kind: 'success',
      content: [{ type: 'json', value: { list: [1, 2] } }],
    });
    const outcome = normaliseReturned(ok('two', { success: true, data }));
    expect(outcome).toMatchObject({ structured: { success: true, data: { list: [1, 2] } } });
    expect(structuredOf(outcome).data).toBe(data);
  });

  it('may be whatever a result is made of', () => {
    const data = immutable({ type: 'text', text: 'a', annotations: null, list: [1] });
    expect(normaliseReturned({ content: [data], metadata: data, more: 1 })).toMatchObject({
      kind: 'success',
      metadata: { type: 'text', list: [1], more: 1 },
    });
    expect(normaliseReturned({ error: 'no', ...ok('x', data), metadata: data })).toMatchObject({ kind: 'error' });
    const tool = { name: 'row', description: 'Row.', inputSchema: immutable({ type: 'object' }), run: () => data };
    return expect(runTool(tool)).resolves.toMatchObject({ isError: false });
  });

  it('loses that in a copy, which may change', () => {
    const copy = { ...immutable({ list: [1] }) };
    const structured = structuredOf(normaliseReturned(ok('one', { copy })));
    expect(structured.copy).toEqual({ list: [1] });
    expect(structured.copy).not.toBe(copy);
  });
});
