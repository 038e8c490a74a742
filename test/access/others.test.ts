import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shared, startHttp } from '../support/clients.js';
import { waitFor } from '../support/wait-for.js';
import { createWorkplace } from '../support/workplace.js';
import { ask, post, type Reply, session } from './three-keys.js';

/** Attempts of one key to reach what another key has made, and of a URL to reach what its profile hides. */

const PLUGIN = `
let release;
export const register = (api) => {
  const schema = { type: 'object', properties: { text: { type: 'string' } } };
  const tool = (name, run) => api.registerTool({ name, title: 'T', description: 'd', inputSchema: schema, run });
  const wait = (context) => new Promise((resolve) => {
    release = resolve;
    context.signal.addEventListener('abort', () => resolve('ended'));
  });
  tool('slow', async (args, context) => {
    context.logger.error('secret line of the call');
    let count = 0;
    context.progress.report(1, 'secret progress');
    const timer = setInterval(() => context.progress.report(1, 'secret progress ' + (count += 1)), 50);
    const text = await wait(context);
    clearInterval(timer);
    return 'secret result ' + text;
  });
  tool('release', () => { release?.('released'); return 'released'; });
  tool('ask', async (args, context) => 'secret answer ' + JSON.stringify(await context.input.elicit('question',
    { message: 'secret question', schema: { type: 'object', properties: { name: { type: 'string' } } } })));
  tool('long', () => 'secret line\\n'.repeat(10_000));
  tool('look', () => 'looked');
};`;

const KEYS = { a: 'a'.repeat(32), b: 'b'.repeat(32) };
const SETTINGS = {
  Plugins: { Directory: 'plugins' },
  Dotnet: { Enabled: false },
  Output: { MaxTextChars: 5_000 },
  Tasks: { AfterMs: 100 },
  Tools: { PageSize: 2 },
  Profiles: { slow: { Include: ['slow', 'release'] }, look: { Include: ['look'] } },
  Auth: { Keys: Object.entries(KEYS).map(([Name, Key]) => ({ Name, Key })) },
};
const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} }, elicitation: {} };
const UNKNOWN = 'AAAAAAAAAAAAAAAAAAAAAA';

/** The ways to write an id. */
const SPELLINGS: readonly (readonly [string, (id: string) => string])[] = [
  ['as it is', (id) => id],
  ['with a blank', (id) => ` ${id}`],
  ['with padding', (id) => `${id}==`],
  ['with NUL', (id) => `${id}\0`],
  ['with the name of its key', (id) => `a/${id}`],
  ['with a query', (id) => `${id}?principal=a`],
];

