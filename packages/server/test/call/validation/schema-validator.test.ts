import type { JsonObject, JsonSchema } from '@mortise/plugin';
import type { CallChannel } from '@mortise/plugin/runtime';
import { afterAll, describe, expect, it } from 'vitest';
import type * as ValidatorModule from '../../../src/call/validation/schema-validator.js';
import type { Tool } from '../../../src/core/snapshot.js';
import { built } from '../../built.js';

const { SchemaValidator } = built<typeof ValidatorModule>('call/validation/schema-validator');
const validator = new SchemaValidator((text) => text);
afterAll(() => validator.close());

const tool = (inputSchema: object, more: Partial<Tool> = {}) =>
  ({ path: 'p.mjs', runner: {}, definition: { name: 't', inputSchema }, ...more }) as Tool;
const channel = { signal: new AbortController().signal } as CallChannel;
const pattern = { type: 'string', pattern: 'x' };

describe('the validation of arguments', () => {
  it('refuses what is nested too deeply before anything else, however large it is', () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 10_000; level++) deep = { parts: deep };
    const args = { many: Array(60_000).fill(1), deep };
    expect(validator.arguments(args, tool({ properties: { text: pattern } }))).toMatchObject([
      { code: 'INVALID_PARAMS', message: "Parameter 'deep' is nested deeper than 64 levels" },
    ]);
  });

  it('says the same of actions in the thread as in the server', async () => {
    const properties = { action: { type: 'string', enum: ['Start', 'Stop', 'Hidden'] } };
    const schema: JsonSchema = { type: 'object', properties, required: ['action'] };
    const unlistedActions = ['Hidden'];
    const here = validator.arguments({ action: 'Run' }, tool(schema, { unlistedActions }));
    const withPattern = { ...schema, properties: { ...properties, text: pattern } };
    const deferred = validator.arguments({ action: 'Run' }, tool(withPattern, { unlistedActions }));
    if (Array.isArray(deferred)) throw new Error('A pattern is checked in the thread');
    expect(await deferred(channel)).toEqual(here);
    expect(here).toMatchObject([{ data: { additionalData: { validActions: 'Start, Stop' } } }]);
  });
});
