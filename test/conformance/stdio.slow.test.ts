import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createClient, stdioTransport, VERSIONS, type Version } from '../support/clients.js';
import { CAPABILITIES } from '../support/raw-stdio.js';
import { createWireCheck, expectValid } from '../support/wire-check.js';
import { DEFAULTS, ENUMS } from './plugins/_forms.js';
import { RED_PIXEL_PNG, SILENCE_WAV } from './plugins/_media.js';
import { sharedWorkplace } from './shared-workplace.js';

type Question = 'elicitation/create' | 'sampling/createMessage' | 'roots/list';

/** What the client enters into every form. */
const FORM = {
  name: 'Ada',
  username: 'ada',
  email: 'ada@example.org',
  context: 'a test',
  ok: true,
  color: 'green',
};
/** What the client says to every question, by the capability that lets it be asked. */
const ANSWERS: Record<string, [Question, object]> = {
  elicitation: ['elicitation/create', { action: 'accept', content: FORM }],
  sampling: ['sampling/createMessage', { role: 'assistant', model: 'test', content: { type: 'text', text: 'Paris' } }],
  roots: ['roots/list', { roots: [{ uri: 'file:///work', name: 'work' }] }],
};

/** One official client that answers every question, for the tests of a group, and what it was asked in each. */
function useClient(version: Version, capabilities: object = CAPABILITIES) {
  const client = createClient(version, { capabilities });
  const check = createWireCheck();
  const questions: { method: string; params: Record<string, unknown> }[] = [];
  for (const [method, result] of Object.keys(capabilities).map((capability) => ANSWERS[capability]!)) {
    client.setRequestHandler(method, async ({ params }) => {
      questions.push({ method, params: params as Record<string, unknown> });
      return result as never;
    });
  }
  beforeAll(() => client.connect(stdioTransport(sharedWorkplace(), [], check)));
  beforeEach(() => {
    questions.length = 0;
  });
  afterAll(async () => {
    await client.close();
    expectValid(check);
  });
  const callForText = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    expect(isError).toBeUndefined();
    return (content as { text: string }[]).map(({ text }) => text).join('\n');
  };
  return { client, questions, callForText };
}

const image = { type: 'image', data: RED_PIXEL_PNG, mimeType: 'image/png' };
const resource = (uri: string, mimeType: string, text: string) => ({
  type: 'resource',
  resource: { uri, mimeType, text },
});

