import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { fitToSchema } from '../src/runtime/plugin-settings.js';
import { jsonValidator } from '../src/schemas/json-validator.js';
import { readSchema } from '../src/schemas/read-schema.js';

/** What every object inherits is nothing that an author or a user has written. */
describe.each(['constructor', 'toString'])('the name %s', (name) => {
  it('is a required setting that can be missing', () => {
    const validate = jsonValidator({ type: 'object', properties: { [name]: {} }, required: [name] });
    expect(validate({}).issues).toEqual([{ path: [name], message: 'is required' }]);
  });

  it('is a setting that its schema does not describe', () => {
    const schema = { type: 'object', properties: {}, additionalProperties: { type: 'number' } } as const;
    const places = { [`/${name.toLowerCase()}`]: { isLoose: true } } as never;
    expect(fitToSchema({ values: { [name]: '7' }, places }, schema)).toEqual({ [name]: 7 });
  });

  it('is a member of a tool whose validator sees undefined when the caller leaves it out', async () => {
    const { validate } = readSchema({ [name]: z.unknown().optional() }, { subject: 'tool', io: 'input' });
    expect(await validate!({})).toEqual({ value: {} });
  });
});
