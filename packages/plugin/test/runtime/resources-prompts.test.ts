import type { RegisterApi, RegisteredPrompt, RegisteredResource } from '@mortise/plugin';
import { fail } from '@mortise/plugin';
import { describe, expect, it } from 'vitest';
import { channel, codes, load, recordingHost } from './host.js';

const withResource = (resource: unknown) =>
  load({ register: (api: RegisterApi) => void api.registerResource(resource as RegisteredResource) });
const withPrompt = (prompt: unknown) =>
  load({ register: (api: RegisterApi) => void api.registerPrompt(prompt as RegisteredPrompt) });

describe('a resource', () => {
  const read = async (returned: unknown, mimeType?: string) => {
    const plugin = await withResource({ uri: 'test://a', name: 'a', mimeType, read: () => returned });
    return plugin.run({ do: 'read', key: 'test://a', uri: 'test://a', variables: {} }, channel());
  };

  it('is defined as data, with the variables that can be completed', async () => {
    const plugin = await withResource({
      uriTemplate: 'notes://{day}',
      name: 'notes',
      title: 'Notes',
      description: 'd',
      mimeType: 'text/plain',
      complete: { day: (value: string) => ['monday', 'tuesday', 5].filter((day) => String(day).startsWith(value)) },
      read: (uri: string, { day }: Record<string, string>) => `${uri} ${day}`,
    });
    expect(plugin.definition.resources).toEqual([
      {
        uriTemplate: 'notes://{day}',
        name: 'notes',
        title: 'Notes',
        description: 'd',
        mimeType: 'text/plain',
        completes: ['day'],
      },
    ]);
    const ref = { type: 'resource', uriTemplate: 'notes://{day}' } as const;
    expect(
      await plugin.run({ do: 'complete', ref: ref, argument: 'day', value: '', knownArguments: {} }, channel()),
    ).toEqual({
      values: ['monday', 'tuesday'],
    });
    expect(
      await plugin.run({ do: 'complete', ref: ref, argument: 'month', value: '', knownArguments: {} }, channel()),
    ).toEqual({
      values: [],
    });
    expect(
      await plugin.run(
        { do: 'read', key: 'notes://{day}', uri: 'notes://monday', variables: { day: 'monday' } },
        channel(),
      ),
    ).toEqual({
      kind: 'success',
      contents: [{ uri: 'notes://monday', mimeType: 'text/plain', text: 'notes://monday monday' }],
    });
  });

  it.each<[unknown, object, string?]>([
    ['text', { mimeType: 'text/plain', text: 'text' }],
    ['# x', { mimeType: 'text/markdown', text: '# x' }, 'text/markdown'],
    [new Uint8Array([1]), { mimeType: 'application/octet-stream', blob: 'AQ==' }],
    [Buffer.from([1]), { mimeType: 'image/png', blob: 'AQ==' }, 'image/png'],
    [{ text: 't', mimeType: 'text/html' }, { mimeType: 'text/html', text: 't' }, 'text/plain'],
    [{ blob: 'AQ==' }, { mimeType: 'application/octet-stream', blob: 'AQ==' }],
    [{ blob: new Uint8Array([1]) }, { mimeType: 'application/octet-stream', blob: 'AQ==' }],
    [{ contents: [{ uri: 'test://b', text: 'b' }] }, { uri: 'test://b', mimeType: 'text/plain', text: 'b' }],
    [{ contents: [{ text: 'b' }] }, { mimeType: 'text/plain', text: 'b' }],
  ])('reads %o', async (returned, contents, mimeType) => {
    expect(await read(returned, mimeType)).toEqual({ kind: 'success', contents: [{ uri: 'test://a', ...contents }] });
  });

  it('is not found where read returns null', async () => {
    expect(await read(null)).toMatchObject({
      kind: 'error',
      errors: [{ code: 'RESOURCE_NOT_FOUND', message: 'Resource not found: test://a', mcpErrorCode: -32002 }],
    });
  });

  it.each([
    undefined,
    5,
    {},
    [],
    { text: 5 },
    { text: 'a', blob: 'AQ==' },
    { blob: '!' },
    { contents: 'x' },
    { contents: [{}] },
    { text: 'x', mimeType: 'none' },
  ])('refuses %o', async (returned) => {
    expect(await read(returned)).toMatchObject({ kind: 'error', errors: [{ code: 'TOOL_INVALID_RESULT' }] });
  });

  it('may fail, throw, ask, or be gone', async () => {
    expect(await read(fail('locked', { code: 'LOCKED' }))).toMatchObject({
      errors: [{ code: 'LOCKED', message: 'locked' }],
    });
    const throwing = await withResource({ uri: 'test://a', name: 'a', read: () => Promise.reject(new Error('disk')) });
    expect(
      await throwing.run({ do: 'read', key: 'test://a', uri: 'test://a', variables: {} }, channel()),
    ).toMatchObject({
      errors: [{ code: 'TOOL_EXCEPTION', message: 'disk' }],
    });
    expect(
      await throwing.run({ do: 'read', key: 'test://b', uri: 'test://b', variables: {} }, channel()),
    ).toMatchObject({
      errors: [{ code: 'PLUGIN_UNAVAILABLE' }],
    });
    const asking: RegisteredResource = {
      uri: 'test://a',
      name: 'a',
      read: async (_uri, _variables, { input }) => `${(await input.roots('r')).length}`,
    };
    const plugin = await withResource(asking);
    expect(
      await plugin.run(
        { do: 'read', key: 'test://a', uri: 'test://a', variables: {} },
        channel({ inputMode: 'retry', clientCapabilities: { roots: {} } }),
      ),
    ).toMatchObject({ kind: 'input_required' });
  });

  it.each<object | null>([
    null,
    {},
    { uri: 'test://a', uriTemplate: 'test://{a}', name: 'a', read() {} },
    { uri: 'no scheme', name: 'a', read() {} },
    { uriTemplate: 'test://fixed', name: 'a', read() {} },
    { uriTemplate: 'test://{a', name: 'a', read() {} },
    { uri: 'test://a', read() {} },
    { uri: 'test://a', name: 'a' },
    { uri: 'test://a', name: 'a', title: 5, read() {} },
    { uri: 'test://a', name: 'a', complete: { a: 'x' }, read() {} },
    { uri: 'test://a', name: 'a', list() {}, read() {} },
    { uriTemplate: 'test://{a}', name: 'a', list: [], read() {} },
  ])('%o is malformed', async (resource) => {
    const plugin = await withResource(resource);
    expect(plugin.definition.resources).toEqual([]);
    expect(codes(plugin)).toEqual(['RESOURCE_MALFORMED']);
  });

  it('of one URI stays the first', async () => {
    const plugin = await load({
      register: (api: RegisterApi) => {
        api.registerResource({ uri: 'test://a', name: 'first', read: () => '' });
        api.registerResource({ uri: 'test://a', name: 'later', read: () => '' });
      },
    });
    expect(plugin.definition.resources).toMatchObject([{ name: 'first' }]);
    expect(codes(plugin)).toEqual(['RESOURCE_DUPLICATE']);
  });
});

