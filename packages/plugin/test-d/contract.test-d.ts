import {
  type CallContext,
  type ContentBlock,
  type ElicitAnswer,
  fail,
  type IProgressReporter,
  type ITool,
  type NullProgressReporter,
  ok,
  type PluginContext,
  type Register,
  type RegisterApi,
  type RegisteredTool,
  type Registration,
  type Root,
  type SampleAnswer,
  type ToolCallResult,
  type ToolFailure,
  type ToolResponse,
  type ToolSuccess,
} from '@mortise/plugin';
import { assertPlugin, type RunResult, runTool } from '@mortise/plugin/testing';
import { z } from 'zod';
import { assertType, type Equal } from './expect-type.js';

/** A class tool with the three parameters of the published plugin API, and one with none. */
export class Weather implements ITool {
  readonly name = 'weather';
  readonly description = 'Tells the weather.';
  readonly inputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
  constructor(private readonly context: PluginContext) {}
  async executeAsync(args: Record<string, unknown> | null, progress?: IProgressReporter, signal?: AbortSignal) {
    assertType<Equal<ReturnType<typeof this.context.getConfig>, string | null>>();
    progress?.report(50, 'half');
    signal?.throwIfAborted();
    return args === null ? fail('no city', { hint: 'Give a city.' }) : ok('Sunny', { degrees: 20 });
  }
}

export class Short implements ITool {
  name = 'short';
  description = 'd';
  inputSchema = { type: 'object' };
  executeAsync = async (): Promise<ToolCallResult> => ({ content: [{ type: 'text', text: 'x' }] });
}

// @ts-expect-error executeAsync is missing
export class Lacking implements ITool {
  name = 'lacking';
  description = 'd';
  inputSchema = { type: 'object' };
}

export class Wrong implements ITool {
  name = 'wrong';
  description = 'd';
  inputSchema = { type: 'object' };
  // @ts-expect-error a block has a type that MCP knows
  async executeAsync() {
    return { content: [{ type: 'video' as const, data: '' }] };
  }
}

assertType<Equal<ReturnType<typeof fail>, ToolFailure>>();
const text = ok('x');
const data = ok('x', { n: 1, list: ['a'] });
assertType<Equal<typeof data, ToolSuccess<{ n: 1; list: ['a'] }>>>();
/** Both are results of class tools, whatever the compiler's options. */
export const results: ToolCallResult[] = [text, data, fail('x')];
assertType<Equal<typeof NullProgressReporter.instance, IProgressReporter>>();
// @ts-expect-error no such category
fail('x', { category: 'Bad' });
// @ts-expect-error a list
fail('x', { suggestedFixes: 'fix' });
// @ts-expect-error content is a string or blocks
ok({ text: 'x' });

export const block: ContentBlock = { type: 'resource', resource: { uri: 'test://x', blob: 'AAAA' } };
// @ts-expect-error an image has a mimeType
export const noMime: ContentBlock = { type: 'image', data: 'AAAA' };

export const response: ToolResponse = { content: 'c', metadata: { n: 1 }, error: 'e' };
const looseBlocks: Array<{ type: string; text: string }> = [{ type: 'text', text: 'a' }];
export const workbenchResponse: ToolResponse = { content: looseBlocks };
// @ts-expect-error content is required
export const empty: ToolResponse = { metadata: {} };

export const register: Register = async (api) => {
  assertType<Equal<typeof api, RegisterApi>>();
  const registration = api.registerTool<{ city: string }>({
    name: 'weather.now',
    inputSchema: { type: 'object' },
    run: async (input, context) => {
      assertType<Equal<typeof input, { city: string }>>();
      assertType<Equal<typeof context, CallContext>>();
      return { content: input.city } satisfies ToolResponse;
    },
  });
  assertType<Equal<typeof registration, Registration>>();
  api.registerTool({ name: 'loose', run: (input) => input.anything.at.all });
  // @ts-expect-error run is required
  api.registerTool({ name: 'x' });
  api.registerResource({ uri: 'test://a', name: 'a', read: () => new Uint8Array() });
  api.registerResource({ uriTemplate: 'test://{a}', name: 'a', read: async (_uri, { a }) => ({ text: a ?? '' }) });
  const read = () => '';
  api.registerResource({
    uriTemplate: 'test://{a}',
    name: 'a',
    read,
    list: async () => [{ uri: 'test://1', name: '1' }],
  });
  // @ts-expect-error a listed resource has a name
  api.registerResource({ uriTemplate: 'test://{a}', name: 'a', read, list: () => [{ uri: 'test://1' }] });
  // @ts-expect-error only a template lists resources
  api.registerResource({ uri: 'test://a', name: 'a', read, list: () => [] });
  // @ts-expect-error either uri or uriTemplate
  api.registerResource({ uri: 'test://a', uriTemplate: 'test://{a}', name: 'a', read: () => '' });
  // @ts-expect-error a number is not content
  api.registerResource({ uri: 'test://a', name: 'a', read: () => 5 });
  api.registerPrompt({ name: 'p', arguments: [{ name: 'x', complete: (value) => [value] }], get: ({ x }) => x ?? '' });
  // @ts-expect-error messages have a role
  api.registerPrompt({ name: 'p', get: () => [{ content: { type: 'text', text: '' } }] });
  api.onDispose(async () => {});
};

export const asking: RegisteredTool = {
  name: 'asking',
  async run(_, { input }) {
    const answers = await input.all({
      who: { elicit: { message: 'Who?', schema: { type: 'object' } } },
      age: { elicit: { message: 'How old?', schema: z.object({ years: z.number() }) } },
      joke: { sample: { messages: [], maxTokens: 1 } },
      where: { roots: true },
    });
    assertType<
      Equal<
        typeof answers,
        { who: ElicitAnswer; age: ElicitAnswer<{ years: number }>; joke: SampleAnswer; where: Root[] }
      >
    >();
    const schema = z.object({ name: z.string(), kind: z.enum(['web', 'api']).default('web') });
    const { action, content } = await input.elicit('which', { message: 'Which?', schema });
    if (action === 'accept') assertType<Equal<typeof content, { name: string; kind: 'web' | 'api' }>>();
    else assertType<Equal<typeof content, undefined>>();
    const flat = await input.elicit('flat', {
      message: 'Which?',
      schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    });
    if (flat.action === 'accept') assertType<Equal<typeof flat.content, { name: string }>>();
    // @ts-expect-error the key is missing
    await input.elicit({ message: 'Which?', schema });
    // @ts-expect-error roots is true
    await input.all({ where: { roots: false } });
    return answers.who.action;
  },
};

assertType<Equal<Awaited<ReturnType<typeof runTool>>, RunResult>>();
await runTool(Weather, { city: 'Oslo' }, { config: { api_key: 'k' }, answers: { k: ({ message }) => ({ message }) } });
await runTool(asking);
await assertPlugin({ Weather }, { samples: { weather: { city: 'Oslo' } }, except: ['title'] });
// @ts-expect-error no such rule
await assertPlugin({ Weather }, { except: ['beauty'] });
