import { defineTool, fail, ok } from '@mortise/plugin';
import { openPlugin } from '@mortise/plugin/testing';
import { describe, expect, it } from 'vitest';

const tool = (returned: unknown) =>
  defineTool({ name: 'look', description: 'Looks.', inputSchema: { type: 'object' }, run: () => returned });

/** As an exported tool, and given to registerTool. */
const styles: [string, (returned: unknown) => object][] = [
  ['exported', (returned) => ({ look: tool(returned) })],
  [
    'registered',
    (returned) => ({ register: (api: { registerTool(tool: object): void }) => api.registerTool(tool(returned)) }),
  ],
];

describe.each(styles)('an object that a tool of defineTool returns (%s)', (_, moduleOf) => {
  const call = async (returned: unknown) => (await openPlugin(moduleOf(returned))).callTool('look', {});

  it.each([
    [{ title: 'A', content: 'text', author: 'x' }],
    [{ content: 'text' }],
    [{ content: [{ type: 'text', text: 'a' }], author: 'x' }],
    [{ content: [1, 2] }],
    [{ error: 'none so far', count: 2 }],
    [{ isError: true }],
    [{ a: { b: [1.5, null, 'c'] } }],
    [{}],
  ])('is structuredContent as it is, and its compact form the text: %j', async (data) => {
    const result = await call(data);
    expect(result.structured).toEqual(data);
    expect(result.text).toBe(JSON.stringify(data));
    expect(result.error).toBeUndefined();
  });

  it('is a result where it is one: blocks, ok() and fail()', async () => {
    const { text, structured } = await call({ content: [{ type: 'text', text: 'a' }] });
    expect([text, structured]).toEqual(['a', undefined]);
    expect(await call(ok('Two', { n: 2 }))).toMatchObject({ text: 'Two', structured: { n: 2 } });
    expect((await call(fail('No', { code: 'NO' }))).error).toMatchObject({ code: 'NO', message: 'No' });
    expect((await call({ content: [{ type: 'text', text: 'bad' }], isError: true })).error?.message).toBe('bad');
    expect((await call(new Error('gone'))).error?.message).toBe('gone');
  });

  it('is shown as text where it is none: strings, lists, numbers', async () => {
    expect(await call('plain')).toMatchObject({ text: 'plain' });
    expect(await call('plain')).not.toHaveProperty('structured');
    expect(await call([1, 'a'])).toMatchObject({ text: '[1,"a"]', structured: { value: [1, 'a'] } });
    expect(await call(5)).toMatchObject({ text: '5' });
    expect((await call(undefined)).error?.code).toBe('TOOL_INVALID_RESULT');
  });

  it('is refused where JSON would lose a part of it', async () => {
    const { error } = await call({ rows: [{ at: Promise.resolve(1) }] });
    expect(error).toMatchObject({
      code: 'TOOL_INVALID_RESULT',
      message:
        "The tool returned an object with the members rows that JSON cannot hold: a Promise at 'rows.0.at'; await it",
    });
  });
});

describe('a tool that was not made by defineTool', () => {
  it('keeps the table of the Workbench', async () => {
    const { look } = { look: tool({ content: 'text', author: 'x' }) };
    const { name, description, inputSchema, run } = look;
    const plain = { name, description, inputSchema, run };
    const plugin = await openPlugin({
      register: (api: { registerTool(tool: object): void }) => api.registerTool(plain),
    });
    expect(await plugin.callTool('look', {})).toMatchObject({
      text: 'text',
      structured: { content: 'text', metadata: { author: 'x' } },
    });
  });
});