describe('a prompt', () => {
  const get = async (returned: unknown) =>
    (await withPrompt({ name: 'p', get: () => returned })).run({ do: 'prompt', name: 'p', args: {} }, channel());
  const hello = { role: 'user', content: { type: 'text', text: 'hello' } };

  it('is defined as data and completed', async () => {
    const recorded = recordingHost();
    const prompt: RegisteredPrompt = {
      name: 'review',
      description: 'd',
      arguments: [
        { name: 'file', required: true, complete: async (_, { arguments: args }) => [`${args.dir}/a`] },
        {
          name: 'dir',
          description: 'the folder',
          complete: () => {
            throw new Error('x');
          },
        },
      ],
      get: ({ file }) => `Review ${file}`,
    };
    const plugin = await load({ register: (api: RegisterApi) => void api.registerPrompt(prompt) }, recorded);
    expect(plugin.definition.prompts).toEqual([
      {
        name: 'review',
        description: 'd',
        arguments: [
          { name: 'file', required: true },
          { name: 'dir', description: 'the folder' },
        ],
        completes: ['file', 'dir'],
      },
    ]);
    expect(
      await plugin.run(
        {
          do: 'complete',
          ref: { type: 'prompt', name: 'review' },
          argument: 'file',
          value: '',
          knownArguments: { dir: 'src' },
        },
        channel(),
      ),
    ).toEqual({
      values: ['src/a'],
    });
    expect(
      await plugin.run(
        { do: 'complete', ref: { type: 'prompt', name: 'review' }, argument: 'dir', value: '', knownArguments: {} },
        channel(),
      ),
    ).toEqual({ values: [] });
    expect(recorded.logs).toMatchObject([{ level: 'warn', message: expect.stringContaining("'dir'") }]);
    expect(await plugin.run({ do: 'prompt', name: 'review', args: { file: 'a.ts' } }, channel())).toMatchObject({
      messages: [{ content: { text: 'Review a.ts' } }],
    });
  });

  it('gives messages from a text, a list or an object', async () => {
    expect(await get('hello')).toEqual({ kind: 'success', messages: [hello] });
    expect(await get([hello, { role: 'assistant', content: 'short' }])).toEqual({
      kind: 'success',
      messages: [hello, { role: 'assistant', content: { type: 'text', text: 'short' } }],
    });
    expect(await get({ description: 'd', messages: [hello] })).toEqual({
      kind: 'success',
      description: 'd',
      messages: [hello],
    });
  });

  it.each([
    undefined,
    5,
    {},
    [null],
    [{ role: 'system', content: 'x' }],
    [{ role: 'user', content: { type: 'x' } }],
    { messages: 'x' },
  ])('refuses %o', async (returned) => {
    expect(await get(returned)).toMatchObject({ kind: 'error', errors: [{ code: 'TOOL_INVALID_RESULT' }] });
  });

  it.each<object | null>([
    null,
    {},
    { name: 'p' },
    { name: '', get() {} },
    { name: 'a\u0000b', get() {} },
    { name: 'x'.repeat(129), get() {} },
    { name: 'mcp.a.b', get() {} },
    { name: 'p', arguments: {}, get() {} },
    { name: 'p', arguments: ['a'], get() {} },
    { name: 'p', arguments: [{}], get() {} },
    { name: 'p', arguments: [{ name: 'a', required: 'yes' }], get() {} },
    { name: 'p', arguments: [{ name: 'a', complete: 5 }], get() {} },
    { name: 'p', arguments: [{ name: 'a' }, { name: 'a' }], get() {} },
  ])('%o is malformed', async (prompt) => {
    const plugin = await withPrompt(prompt);
    expect(plugin.definition.prompts).toEqual([]);
    expect(codes(plugin)).toEqual(['PROMPT_MALFORMED']);
  });

  it('of one name stays the first; it may fail or be gone', async () => {
    const plugin = await load({
      register: (api: RegisterApi) => {
        api.registerPrompt({ name: 'p', get: () => fail('no') as never });
        api.registerPrompt({ name: 'p', get: () => 'later' });
      },
    });
    expect(codes(plugin)).toEqual(['PROMPT_DUPLICATE']);
    expect(await plugin.run({ do: 'prompt', name: 'p', args: {} }, channel())).toMatchObject({
      errors: [{ code: 'TOOL_ERROR', message: 'no' }],
    });
    expect(await plugin.run({ do: 'prompt', name: 'q', args: {} }, channel())).toMatchObject({
      errors: [{ code: 'PLUGIN_UNAVAILABLE' }],
    });
  });
});
