import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { shared, VERSIONS } from '../support/clients.js';
import { codeOf, logOf, progressOf, textOf } from '../support/observe.js';
import { waitFor } from '../support/wait-for.js';
import { call, HEADERS, mount, open, startHttp, startServer } from './mounted.js';

const HTTP_PAIRS = VERSIONS.flatMap((version) => [
  { version, kind: 'modern', args: [] as string[] },
  { version, kind: 'legacy', args: ['--legacy'] },
]);

describe.each(HTTP_PAIRS)('a client of $version and a $kind server over HTTP', ({ version, args }) => {
  const opened = shared(async (finished) => {
    const server = await startHttp(args, 0, finished);
    const client = await open(
      mount({ m: { url: server.url, headers: HEADERS } }, {}, finished),
      version,
      { capabilities: { elicitation: { form: {} } } },
      (item) => item.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } })),
      finished,
    );
    return { server, client };
  });

  it('passes calls, progress and questions through, and does not show its headers', async () => {
    const { client } = opened();
    expect(textOf(await call(client, 'echo', { text: 'of top-secret-bearer' }))).toBe('of [REDACTED]');
    const seen = progressOf(client);
    await call(client, 'steps', {}, { onprogress() {} });
    expect(seen).toHaveLength(3);
    expect(textOf(await call(client, 'ask'))).toBe('Hello Ada');
    expect(await call(client, 'add', { a: 1, b: 1 })).toMatchObject({ structuredContent: { sum: 2 } });
  });

  it('ends calls when the server goes, and finds it again', async () => {
    const { server: first, client } = opened();
    await call(client, 'echo', { text: '' });
    const waiting = call(client, 'wait');
    await waitFor(() => first.output().includes('waiting'));
    const cancelled = once(first.process, 'exit');
    first.process.kill('SIGKILL');
    await cancelled;
    // By when the loss is noticed: at this call, or by the one that waits.
    expect(['PLUGIN_CRASHED', 'PLUGIN_UNAVAILABLE']).toContain(codeOf(await call(client, 'echo', { text: 'hello' })));
    await startHttp(args, first.port);
    await waitFor(async () => codeOf(await call(client, 'echo', { text: 'back' })) === undefined);
    expect(codeOf(await waiting)).toBe('PLUGIN_CRASHED');
  });
});

describe('a server by URL that says errors by status', () => {
  const opened = shared(async (finished) => {
    const legacy = await startServer('http-status', [], finished);
    const modern = await startServer('http-status', ['--modern'], finished);
    const workplace = mount({ legacy: { url: legacy.url }, modern: { url: modern.url } }, {}, finished);
    return open(workplace, '2025-11-25', {}, undefined, finished);
  });

  it.each(['legacy', 'modern'])('ends those calls alone: it is there (%s)', async (kind) => {
    const callOf = (name: string) => opened().callTool({ name: `mcp_${kind}_${name}`, arguments: {} });
    for (const name of ['s400', 's404', 's500', 's404']) {
      const result = await callOf(name);
      expect(codeOf(result)).toBe('TOOL_ERROR');
      expect(textOf(result)).toContain('The moon is full');
    }
    expect(textOf(await callOf('works'))).toBe('done');
    for (const [name, words] of Object.entries({
      s429: 'HTTP 429',
      s401: 'HTTP 401',
      s403: 'the headers of its entry',
      page: 'Bad gateway',
      html: 'text/html',
      endless: 'more than',
    })) {
      const result = await callOf(name);
      expect(codeOf(result), name).toBe('TOOL_ERROR');
      expect(textOf(result)).toContain(words);
    }
    expect(textOf(await callOf('works'))).toBe('done');
    expect(textOf(await callOf('sessions'))).toBe('1');
  });
});

describe('a server by URL that is slow to say which version it speaks', () => {
  it('is waited for', async () => {
    const [modern, legacy] = await Promise.all([
      startServer('http-status', ['--slow=4000', '--modern']),
      startServer('http-status', ['--slow=4000']),
    ]);
    const client = await open(mount({ m: { url: modern.url }, n: { url: legacy.url } }));
    expect(textOf(await call(client, 'works'))).toBe('done');
    expect(textOf(await client.callTool({ name: 'mcp_n_works', arguments: {} }))).toBe('done');
  });
});

describe('a session over HTTP that the server has forgotten', () => {
  it('is opened again, without an error', async () => {
    const first = await startHttp(['--legacy']);
    const client = await open(mount({ m: { url: first.url, headers: HEADERS } }));
    await call(client, 'echo', { text: '' });
    const cancelled = once(first.process, 'exit');
    first.process.kill('SIGKILL');
    await cancelled;
    await startHttp(['--legacy'], first.port);
    const lines = logOf(client);
    expect(textOf(await call(client, 'echo', { text: 'as if nothing was' }))).toBe('as if nothing was');
    expect(lines()).not.toContain('ended');
  });
});