describe('what belongs to another', () => {
  const url = shared(async (finished) => {
    const workplace = createWorkplace({ 'plugins/p.mjs': PLUGIN }, SETTINGS, finished);
    return (await startHttp(workplace, [], finished)).url;
  });
  const counts = { tried: 0, held: 0 };
  afterAll(() => console.log(`Attempts to reach what is another's: ${counts.tried} tried, ${counts.held} held`));
  const check = (isHeld: boolean, what = '') => {
    counts.tried += 1;
    if (isHeld) counts.held += 1;
    expect(isHeld, what).toBe(true);
  };
  const isSilent = ({ text }: Reply) => !text.includes('secret');
  const start = async (at: string, key: string, name = 'slow'): Promise<string> => {
    const { body } = await ask(at, key, 'tools/call', { name, arguments: {} }, TASKS);
    expect(body.result.resultType).toBe('task');
    return body.result.taskId;
  };
  const task = (at: string, key: string, method: string, taskId: string): Promise<Reply> => {
    const params = { taskId, ...(method === 'tasks/update' && { inputResponses: { question: { action: 'accept' } } }) };
    return ask(at, key, method, params, TASKS);
  };
  const statusOf = async (key: string, taskId: string) =>
    (await task(url(), key, 'tasks/get', taskId)).body.result?.status;
  const release = () => ask(url(), KEYS.a, 'tools/call', { name: 'release', arguments: {} });
  const end = (taskId: string) =>
    waitFor(async () => {
      await release();
      return (await statusOf(KEYS.a, taskId)) === 'completed';
    });
  /** Answered as what does not exist, without any trace of it. */
  const isUnknown = (reply: Reply, unknown: Reply) =>
    isSilent(reply) &&
    reply.status === unknown.status &&
    reply.body.error?.code === unknown.body.error?.code &&
    reply.body.error?.message === unknown.body.error?.message;

  describe('a task', () => {
    let taskId: string;
    beforeAll(async () => {
      taskId = await start(url(), KEYS.a);
    });
    afterAll(() => end(taskId));

    it.each(
      ['tasks/get', 'tasks/update', 'tasks/cancel'].flatMap((method) =>
        SPELLINGS.map(([how, spell]) => [method, how, spell] as const),
      ),
    )('%s of another key, %s, is unknown', async (method, _how, spell) => {
      const unknown = await task(url(), KEYS.b, method, UNKNOWN);
      expect(unknown.body.error.code).toBe(-32602);
      check(isUnknown(await task(url(), KEYS.b, method, spell(taskId)), unknown));
      expect(await statusOf(KEYS.a, taskId)).toBe('working');
    });

    it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
      '%s is unknown at a URL that hides its tool',
      async (method) => {
        const at = `${url()}/p/look`;
        check(isUnknown(await task(at, KEYS.a, method, taskId), await task(at, KEYS.a, method, UNKNOWN)));
        expect(await statusOf(KEYS.a, taskId)).toBe('working');
      },
    );

    it('made at a URL exists where its tool is visible, and so for the key itself', async () => {
      await end(taskId);
      taskId = await start(`${url()}/p/slow`, KEYS.a);
      for (const at of [url(), `${url()}/p/slow`])
        expect((await task(at, KEYS.a, 'tasks/get', taskId)).body.result.status).toBe('working');
      check((await task(`${url()}/p/look`, KEYS.a, 'tasks/get', taskId)).body.error?.code === -32602);
      check((await task(`${url()}/p/slow`, KEYS.b, 'tasks/get', taskId)).body.error?.code === -32602);
    });

    it.each([
      ['another key', KEYS.b, ''],
      ['a URL that hides its tool', KEYS.a, '/p/look'],
    ])('is not listened to by %s', async (_who, key, path) => {
      const notifications = { taskIds: [taskId], toolsListChanged: true };
      const stop = new AbortController();
      const heard = listen(url() + path, key, notifications, stop);
      await expect.poll(heard).toContain('subscriptions/acknowledged');
      const own = listen(url(), KEYS.a, notifications, stop);
      await expect.poll(own).toContain('secret progress');
      check(!heard().includes(taskId));
      check(!heard().includes('secret'));
      stop.abort();
    });

    it('is not reached in a session of 2025-11-25', async () => {
      const headers = await session(url(), KEYS.b);
      for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel', 'tasks/list']) {
        const reply = await post(url(), KEYS.b, { id: 9, method, params: { taskId } }, headers);
        check(reply.body.error !== undefined && isSilent(reply));
      }
      expect(await statusOf(KEYS.a, taskId)).toBe('working');
    });
  });

  it('a question in a task is not shown to, nor answered by, another key', async () => {
    const taskId = await start(url(), KEYS.a, 'slow');
    await end(taskId);
    const asked = await ask(url(), KEYS.a, 'tools/call', { name: 'ask', arguments: {} }, { elicitation: {} });
    const { requestState, inputRequests } = asked.body.result;
    expect(JSON.stringify(inputRequests)).toContain('secret question');
    const inputResponses = { question: { action: 'accept', content: { name: 'x' } } };
    const answer = (key: string, at = url()) =>
      ask(at, key, 'tools/call', { name: 'ask', arguments: {}, requestState, inputResponses }, { elicitation: {} });
    check(!(await answer(KEYS.b)).text.includes('secret answer'));
    check((await answer(KEYS.a, `${url()}/p/look`)).body.error?.code === -32602);
    expect((await answer(KEYS.a)).text).toContain('secret answer');
  });

  it('a stored output is read by no other key, in whatever spelling', async () => {
    const called = await ask(url(), KEYS.a, 'tools/call', { name: 'long', arguments: {} });
    const [uri] = called.text.match(/mortise:\/\/outputs\/[\w-]+/)!;
    const read = (key: string, address: string) => ask(url(), key, 'resources/read', { uri: address });
    expect((await read(KEYS.a, uri)).text).toContain('secret line');
    for (const address of [
      uri,
      `${uri}?offset=0`,
      `${uri}?offset=1`,
      uri.toUpperCase(),
      `${uri}/`,
      `${uri}#x`,
      uri.replace('outputs', 'outputs/.'),
    ]) {
      const reply = await read(KEYS.b, address);
      check(reply.body.error !== undefined && isSilent(reply));
    }
    const ref = { type: 'ref/resource', uri: 'mortise://outputs/{id}{?offset}' };
    const completed = await ask(url(), KEYS.b, 'completion/complete', { ref, argument: { name: 'id', value: '' } });
    check(!completed.text.includes(uri.split('/').at(-1)!));
    const listed = await ask(url(), KEYS.b, 'resources/list');
    check(!listed.text.includes(uri));
  });

  it('log lines and progress of a call go to its caller, whatever token and level another has', async () => {
    const [ofA, ofB] = await Promise.all([KEYS.a, KEYS.b].map((key) => session(url(), key)));
    const stop = new AbortController();
    const heard = stream(url(), KEYS.b, ofB!, stop);
    await post(url(), KEYS.b, { id: 2, method: 'logging/setLevel', params: { level: 'debug' } }, ofB);
    const _meta = { progressToken: 'token' };
    const call = post(
      url(),
      KEYS.a,
      { id: 3, method: 'tools/call', params: { name: 'slow', arguments: {}, _meta } },
      ofA,
    );
    const own = post(
      url(),
      KEYS.b,
      { id: 3, method: 'tools/call', params: { name: 'look', arguments: {}, _meta } },
      ofB,
    );
    check(isSilent(await own));
    // Another key cannot cancel the call by its id, nor report progress of it.
    for (const key of ['requestId', 'progressToken']) {
      const method = key === 'requestId' ? 'notifications/cancelled' : 'notifications/progress';
      await post(url(), KEYS.b, { method, params: { requestId: 3, progressToken: 'token', progress: 1 } }, ofB);
    }
    check(
      (await post(url(), KEYS.b, { method: 'notifications/cancelled', params: { requestId: 3 } }, ofA)).status === 404,
    );
    let ended: Reply | undefined;
    void call.then((reply) => {
      ended = reply;
    });
    await waitFor(async () => {
      await release();
      return ended !== undefined;
    });
    const { text } = await call;
    expect(text).toContain('secret result released');
    expect(text).toContain('secret progress');
    check(!heard().includes('secret'));
    stop.abort();
  });

  it('a session and its streams are not continued by another key or URL', async () => {
    const headers = await session(url(), KEYS.a);
    const tries: readonly (readonly [string, string, string, Record<string, string>])[] = [
      [url(), KEYS.b, 'GET', {}],
      [url(), KEYS.b, 'GET', { 'last-event-id': '0' }],
      [url(), KEYS.b, 'DELETE', {}],
      [`${url()}/p/look`, KEYS.a, 'GET', {}],
      [`${url()}/p/look`, KEYS.a, 'DELETE', {}],
    ];
    for (const [at, key, method, more] of tries) {
      const authorization = `Bearer ${key}`;
      const request = { method, headers: { ...headers, ...more, authorization, accept: 'text/event-stream' } };
      check((await fetch(at, request)).status === 404);
    }
    expect((await post(url(), KEYS.a, { id: 1, method: 'tools/list' }, headers)).status).toBe(200);
  });

  it('a cursor of a longer list shows nothing more', async () => {
    const { body } = await ask(url(), KEYS.a, 'tools/list');
    expect(body.result.nextCursor).toBeDefined();
    for (let cursor: string | undefined = body.result.nextCursor; cursor !== undefined; ) {
      const narrow = await ask(`${url()}/p/look`, KEYS.a, 'tools/list', { cursor });
      check(!/"name":"(?!look|mortise)/.test(narrow.text));
      cursor = (await ask(url(), KEYS.a, 'tools/list', { cursor })).body.result.nextCursor;
    }
  });
});

/** What a request that listens was sent so far. */
function listen(url: string, key: string, notifications: object, stop: AbortController): () => string {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': TASKS,
  };
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'subscriptions/listen',
    params: { notifications, _meta },
  });
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'subscriptions/listen',
    'content-type': 'application/json',
  };
  return read(url, key, { method: 'POST', body, headers, signal: stop.signal });
}

/** What the stream of a session was sent so far. */
const stream = (url: string, key: string, headers: Record<string, string>, stop: AbortController) =>
  read(url, key, { headers, signal: stop.signal });

function read(url: string, key: string, request: RequestInit & { headers: Record<string, string> }): () => string {
  let text = '';
  const accept = 'application/json, text/event-stream';
  const follow = async () => {
    const response = await fetch(url, {
      ...request,
      headers: { ...request.headers, accept, authorization: `Bearer ${key}` },
    });
    for await (const chunk of response.body!) text += Buffer.from(chunk).toString();
  };
  void follow().catch(() => {});
  return () => text;
}