describe.each(VERSIONS)('the official client over stdio with %s', (version) => {
  const { client, questions, callForText } = useClient(version);
  it('lists tools, resources, templates and prompts, each with a description, and schemas as they were written', async () => {
    const { tools } = await client.listTools();
    const { resources } = await client.listResources();
    const { resourceTemplates } = await client.listResourceTemplates();
    const { prompts } = await client.listPrompts();
    expect(tools.every(({ description, inputSchema }) => description && inputSchema.type === 'object')).toBe(true);
    expect([...resources, ...resourceTemplates, ...prompts].every(({ description }) => description)).toBe(true);
    expect(tools.find(({ name }) => name === 'json_schema_2020_12_tool')?.inputSchema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: { address: { $anchor: 'addressDef' } },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    });
    expect(tools.find(({ name }) => name === 'test_x_mcp_header')?.inputSchema.properties).toEqual({
      region: { type: 'string', 'x-mcp-header': 'Region' },
    });
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain('test://template/{id}/data');
    expect(prompts.find(({ name }) => name === 'test_prompt_with_arguments')?.arguments).toEqual([
      { name: 'arg1', description: 'First test argument', required: true },
      { name: 'arg2', description: 'Second test argument', required: true },
    ]);
    expect((await client.readResource({ uri: resources[0]!.uri })).contents).toHaveLength(1);
  });

  it('gets every kind of content', async () => {
    const contents = {
      test_simple_text: [{ type: 'text', text: 'This is a simple text response for testing.' }],
      test_image_content: [image],
      test_audio_content: [{ type: 'audio', data: SILENCE_WAV, mimeType: 'audio/wav' }],
      test_embedded_resource: [
        resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
      ],
      test_multiple_content_types: [
        { type: 'text', text: 'Multiple content types test:' },
        image,
        resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ],
    };
    for (const [name, content] of Object.entries(contents)) {
      expect((await client.callTool({ name })).content).toEqual(content);
    }
  });

  it('is told what a tool threw, and which arguments do not fit its schema', async () => {
    const thrown = await client.callTool({ name: 'test_error_handling' });
    expect(thrown.isError).toBe(true);
    expect(thrown.content).toMatchObject([
      { type: 'text', text: expect.stringContaining('This tool intentionally returns an error for testing') },
    ]);
    const call = (args: Record<string, unknown>) =>
      client.callTool({ name: 'json_schema_2020_12_tool', arguments: args });
    expect(await call({ contactMethod: 'phone', email: 'a@b.c' })).toMatchObject({
      isError: true,
      structuredContent: { errors: [{ code: 'INVALID_PARAMS', message: expect.stringContaining('phone') }] },
    });
    expect(await callForText('json_schema_2020_12_tool', { contactMethod: 'phone', phone: '1' })).toContain('Valid');
  });

  it('is asked for a completion of its model', async () => {
    expect(await callForText('test_sampling', { prompt: 'Capital of France?' })).toBe('LLM response: Paris');
    expect(questions).toMatchObject([
      {
        method: 'sampling/createMessage',
        params: { messages: [{ role: 'user', content: { type: 'text', text: 'Capital of France?' } }], maxTokens: 100 },
      },
    ]);
  });

  it('shows forms: with required fields, with defaults, with every kind of enum', async () => {
    expect(await callForText('test_elicitation', { message: 'Who are you?' })).toContain(
      'User response: action=accept',
    );
    await callForText('test_elicitation_sep1034_defaults');
    await callForText('test_elicitation_sep1330_enums');
    expect(questions.map(({ params }) => params.requestedSchema)).toEqual([
      expect.objectContaining({ required: ['username', 'email'] }),
      DEFAULTS,
      ENUMS,
    ]);
    expect(questions[0]!.params.message).toBe('Who are you?');
  });

  it('answers in rounds, and the tool continues with all of its answers', async () => {
    const texts = {
      elicitation: 'Hello, Ada!',
      sampling: 'The model said: {"type":"text","text":"Paris"}',
      list_roots: 'Roots: file:///work',
      request_state: 'state-ok',
      multiple_inputs: 'Answered: client_roots, greeting, user_name',
      multi_round: 'Ada likes green.',
      capabilities: 'Answered: user_name, capital_question, client_roots',
    };
    for (const [name, text] of Object.entries(texts)) {
      expect(await callForText(`test_input_required_result_${name}`)).toBe(text);
    }
    expect(questions).toHaveLength(1 + 1 + 1 + 1 + 3 + 2 + 3);
    const { messages } = await client.getPrompt({ name: 'test_input_required_result_prompt' });
    expect(messages).toMatchObject([{ role: 'user', content: { type: 'text' } }]);
  });

  it('reads texts, bytes and templates, and is told of a resource that is not there', async () => {
    const read = async (uri: string) => (await client.readResource({ uri })).contents;
    expect(await read('test://static-text')).toEqual([
      { uri: 'test://static-text', mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
    ]);
    expect(await read('test://static-binary')).toEqual([
      { uri: 'test://static-binary', mimeType: 'image/png', blob: RED_PIXEL_PNG },
    ]);
    const uri = 'test://template/123/data';
    expect(await read(uri)).toEqual([
      { uri, mimeType: 'application/json', text: '{"id":"123","templateTest":true,"data":"Data for ID: 123"}' },
    ]);
    await expect(read('test://nowhere')).rejects.toMatchObject({ data: { uri: 'test://nowhere' } });
  });

  it('gets prompts, and completions of their arguments and of a template', async () => {
    const get = async (name: string, args?: Record<string, string>) =>
      (await client.getPrompt({ name, ...(args && { arguments: args }) })).messages;
    const user = (content: object) => ({ role: 'user', content });
    expect(await get('test_simple_prompt')).toEqual([
      user({ type: 'text', text: 'This is a simple prompt for testing.' }),
    ]);
    expect(await get('test_prompt_with_arguments', { arg1: 'one', arg2: 'two' })).toEqual([
      user({ type: 'text', text: "Prompt with arguments: arg1='one', arg2='two'" }),
    ]);
    expect(await get('test_prompt_with_embedded_resource', { resourceUri: 'test://x' })).toEqual([
      user(resource('test://x', 'text/plain', 'Embedded resource content for testing.')),
      user({ type: 'text', text: 'Please process the embedded resource above.' }),
    ]);
    expect(await get('test_prompt_with_image')).toMatchObject([user(image), { role: 'user' }]);
    await expect(get('test_prompt_with_arguments', { arg1: 'one' })).rejects.toMatchObject({ code: -32602 });

    const complete = async (ref: Parameters<Client['complete']>[0]['ref'], name: string, value: string) =>
      (await client.complete({ ref, argument: { name, value } })).completion.values;
    expect(await complete({ type: 'ref/prompt', name: 'test_prompt_with_arguments' }, 'arg1', 'par')).toEqual([
      'paris',
      'park',
      'party',
    ]);
    expect(await complete({ type: 'ref/resource', uri: 'test://template/{id}/data' }, 'id', '1')).toEqual([
      '100',
      '123',
    ]);
  });
});

describe.each(VERSIONS)('an official client that has a model only, over stdio with %s', (version) => {
  const { client, questions, callForText } = useClient(version, { sampling: {} });

  it('is not asked for what it did not declare', async () => {
    expect(await callForText('test_input_required_result_capabilities')).toBe('Answered: capital_question');
    expect(questions.map(({ method }) => method)).toEqual(['sampling/createMessage']);
    const call = client.callTool({ name: 'test_elicitation', arguments: { message: 'x' } });
    if (version === '2026-07-28') {
      await expect(call).rejects.toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: {} } } });
    } else {
      expect(await call).toMatchObject({
        isError: true,
        structuredContent: { errors: [{ code: 'CAPABILITY_NOT_AVAILABLE' }] },
      });
    }
  });
});
