import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { connect, createClient, shared, startHttp, type Version } from './support/clients.js';
import { progressOf, textOf } from './support/observe.js';
import { createWorkplace, linkContract } from './support/workplace.js';

const PLUGIN = `
import { appendFileSync, readFileSync } from 'node:fs';
import { image, notFound } from '@mortise/plugin';
export function register(api) {
  const tool = (name, run) => api.registerTool({ name, description: 'd', inputSchema: { type: 'object' }, run });
  tool('counts', (_, { progress }) => {
    progress.report({ done: 0, total: 7, message: 'password=hunter2hunter2' });
    progress.report({ done: 3, total: 7, message: 'c.txt' });
    progress.report({ done: 4096, total: 1e999 });
    return 'ok';
  });
  tool('books', async (_, { once, input }) => {
    const booking = await once('book', () => {
      appendFileSync(new URL('effects', import.meta.url), 'b');
      return { id: 'B-7', note: 'only for the tool' };
    });
    const { action } = await input.elicit('sure', { message: 'Keep it?', schema: { type: 'object' } });
    return booking.id + ' ' + action + ' ' + readFileSync(new URL('effects', import.meta.url), 'utf8');
  });
  api.registerResource({
    uriTemplate: 'p://{kind}',
    name: 'items',
    read: (_, { kind }) => {
      if (kind === 'thrown') throw notFound('No item password=hunter2hunter2');
      return kind === 'null' ? null : notFound();
    },
  });
  tool('draws', () => ({ content: [image(new Uint8Array([255, 216, 255]))] }));
  tool('signs_in', (_, { input }) => input.elicitUrl('sign-in', { message: 'Sign in', url: 'https://example.org/in' }));
  tool('pays', async (_, { input }) => {
    const { action } = await input.elicitUrl('pay', { message: 'Pay', url: 'https://example.org/in' });
    input.completeUrl('pay');
    input.completeUrl('pay');
    return action;
  });
  tool('completes', (_, { input }) => input.completeUrl('never'));
  tool('bad_url', (_, { input }) => input.elicitUrl('sign-in', { message: 'Sign in', url: 'javascript:alert(1)' }));
  tool('who', (_, { caller }) => caller);
  const icons = [{ src: 'data:image/png;base64,iVBORw0KGgo=', sizes: ['any'] }];
  api.registerTool({ name: 'iconic', description: 'd', inputSchema: { type: 'object' }, icons, run: () => 'ok' });
  api.registerResource({ uri: 'i://one', name: 'one', icons, read: () => 'x' });
  api.registerPrompt({ name: 'asks', icons, get: () => 'x' });
  tool('streams', (_, { stream }) => {
    stream('first part, password=hunter2hunter2');
    stream('second part');
    return 'all of it';
  });
}`;
const KEY = { Name: 'ci', Key: 'k'.repeat(40) };

