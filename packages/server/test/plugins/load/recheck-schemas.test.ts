import { expect, it, vi } from 'vitest';
import { offering, tool } from '../pins/tools.js';

it('the first check of cached schemas compiles the meta-schema in several turns of the event loop', async () => {
  // Tests of other files in this process may have compiled it.
  vi.resetModules();
  const { recheckSchemas } = await import('../../../src/plugins/load/check-definition.js');
  // A reference is not among the keywords that are checked without the meta-schema.
  const inputSchema = { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'string' } } };
  const definition = offering(tool('a', { inputSchema }));
  let isBad: boolean | undefined;
  void recheckSchemas(definition, { file: '/plugins/a.mjs', prefix: '' }).then((bad) => {
    isBad = bad;
  });
  let turns = 0;
  for (; isBad === undefined; turns++) await new Promise(setImmediate);
  expect(isBad).toBe(false);
  expect(turns).toBeGreaterThan(5);
});
