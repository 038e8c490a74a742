import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../../../../test/support/wait-for.js';
import { modern, textOf, withWire } from '../wire.js';

describe('a 2026-07-28 connection over stdio', () => {
  test('discover, list and call, without initialize', () =>
    withWire(async (wire, host) => {
      const release = host.holdReady();
      const discovered = await wire.request('server/discover', modern());
      expect(discovered.result).toMatchObject({
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
        ttlMs: 60_000,
        cacheScope: 'private',
      });
      release();
      const { result } = await wire.request('tools/list', modern());
      expect(result).toMatchObject({ resultType: 'complete', ttlMs: 5_000, cacheScope: 'private' });
      expect(result._meta['io.modelcontextprotocol/serverInfo'].name).toBe('mortise');
      expect(textOf(await wire.request('tools/call', modern({ name: 'echo', arguments: { b: 1 } })))).toBe('{"b":1}');
    }));

  test('initialize after discover is served as 2025-11-25', () =>
    withWire(async (wire, host) => {
      await wire.request('server/discover', modern());
      expect((await wire.initialize()).result.protocolVersion).toBe('2025-11-25');
      expect((await wire.request('tools/list')).result.tools.length).toBeGreaterThan(0);
      host.emit('listChanged', 'tools');
      await waitFor(() => wire.notifications('notifications/tools/list_changed')[0]);
      await wire.request('ping');
      expect(wire.notifications('notifications/tools/list_changed')).toHaveLength(1);
    }));

  test('an unknown version is −32022 with those that are known, in every request', () =>
    withWire(async (wire) => {
      const params = modern({ name: 'echo' }, { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' });
      const expected = { code: -32022, data: { supported: ['2026-07-28'], requested: '2099-01-01' } };
      expect((await wire.request('tools/list', params)).error).toMatchObject(expected);
      await wire.request('tools/call', modern({ name: 'echo' }));
      for (const method of ['tools/list', 'tools/call', 'server/discover']) {
        expect((await wire.request(method, params)).error, method).toMatchObject(expected);
      }
    }));

  test('methods of 2025-11-25 are −32601', () =>
    withWire(async (wire) => {
      await wire.request('tools/list', modern());
      expect((await wire.request('logging/setLevel', modern({ level: 'info' }))).error.code).toBe(-32601);
      expect((await wire.request('resources/subscribe', modern({ uri: 'test://one' }))).error.code).toBe(-32601);
    }));

  test('logs of a call go out at the level of its envelope, else not at all', () =>
    withWire(async (wire) => {
      await wire.request('tools/call', modern({ name: 'log' }));
      expect(wire.notifications('notifications/message')).toEqual([]);
      await wire.request('tools/call', modern({ name: 'log' }, { 'io.modelcontextprotocol/logLevel': 'warning' }));
      expect(wire.notifications('notifications/message').map((one) => one.params.level)).toEqual(['warning', 'error']);
    }));

  test('progress and cancellation', () =>
    withWire(async (wire, host) => {
      await wire.request('tools/call', modern({ name: 'progress' }, { progressToken: 't' }));
      expect(wire.notifications('notifications/progress').map((one) => one.params.progress)).toEqual([0, 50, 100]);
      const id = wire.start('tools/call', modern({ name: 'slow' }));
      await waitFor(() => host.events.includes('start slow'));
      wire.notify('notifications/cancelled', modern({ requestId: id }));
      await waitFor(() => host.events.includes('abort slow'));
      expect((await wire.request('tools/list', modern())).result.tools).toBeDefined();
      expect(wire.received.some((one) => one.id === id)).toBe(false);
    }));

  test('a missing resource is −32602 with its uri', () =>
    withWire(async (wire) => {
      const { error } = await wire.request('resources/read', modern({ uri: 'test://nowhere' }));
      expect(error).toMatchObject({ code: -32602, data: { uri: 'test://nowhere' } });
    }));

  test('subscriptions/listen gets what it asked for', () =>
    withWire(async (wire, host) => {
      const notifications = { toolsListChanged: true, resourceSubscriptions: ['test://one'] };
      const id = wire.start('subscriptions/listen', modern({ notifications }));
      await waitFor(() => wire.notifications('notifications/subscriptions/acknowledged')[0]);
      expect(host.watched).toEqual(['test://one']);
      host.emit('listChanged', 'prompts');
      host.emit('listChanged', 'tools');
      host.emit('resourceUpdated', 'test://two');
      host.emit('resourceUpdated', 'test://one');
      const updated = await waitFor(() => wire.notifications('notifications/resources/updated')[0]);
      expect(updated.params).toMatchObject({
        uri: 'test://one',
        _meta: { 'io.modelcontextprotocol/subscriptionId': id },
      });
      expect(wire.notifications('notifications/tools/list_changed')).toHaveLength(1);
      expect(wire.notifications('notifications/prompts/list_changed')).toEqual([]);
    }));
});
