import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { shared, VERSIONS } from '../support/clients.js';
import { codeOf, logOf, progressOf, textOf } from '../support/observe.js';
import { processesOf } from '../support/processes.js';
import { waitFor } from '../support/wait-for.js';
import { call, KINDS, mount, OFFICIAL, open, PAIRS, sharedClient, toolNames } from './mounted.js';

describe.each(PAIRS)('a client of $version and a $kind server', ({ version, kind }) => {
  const questions: unknown[] = [];
  const changes: string[] = [];
  const answer = (client: Client) => {
    client.setRequestHandler('elicitation/create', ({ params }) => {
      questions.push(params.message);
      return { action: 'accept', content: { name: 'Ada' } };
    });
    client.setRequestHandler('sampling/createMessage', () => ({
      role: 'assistant',
      content: { type: 'text', text: 'Paris' },
      model: 'm',
    }));
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///work' }] }));
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void changes.push(params.uri));
  };
  const opened = shared(async (finished) => {
    const workplace = mount({ m: OFFICIAL[kind] }, {}, finished);
    const options = {
      capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
      listChanged: { tools: { onChanged: () => changes.push('tools') } },
    };
    return { workplace, client: await open(workplace, version, options, answer, finished) };
  });

  it('passes tools, resources, prompts and completions through', async () => {
    const { client } = opened();
    const { tools } = await client.listTools();
    const add = tools.find(({ name }) => name === 'mcp_m_add');
    expect(add).toMatchObject({ description: 'Does add.', annotations: { readOnlyHint: true } });
    expect(await call(client, 'add', { a: 2, b: 3 })).toMatchObject({ structuredContent: { sum: 5 } });
    expect(await client.callTool({ name: 'mcp.m.echo', arguments: { text: 'hi' } })).toMatchObject({
      content: [{ type: 'text', text: 'hi' }],
    });
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toContain('note://today');
    expect(await client.readResource({ uri: 'note://today' })).toMatchObject({
      contents: [{ text: 'rain, api_key=[REDACTED]' }],
    });
    expect(await client.readResource({ uri: 'note://day/friday' })).toMatchObject({
      contents: [{ text: 'on friday' }],
    });
    expect((await client.listPrompts()).prompts).toMatchObject([
      { name: 'mcp.m.greet', arguments: [{ name: 'name' }] },
    ]);
    expect(await client.getPrompt({ name: 'mcp.m.greet', arguments: { name: 'Ada' } })).toMatchObject({
      messages: [{ content: { text: 'Greet Ada' } }],
    });
    const completed = [
      await client.complete({
        ref: { type: 'ref/prompt', name: 'mcp.m.greet' },
        argument: { name: 'name', value: 'A' },
      }),
      await client.complete({
        ref: { type: 'ref/resource', uri: 'note://day/{day}' },
        argument: { name: 'day', value: '' },
      }),
    ];
    expect(completed.map(({ completion }) => completion)).toEqual([
      { values: ['Ada', 'Alan'], total: 2, hasMore: false },
      { values: ['monday', 'tuesday'], total: 2, hasMore: false },
    ]);
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'note://day/{day}' },
      argument: { name: 'day', value: 'd' },
    });
    expect(completion).toMatchObject({ total: 150, hasMore: true });
    expect(completion.values).toHaveLength(100);
  });

  it('holds results to the contract: errors keep their words, secrets do not come through', async () => {
    const { client } = opened();
    const failed = await call(client, 'fail');
    expect(failed).toMatchObject({ isError: true, content: [{ type: 'text', text: 'The disk is full' }] });
    expect(codeOf(failed)).toBe('TOOL_ERROR');
    expect(textOf(await call(client, 'secret'))).toBe('password=[REDACTED]');
    expect(codeOf(await call(client, 'add', { a: 'x' }))).toBe('TOOL_ERROR');
  });

  it('passes progress through', async () => {
    const { client } = opened();
    const seen = progressOf(client);
    await call(client, 'steps', {}, { onprogress() {} });
    expect(seen).toEqual([
      { progress: 1, total: 4, message: 'one' },
      { progress: 2, total: 4, message: 'two' },
      { progress: 3, total: 4, message: 'three' },
    ]);
  });

  it('passes a cancel through, and the server continues', async () => {
    const { workplace, client } = opened();
    await call(client, 'echo', { text: '' });
    const before = processesOf(workplace).filter(({ command }) => command.includes('official.mjs'));
    const controller = new AbortController();
    const lines = logOf(client);
    const waiting = call(client, 'wait', {}, { signal: controller.signal });
    await waitFor(() => lines().includes('waiting'));
    controller.abort();
    await expect(waiting).rejects.toThrow();
    await waitFor(() => lines().includes('told of the cancel'));
    expect(textOf(await call(client, 'echo', { text: 'still here' }))).toBe('still here');
    const after = processesOf(workplace).filter(({ command }) => command.includes('official.mjs'));
    expect(after.map(({ pid }) => pid)).toEqual(before.map(({ pid }) => pid));
  });

  it('asks the user, the model and for folders', async () => {
    const { client } = opened();
    expect(textOf(await call(client, 'ask'))).toBe('Hello Ada');
    expect(questions).toEqual(['Who?']);
    if (kind === 'legacy') {
      expect(textOf(await call(client, 'ask_old'))).toBe('accept Ada, run 1');
      expect(textOf(await call(client, 'model'))).toBe('Paris');
      expect(textOf(await call(client, 'roots'))).toBe('file:///work');
    }
  });

  it('tells of changes of lists and resources', async () => {
    const { client } = opened();
    changes.length = 0;
    if (version === '2025-11-25') await client.subscribeResource({ uri: 'note://today' });
    else await client.listen({ resourceSubscriptions: ['note://today'] });
    await call(client, 'grow');
    await waitFor(() => changes.includes('tools'));
    expect(await toolNames(client)).toContain('mcp_m_grown_1');
    expect(textOf(await call(client, 'grown_1'))).toBe('new');
    await waitFor(async () => {
      await call(client, 'touch');
      return changes.includes('note://today');
    });
  });
});

describe.each(VERSIONS)('a client of %s that cannot be asked', (version) => {
  const opened = sharedClient(OFFICIAL, version);

  it.each(KINDS)('hears what it would need, of a %s server', async (kind) => {
    const questions = opened().client.callTool({ name: `mcp_${kind}_ask`, arguments: {} });
    if (version === '2025-11-25') expect(codeOf(await questions)).toBe('CAPABILITY_NOT_AVAILABLE');
    else await expect(questions).rejects.toMatchObject({ code: -32021 });
  });
});
