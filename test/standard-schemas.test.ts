import { pathToFileURL } from 'node:url';
import { openPlugin } from '@mortise/plugin/testing';
import { describe, expect, it } from 'vitest';
import { connect, shared } from './support/clients.js';
import { codeOf, textOf } from './support/observe.js';
import { createWorkplace, linkNodeModules } from './support/workplace.js';

const PLUGIN = `
import { defineTool } from '@mortise/plugin';
import { z } from 'zod';
const tool = (name, inputSchema) =>
  defineTool({ name, title: name, description: 'd', inputSchema, run: (args) => JSON.stringify(args) });
const circle = z.object({ kind: z.literal('circle'), radius: z.number().positive() });
const rect = z.object({ kind: z.literal('rect'), width: z.number() });
export const coerced = tool('coerced', z.object({
  n: z.coerce.number(),
  list: z.preprocess((value) => (typeof value === 'string' ? value.split(',') : value), z.array(z.string())),
  size: z.number().default(3),
}));
export const shapes = tool('shapes', z.object({ shapes: z.array(z.discriminatedUnion('kind', [circle, rect])) }));
export const timed = tool('timed', z.object({ at: z.iso.datetime() }));
export const described = defineTool({
  name: 'described', title: 'd', description: 'd',
  inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
  run: (args) => JSON.stringify(args),
});`;

/** docs/spec/plugin-api.md#standard-schemas */
describe('a Standard Schema of arguments', () => {
  const opened = shared(async (finished) => {
    const workplace = createWorkplace({ 'plugins/p.mjs': PLUGIN }, {}, finished);
    linkNodeModules(workplace);
    const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' }, {}, undefined, [], finished);
    const kit = await openPlugin(await import(pathToFileURL(`${workplace.folder}/plugins/p.mjs`).href));
    finished(() => kit.dispose());
    return { client, kit };
  });
  const call = (name: string, args: Record<string, unknown>) => opened().client.callTool({ name, arguments: args });

  it('judges alone: coercions, transforms and defaults run', async () => {
    const result = await call('coerced', { n: '5', list: 'a,b' });
    expect(JSON.parse(textOf(result))).toEqual({ n: 5, list: ['a', 'b'], size: 3 });
  });

  it.each([
    ['shapes', { shapes: [{ kind: 'circl', radius: 1 }] }, "'shapes/0/kind'"],
    ['shapes', { shapes: [{ kind: 'circle', radius: -1 }] }, "'shapes/0/radius'"],
    ['timed', { at: 'now' }, 'Invalid ISO datetime'],
    ['coerced', {}, "'list'"],
  ])('says what is wrong with %s as in the test kit', async (name, args, text) => {
    const result = await call(name, args);
    const { error } = await opened().kit.callTool(name, args);
    expect(codeOf(result)).toBe('INVALID_PARAMS');
    expect(textOf(result)).toContain(text);
    expect(textOf(result)).toContain(error!.message);
  });

  it('leaves the bounds of depth and the reserved names to the server, and other tools to their JSON Schema', async () => {
    let deep: unknown = 1;
    for (let level = 0; level < 70; level++) deep = [deep];
    expect(textOf(await call('coerced', { n: 1, list: deep }))).toContain('is nested deeper than 64 levels');
    expect(codeOf(await call('described', { n: '5' }))).toBe('INVALID_PARAMS');
  });
});
