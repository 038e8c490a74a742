import { openPlugin, runTool } from '@mortise/plugin/testing';
import { describe, expect, it } from 'vitest';

const tool = (members: object) => ({ name: 't', description: 'd', run: () => 'x', ...members });
const waiting = (_: unknown, { signal }: { signal: AbortSignal }) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe('the kit judges a call as the server does', () => {
  const inputSchema = {
    type: 'object',
    properties: { n: { type: 'number' }, kind: { enum: ['a', 'b'] } },
    required: ['n'],
    additionalProperties: false,
  };

  it('refuses arguments that do not fit a JSON Schema, in the words of the server, and the tool does not run', async () => {
    let calls = 0;
    const counting = tool({ inputSchema, run: () => String(++calls) });
    const result = await runTool(counting, { n: 'not a number', kind: 'c', knd: 1 });
    expect(result.errors.map(({ code, message }) => [code, message])).toEqual([
      ['INVALID_PARAMS', "Parameter 'knd' is not known. Did you mean 'kind'?"],
      ['INVALID_PARAMS', "Parameter 'n' must be a number"],
      ['INVALID_PARAMS', "Parameter 'kind' must be 'a' or 'b'"],
    ]);
    expect((await runTool(counting, {})).error?.message).toBe("Parameter 'n' is required and cannot be empty");
    expect(calls).toBe(0);
    expect((await runTool(counting, { n: 1 })).text).toBe('1');
  });

  it('refuses a result that does not fit the outputSchema, or is beyond a limit', async () => {
    const outputSchema = { type: 'object', properties: { degrees: { type: 'number' } }, required: ['degrees'] };
    const metadata = (degrees: unknown) => tool({ outputSchema, run: () => ({ content: 'x', metadata: { degrees } }) });
    expect((await runTool(metadata('warm'))).error).toMatchObject({
      code: 'TOOL_INVALID_RESULT',
      message: "The tool's result does not fit its outputSchema: /degrees must be number",
    });
    expect((await runTool(metadata(5))).structured).toEqual({ degrees: 5 });
    const blocks = tool({
      run: () => ({ content: Array.from({ length: 5_001 }, () => ({ type: 'text', text: '' })) }),
    });
    expect((await runTool(blocks)).error).toMatchObject({
      code: 'TOOL_INVALID_RESULT',
      message: 'The result has 5,001 blocks; 5,000 are allowed',
    });
  });

  it('gives a class tool an object where there are no arguments', async () => {
    const given: unknown[] = [];
    class Look {
      name = 't';
      description = 'd';
      inputSchema = { type: 'object' };
      async executeAsync(args: unknown) {
        given.push(args);
        return { content: [] };
      }
    }
    await runTool(Look, null);
    expect(given).toEqual([{}]);
  });
});

describe('a call that is ended', () => {
  it('is OPERATION_CANCELLED by the signal of the test, whatever the tool rejects with', async () => {
    const result = await runTool(tool({ run: waiting }), {}, { signal: AbortSignal.timeout(5) });
    expect(result.error).toMatchObject({
      code: 'OPERATION_CANCELLED',
      message: 'The operation was cancelled by the user',
    });
  });

  it('is OPERATION_TIMEOUT by the time of the test, or that of the tool', async () => {
    const late = { code: 'OPERATION_TIMEOUT', message: 'The operation did not end within 5 ms' };
    expect((await runTool(tool({ run: waiting }), {}, { timeoutMs: 5 })).error).toMatchObject(late);
    expect((await runTool(tool({ run: waiting, timeoutMs: 5 }))).error).toMatchObject(late);
    expect((await runTool(tool({ timeoutMs: 60_000 }))).text).toBe('x');
  });
});

describe('resources and prompts', () => {
  const plugin = () =>
    openPlugin({
      register(api: { registerResource(one: object): void; registerPrompt(one: object): void }) {
        const read = (uri: string, { id }: { id?: string }) => (id === '9' ? null : `${uri} is ${id}`);
        api.registerResource({ uriTemplate: 'note://{id}', name: 'note', read });
        api.registerResource({ uri: 'note://today', name: 'today', read });
        const complete = () => Array.from({ length: 150 }, (_, at) => `${at}`);
        const args = [
          { name: 'topic', required: true, complete },
          { name: 'tone', required: true },
        ];
        api.registerPrompt({ name: 'p', arguments: args, get: ({ topic }: { topic: string }) => topic });
      },
    });

  it('are read by the URI that a client reads: a fixed one first, then that of a template', async () => {
    const opened = await plugin();
    const textOf = async (uri: string, options?: object) => (await opened.readResource(uri, options)).contents[0];
    expect(await textOf('note://1')).toMatchObject({ uri: 'note://1', text: 'note://1 is 1' });
    expect(await textOf('note://today')).toMatchObject({ text: 'note://today is undefined' });
    expect(await textOf('note://{id}', { variables: { id: 'a b' } })).toMatchObject({ text: 'note://a%20b is a b' });
    for (const uri of ['note://9', 'other://1'])
      expect((await opened.readResource(uri)).error).toMatchObject({
        code: 'RESOURCE_NOT_FOUND',
        message: `Resource not found: ${uri}`,
      });
  });

  it('refuse what lacks required arguments, and show as many completions as clients get', async () => {
    const opened = await plugin();
    expect((await opened.getPrompt('p', { topic: 'x' })).error).toMatchObject({
      code: 'INVALID_PARAMS',
      message: "The prompt 'p' needs the argument 'tone'",
    });
    expect((await opened.getPrompt('p', { topic: 'x', tone: 'y' })).messages).toHaveLength(1);
    expect(await opened.complete({ type: 'prompt', name: 'p' }, 'topic', '')).toHaveLength(100);
  });
});
