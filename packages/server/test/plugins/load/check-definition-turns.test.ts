import { expect, it, vi } from 'vitest';
import { offering, tool } from '../pins/tools.js';

it('the first check of schemas compiles the meta-schema in several turns of the event loop', async () => {
  // Tests of other files in this process may have compiled it.
  vi.resetModules();
  const { checkDefinition } = await import('../../../src/plugins/load/check-definition.js');
  // A reference is not among the keywords that are checked without the meta-schema.
  const inputSchema = { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'string' } } };
  const checking = checkDefinition(offering(tool('a', { inputSchema })), { file: '/plugins/a.mjs', prefix: '' });
  let isDone = false;
  void checking.then(() => {
    isDone = true;
  });
  let turns = 0;
  for (; !isDone; turns++) await new Promise(setImmediate);
  expect((await checking).tools).toHaveLength(1);
  expect(turns).toBeGreaterThan(5);
});
