import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../../../../test/support/wait-for.js';
import { TestHost } from '../test-host.js';
import { modern, StdioWire, type Wire } from '../wire.js';

const textOf = (response: Wire) => response.result.content[0].text;

describe('the end of a connection', () => {
  test('when the input ends, running requests are answered first', async () => {
    const wire = new StdioWire(new TestHost());
    await wire.initialize();
    const id = wire.start('tools/call', { name: 'later', arguments: { ms: 50 } });
    wire.input.end();
    await wire.served.closed;
    expect(textOf(await wire.response(id))).toBe('done');
    expect(wire.host.listeners()).toBe(0);
  });

  test('a request that does not end is cancelled after a while, and answered', async () => {
    const wire = new StdioWire(new TestHost(), { endOfInputMs: 100 });
    await wire.initialize();
    const id = wire.start('tools/call', { name: 'slow' });
    wire.input.end();
    await wire.served.closed;
    expect(wire.host.events).toContain('abort slow');
    expect(await wire.response(id)).toBeDefined();
  });

  test('a subscription does not hold it up', async () => {
    // Longer than a test may take.
    const wire = new StdioWire(new TestHost(), { endOfInputMs: 600_000 });
    wire.start('subscriptions/listen', modern({ notifications: { toolsListChanged: true } }));
    await waitFor(() => wire.notifications('notifications/subscriptions/acknowledged')[0]);
    wire.input.end();
    await wire.served.closed;
    expect(wire.host.listeners()).toBe(0);
  });

  test('a request after close() is refused with its id, and those that run are answered', async () => {
    const wire = new StdioWire(new TestHost());
    await wire.initialize();
    const running = wire.start('tools/call', { name: 'later', arguments: { ms: 50 } });
    await waitFor(() => wire.host.events.includes('start later'));
    const closing = wire.served.close();
    const response = wire.start('ping');
    expect((await wire.response(response)).error).toEqual({ code: -32000, message: 'The server is shutting down.' });
    expect(textOf(await wire.response(running))).toBe('done');
    await closing;
    await wire.served.closed;
    wire.line('{"jsonrpc":"2.0","id":"dead","method":"ping"}');
    // It is not answered.
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(wire.received.some((one) => one.id === 'dead')).toBe(false);
  });

  test('a reader that is gone ends it', async () => {
    const wire = new StdioWire(new TestHost());
    await wire.initialize();
    wire.output.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    await wire.served.closed;
    expect(wire.host.listeners()).toBe(0);
  });

  test('an input that has ended before anything came is fine', async () => {
    const wire = new StdioWire(new TestHost());
    wire.input.end();
    await wire.served.closed;
    expect(wire.received).toEqual([]);
  });
});
