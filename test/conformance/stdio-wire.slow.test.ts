import { describe, expect, it } from 'vitest';
import { VERSIONS } from '../support/clients.js';
import type { Raw } from '../support/raw-stdio.js';
import { call, useRaw } from './use-raw.js';

const LEVEL = 'io.modelcontextprotocol/logLevel';

describe.each(VERSIONS)('on the wire over stdio with %s', (version) => {
  const server = useRaw(version);

  it('progress comes before the result, 0, 50 and 100 of 100; none without a token', async () => {
    const wire = server();
    const progressToken = 'steps';
    // The plugin's process starts: a call that takes longer than that says that it still runs.
    await wire.request('tools/call', call('test_tool_with_progress'));
    wire.clear();
    const { id } = await wire.request('tools/call', call('test_tool_with_progress', { _meta: { progressToken } }));
    expect(wire.notifications('notifications/progress').map(({ params }) => params)).toEqual(
      [0, 50, 100].map((progress) => ({ progressToken, progress, total: 100 })),
    );
    expect(wire.received.at(-1)).toMatchObject({ id });
    await wire.request('tools/call', call('test_tool_with_progress'));
    expect(wire.notifications('notifications/progress')).toHaveLength(3);
  });

  it('methods that the version does not have are −32601', async () => {
    const wire = server();
    const removed = ['ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'];
    const unknown = version === '2026-07-28' ? removed : ['server/discover', 'subscriptions/listen'];
    await wire.request('tools/list');
    for (const method of ['unknown/method', ...unknown]) {
      expect((await wire.request(method)).error, method).toMatchObject({ code: -32601 });
    }
  });

  it('a resource that is not there has its code and its URI', async () => {
    const wire = server();
    const { error } = await wire.request('resources/read', { uri: 'test://nowhere' });
    expect(error).toMatchObject({
      code: version === '2026-07-28' ? -32602 : -32002,
      data: { uri: 'test://nowhere' },
    });
  });
});

describe('a 2025-11-25 session over stdio', () => {
  const server = useRaw('2025-11-25');

  it('gets the three log lines of a call at level info, and none above', async () => {
    const wire = server();
    const data = () => wire.notifications('notifications/message').map(({ params }) => params.data);
    await wire.request('logging/setLevel', { level: 'info' });
    await wire.request('tools/call', call('test_tool_with_logging'));
    expect(data()).toEqual(['Tool execution started', 'Tool processing data', 'Tool execution completed']);
    await wire.request('logging/setLevel', { level: 'warning' });
    await wire.request('tools/call', call('test_tool_with_logging'));
    expect(data()).toHaveLength(3);
  });

  it('is told of the resource that it subscribed to, until it does no more', async () => {
    const wire = server();
    const uri = 'test://watched-resource';
    const updates = () => wire.notifications('notifications/resources/updated').map(({ params }) => params);
    await wire.request('tools/call', call('test_trigger_resource_update'));
    expect((await wire.request('resources/subscribe', { uri })).result).toEqual({});
    await wire.request('tools/call', call('test_trigger_resource_update'));
    await wire.find(({ method }) => method === 'notifications/resources/updated');
    expect((await wire.request('resources/unsubscribe', { uri })).result).toEqual({});
    await wire.request('tools/call', call('test_trigger_resource_update'));
    const { result } = await wire.request('resources/read', { uri });
    expect(result.contents[0].text).toBe('Changed 3 times');
    expect(updates()).toEqual([{ uri }]);
  });

  it.each([
    ['tools', 'test_trigger_tool_change', 'name', 'test_dynamic_tool'],
    ['prompts', 'test_trigger_prompt_change', 'name', 'test_dynamic_prompt'],
    ['resources', 'test_trigger_resource_change', 'uri', 'test://dynamic'],
  ])('is told when the list of %s changes, and only then', async (list, trigger, key, value) => {
    const wire = server();
    const isListed = async () => {
      const { result } = await wire.request(`${list}/list`);
      return result[list].some((item: Raw) => item[key] === value);
    };
    const changes = () => wire.received.filter(({ method }) => method?.endsWith('/list_changed'));
    await wire.request('tools/call', call('test_simple_text'));
    expect([await isListed(), changes()]).toEqual([false, []]);
    for (const [count, isThere] of [true, false].entries()) {
      await wire.request('tools/call', call(trigger));
      await wire.find(() => changes().length === count + 1);
      expect(await isListed()).toBe(isThere);
    }
    expect(changes().map(({ method }) => method)).toEqual(Array(2).fill(`notifications/${list}/list_changed`));
  });
});

