import type { JsonObject, JsonSchema } from '@mortise/plugin';
import { describe, expect, it } from 'vitest';
import { fillRequiredDefaults } from '../../../src/call/validation/required-defaults.js';

const schema = {
  type: 'object',
  properties: {
    unit: { type: 'string', default: 'C' },
    note: { type: 'string', default: 'none' },
    city: { type: 'string' },
    at: { $ref: '#/$defs/at' },
    days: { type: 'array', items: { $ref: '#/$defs/at' } },
  },
  required: ['unit', 'city'],
  $defs: {
    at: { type: 'object', properties: { hour: { default: 12 }, at: { $ref: '#/$defs/at' } }, required: ['hour'] },
  },
} as JsonSchema;

describe('a property that is required and has a default', () => {
  it.each<[JsonObject, JsonObject]>([
    [{}, { unit: 'C' }],
    [{ unit: 'F' }, { unit: 'F' }],
    [{ unit: '' }, { unit: '' }],
    [{ city: 'Rome' }, { city: 'Rome', unit: 'C' }],
    [
      { unit: 'F', at: {} },
      { unit: 'F', at: { hour: 12 } },
    ],
    [
      { unit: 'F', at: { hour: 1, at: {} } },
      { unit: 'F', at: { hour: 1, at: { hour: 12 } } },
    ],
    [
      { unit: 'F', days: [{}, { hour: 1 }, 5] },
      { unit: 'F', days: [{ hour: 12 }, { hour: 1 }, 5] },
    ],
    [
      { unit: 'F', at: 'noon' },
      { unit: 'F', at: 'noon' },
    ],
  ])('may be left out: %j', (args, expected) => {
    const before = structuredClone(args);
    expect(fillRequiredDefaults(args, schema)).toEqual(expected);
    expect(args).toEqual(before);
  });

  it('is not copied where nothing is missing', () => {
    const args = { unit: 'F', at: { hour: 1 } };
    expect(fillRequiredDefaults(args, schema)).toBe(args);
  });

  it('is filled in to the depth that arguments can have', () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 10_000; level++) deep = { hour: 1, at: deep };
    expect(() => fillRequiredDefaults(deep, schema)).not.toThrow();
  });
});