/** The tests of what a call has at hand, as an official client of this version sees it. */
export function testContext(version: Version): void {
  let lastPage: unknown;
  const opened = shared(async (finished) => {
    const workplace = createWorkplace({ 'plugins/p.mjs': PLUGIN }, {}, finished);
    linkContract(workplace);
    const options = { capabilities: { elicitation: { form: {}, url: {} } } };
    const prepare = (client: Client) =>
      client.setRequestHandler('elicitation/create', ({ params }) => {
        if (params.mode !== 'url') return { action: 'accept', content: {} };
        lastPage = params.elicitationId;
        return { action: params.url === 'https://example.org/in' ? 'accept' : 'decline' };
      });
    return connect(workplace, { transport: 'stdio', version }, options, prepare, [], finished);
  });

  it('tells who calls', async () => {
    const { structuredContent } = await opened().callTool({ name: 'who' });
    const client = { name: 'mortise-test', version: '1' };
    expect(structuredContent).toEqual({
      metadata: { client, requestId: expect.stringMatching(/^\d+$/) },
      content: expect.any(String),
    });
  });

  it('lists icons of tools, resources and prompts', async () => {
    const icons = [{ src: 'data:image/png;base64,iVBORw0KGgo=', sizes: ['any'] }];
    const client = opened();
    expect((await client.listTools()).tools).toContainEqual(expect.objectContaining({ name: 'iconic', icons }));
    expect((await client.listResources()).resources).toContainEqual(expect.objectContaining({ uri: 'i://one', icons }));
    expect((await client.listPrompts()).prompts).toContainEqual(expect.objectContaining({ name: 'asks', icons }));
  });

  it('shows parts of the output as log messages', async () => {
    const client = opened();
    const messages: unknown[] = [];
    client.setNotificationHandler('notifications/message', ({ params }) => void messages.push(params));
    if (version === '2025-11-25') await client.setLoggingLevel('info');
    const _meta = { 'io.modelcontextprotocol/logLevel': 'info' };
    const result = await client.callTool({ name: 'streams', ...(version !== '2025-11-25' && { _meta }) });
    expect(textOf(result)).toBe('all of it');
    const part = (message: string) => ({ level: 'info', logger: 'p', data: { message, partial: true } });
    await expect.poll(() => messages).toEqual([part('first part, password=[REDACTED]'), part('second part')]);
  });

  it('tells who calls over HTTP: the name of the key, and the session where there is one', async () => {
    const workplace = createWorkplace({ 'plugins/p.mjs': PLUGIN }, { Auth: { Keys: [KEY] } });
    linkContract(workplace);
    const { url } = await startHttp(workplace);
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: `Bearer ${KEY.Key}` } },
    });
    const client = createClient(version);
    onTestFinished(() => client.close());
    await client.connect(transport);
    const { metadata } = (await client.callTool({ name: 'who' })).structuredContent as { metadata: object };
    expect(metadata).toMatchObject({ client: { name: 'mortise-test', version: '1' }, principal: 'ci' });
    expect((metadata as { sessionId?: string }).sessionId).toBe(transport.sessionId);
    expect(transport.sessionId === undefined).toBe(version === '2026-07-28');
  });

  it('has an effect before a question once, whose result the client cannot read', async () => {
    const client = opened();
    const sent: string[] = [];
    const transport = client.transport!;
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      sent.push(JSON.stringify(message));
      return send(message, options);
    };
    expect(textOf(await client.callTool({ name: 'books' }))).toBe('B-7 accept b');
    const [state] = sent.flatMap((line) => JSON.parse(line).params?.requestState ?? []);
    expect(state !== undefined).toBe(version === '2026-07-28');
    const shown = (state ?? '').split('.').map((part: string) => Buffer.from(part, 'base64url').toString());
    expect(shown.join()).not.toMatch(/B-7|only for the tool/);
  });

  it('says that there is nothing under a URI, as MCP does', async () => {
    const client = opened();
    const errorOf = (uri: string) =>
      client.readResource({ uri }).then(
        () => undefined,
        ({ code, message, data }) => ({ code, message, data }),
      );
    // The official client has one code for both versions.
    const { code } = (await errorOf('nowhere://x'))!;
    for (const [kind, message] of [
      ['null', 'Resource not found: p://null'],
      ['returned', 'Resource not found'],
      ['thrown', 'No item password=[REDACTED]'],
    ]) {
      const uri = `p://${kind}`;
      expect(await errorOf(uri)).toEqual({
        code,
        message: expect.stringContaining(message!),
        // The official client passes nothing else on in a session.
        data: expect.objectContaining({ uri }),
      });
    }
  });

  it('shows an image made of bytes', async () => {
    const { content } = await opened().callTool({ name: 'draws' });
    expect(content).toEqual([{ type: 'image', data: '/9j/', mimeType: 'image/jpeg' }]);
  });

  it('asks the user to open a page', async () => {
    const { structuredContent } = await opened().callTool({ name: 'signs_in' });
    expect(structuredContent).toMatchObject({ metadata: { action: 'accept' } });
    expect(textOf(await opened().callTool({ name: 'bad_url' }))).toContain('an http or https URL');
  });

  it('tells a client of 2025-11-25 once that the page is done', async () => {
    const client = opened();
    const completed: unknown[] = [];
    client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => void completed.push(params));
    expect(textOf(await client.callTool({ name: 'pays' }))).toBe('accept');
    expect(completed).toEqual(version === '2025-11-25' ? [{ elicitationId: lastPage }] : []);
    expect(textOf(await client.callTool({ name: 'completes' }))).toContain(
      "no page was asked for with the key 'never'",
    );
    expect(completed.length).toBe(version === '2025-11-25' ? 1 : 0);
  });

  it('reports amounts with their total, and without one', async () => {
    const client = opened();
    const seen = progressOf(client);
    await client.callTool({ name: 'counts' }, { onprogress() {} });
    expect(seen).toEqual([
      { progress: 0, total: 7, message: 'password=[REDACTED]' },
      { progress: 3, total: 7, message: 'c.txt' },
      { progress: 4096 },
    ]);
  });
}