describe('2026-07-28 over stdio', () => {
  const server = useRaw('2026-07-28');

  it('log lines come only when the request names a level', async () => {
    const wire = server();
    const lines = () => wire.notifications('notifications/message');
    await wire.request('tools/call', call('test_logging_tool'));
    expect(lines()).toEqual([]);
    await wire.request('tools/call', call('test_logging_tool', { _meta: { [LEVEL]: 'error' } }));
    expect(lines()).toEqual([]);
    await wire.request('tools/call', call('test_logging_tool', { _meta: { [LEVEL]: 'info' } }));
    expect(lines().map(({ params }) => params.level)).toEqual(['info', 'info', 'info']);
  });

  it('discover names the version, the capabilities and the server; another version is −32022', async () => {
    const wire = server();
    const { result } = await wire.request('server/discover');
    expect(result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true }, prompts: { listChanged: true }, resources: { subscribe: true } },
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'mortise' } },
    });
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    expect((await wire.request('tools/list', { _meta })).error).toMatchObject({
      code: -32022,
      data: { supported: ['2026-07-28'], requested: '2099-01-01' },
    });
  });

  it.each(['io.modelcontextprotocol/protocolVersion', 'io.modelcontextprotocol/clientCapabilities'])(
    'a later request without %s is −32602',
    async (key) => {
      const wire = server();
      await wire.request('prompts/list');
      expect((await wire.request('tools/list', { _meta: { [key]: undefined } })).error).toMatchObject({ code: -32602 });
    },
  );

  it('results that may be cached say how long, and for whom', async () => {
    const wire = server();
    const requests: [string, object?][] = [
      ['tools/list'],
      ['prompts/list'],
      ['resources/list'],
      ['resources/templates/list'],
      ['resources/read', { uri: 'test://static-text' }],
    ];
    for (const [method, params] of requests) {
      const { ttlMs, cacheScope } = (await wire.request(method, params)).result;
      expect(Number.isInteger(ttlMs) && ttlMs >= 0, method).toBe(true);
      expect(['public', 'private'], method).toContain(cacheScope);
    }
  });

  it('a listener gets what it asked for, under its id, and nothing else', async () => {
    const wire = server();
    const uri = 'test://watched-resource';
    const notifications = { toolsListChanged: true, resourceSubscriptions: [uri] };
    const subscriptionId = wire.start('subscriptions/listen', { notifications });
    const isNotification = ({ method }: Raw) => method?.startsWith('notifications/');
    expect(await wire.find(isNotification)).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
    });
    for (const what of ['prompt_change', 'resource_change', 'tool_change', 'resource_update']) {
      await wire.request('tools/call', call(`test_trigger_${what}`));
    }
    await wire.find(({ method }) => method === 'notifications/resources/updated');
    const received = wire.received.filter(isNotification);
    expect(received.map(({ method }) => method)).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/tools/list_changed',
      'notifications/resources/updated',
    ]);
    for (const { params } of received) {
      expect(params._meta).toMatchObject({ 'io.modelcontextprotocol/subscriptionId': subscriptionId });
    }
    const { result } = await wire.request('tools/list');
    expect(result.tools.map(({ name }: Raw) => name)).toContain('test_dynamic_tool');
  });

  it('no request of the server is ever on the wire', async () => {
    const wire = server();
    const { result } = await wire.request(
      'tools/call',
      call('test_streaming_elicitation', { _meta: { progressToken: 1 } }),
    );
    expect(result.resultType).toBe('input_required');
    expect(wire.received.filter((message) => 'method' in message && 'id' in message)).toEqual([]);
    expect(wire.notifications('notifications/progress')).toHaveLength(1);
  });
});

describe('a 2026-07-28 client that can do nothing, over stdio', () => {
  const server = useRaw('2026-07-28', {});

  it('a tool that needs what the client lacks is −32021 with what that is', async () => {
    const wire = server();
    expect((await wire.request('tools/call', call('test_missing_capability'))).error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { sampling: {} } },
    });
  });
});
