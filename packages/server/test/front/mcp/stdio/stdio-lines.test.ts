import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../../../../test/support/wait-for.js';
import { TestHost } from '../test-host.js';
import { StdioWire, withWire } from '../wire.js';

describe('what is not a message', () => {
  const id = undefined;
  test.each([
    ['{"jsonrpc":"2.0",', { code: -32700, id }],
    ['hello', { code: -32700, id }],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', { code: -32600, id }],
    ['[]', { code: -32600, id }],
    ['42', { code: -32600, id }],
    ['null', { code: -32600, id }],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', { code: -32600, id }],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', { code: -32600, id }],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', { code: -32600, id }],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', { code: -32600, id }],
    ['{"id":1,"method":"ping"}', { code: -32600, id }],
    ['{"jsonrpc":"2.0","id":1}', { code: -32600, id }],
    ['{"jsonrpc":"2.0","id":1,"method":7}', { code: -32600, id }],
    ['{"jsonrpc":"2.0","id":9,"method":"ping","params":[1]}', { code: -32600, id: 9 }],
    ['{"jsonrpc":"2.0","id":"a","method":"tools/list","params":{"_meta":3}}', { code: -32602, id: 'a' }],
  ])('%s', (line, expected) =>
    withWire(async (wire) => {
      await wire.initialize();
      const answer = await wire.provoke(line);
      expect({ code: answer.error.code, id: answer.id }).toEqual(expected);
      expect('id' in answer).toBe(expected.id !== undefined);
      expect(answer.error.message).toMatch(/^(Parse error|Invalid request|Invalid params): .+\.$/);
      expect((await wire.request('ping')).result).toEqual({});
    }),
  );

  test('a batch is told what to do', () =>
    withWire(async (wire) => {
      const { error } = await wire.provoke('[{"jsonrpc":"2.0","id":1,"method":"ping"}]');
      expect(error.message).toBe('Invalid request: batches are not part of the protocol; send one message at a time.');
    }));

  test('is answered before anything else was said, too', () =>
    withWire(async (wire) => {
      expect((await wire.provoke('nonsense')).error.code).toBe(-32700);
    }));

  test('empty lines and CRLF are fine, and so are members that JSON-RPC does not know', () =>
    withWire(async (wire) => {
      await wire.initialize();
      wire.line('');
      wire.line('   \r');
      const answer = await wire.provoke('{"jsonrpc":"2.0","id":"x","method":"ping","extra":true}\r');
      expect(answer).toEqual({ jsonrpc: '2.0', id: 'x', result: {} });
      expect(wire.received.filter((one) => 'error' in one)).toEqual([]);
    }));

  test.each([
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}',
    '{"jsonrpc":"2.0","error":{}}',
    '{"result":1}',
  ])('responses that are none are not answered: %s', (line) =>
    withWire(async (wire) => {
      await wire.initialize();
      const before = wire.received.length;
      wire.line(line);
      await wire.request('ping');
      expect(wire.received).toHaveLength(before + 1);
    }),
  );

  test('a message that comes in pieces, and several in one piece', () =>
    withWire(async (wire) => {
      await wire.initialize();
      const line = JSON.stringify({ jsonrpc: '2.0', id: 'ü', method: 'ping' });
      for (const byte of Buffer.from(line)) wire.input.write(Buffer.of(byte));
      wire.input.write(`\n${line.replace('ü', 'b')}\n${line.replace('ü', 'c')}\n`);
      await waitFor(() => wire.received.filter((one) => typeof one.id === 'string').length === 3);
      expect(wire.received.map((one) => one.id)).toContain('ü');
    }));
});

describe('a line that is too long', () => {
  const wireOf = () => new StdioWire(new TestHost(), { maxLineBytes: 2_000 });

  test.each([
    ['last', (text: string) => `{"method":"tools/call","params":{"text":"${text}"},"jsonrpc":"2.0","id":77}`, 77],
    ['first', (text: string) => `{"jsonrpc":"2.0","id":"k1","method":"x","params":{"id":3,"text":"${text}"}}`, 'k1'],
    ['in the middle', (text: string) => `{"jsonrpc":"2.0","method":"x","id":5,"params":{"text":"${text}"}}`, undefined],
    [
      'under a longer name',
      (text: string) => `{"jsonrpc":"2.0","method":"x","params":{"t":"${text}"},"a\\"id":5}`,
      undefined,
    ],
    ['inside params', (text: string) => `{"jsonrpc":"2.0","method":"x","params":{"t":"${text}","id":5}}`, undefined],
  ])('is answered with its id where that stands %s, and ignored', (_where, line, id) =>
    withWire(async (wire) => {
      await wire.initialize();
      const answer = await wire.provoke(line('x'.repeat(300_000)));
      expect(answer.id).toBe(id);
      expect(answer.error).toEqual({
        code: -32600,
        message: 'Invalid request: a message may have 2000 bytes at most (Plugins.Limits.MessageBytes).',
      });
      expect((await wire.request('ping')).result).toEqual({});
      expect(wire.received.filter((one) => 'error' in one)).toHaveLength(1);
    }, wireOf()),
  );
});
