import { describe, expect, it } from 'vitest';
import { fieldsOf, parseField } from '../../../src/cli/call/elicitation-form.js';

const FORM = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name', description: 'as on the passport' },
    age: { type: 'integer' },
    weight: { type: 'number' },
    ok: { type: 'boolean' },
    colour: { type: 'string', enum: ['red', 'blue'], default: 'red' },
    size: {
      type: 'string',
      oneOf: [
        { const: 's', title: 'Small' },
        { const: 'l', title: 'Large' },
      ],
    },
    days: { type: 'array', items: { type: 'string', enum: ['mon', 'tue'] } },
  },
  required: ['name', 'ok'],
};

const field = (name: string) => fieldsOf(FORM).find((item) => item.name === name)!;

describe('a form in a terminal', () => {
  it('asks in the order of the schema, and says what fits', () => {
    expect(fieldsOf(FORM).map(({ prompt }) => prompt)).toEqual([
      'Name, as on the passport',
      'age (whole number; optional)',
      'weight (number; optional)',
      'ok (y | n)',
      'colour (red | blue; default red; optional)',
      'size (s | l; optional)',
      'days (some of mon | tue, with commas between; optional)',
    ]);
  });

  it.each([
    ['name', ' Ada ', 'Ada'],
    ['age', '36', 36],
    ['age', '', undefined],
    ['weight', '1.5', 1.5],
    ['ok', 'Y', true],
    ['ok', 'no', false],
    ['colour', 'BLUE', 'blue'],
    ['colour', '', 'red'],
    ['size', 'l', 'l'],
    ['days', 'mon, tue', ['mon', 'tue']],
  ])('%s: %j is %j', (name, line, value) => {
    expect(parseField(field(name), line)).toEqual({ value });
  });

  it.each([
    ['name', '', 'This field is required.'],
    ['age', '1.5', 'Enter a whole number.'],
    ['age', 'x', 'Enter a whole number.'],
    ['weight', 'x', 'Enter a number.'],
    ['weight', 'Infinity', 'Enter a number.'],
    ['ok', 'perhaps', 'Enter y or n.'],
    ['colour', 'green', 'Enter one of: red, blue.'],
    ['days', 'mon, sun', 'Enter one of: mon, tue.'],
  ])('%s: %j is refused', (name, line, problem) => {
    expect(parseField(field(name), line)).toEqual({ problem });
  });
});
