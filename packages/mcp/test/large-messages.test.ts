import type { Handlers } from '@mortise/mcp';
import { describe, expect, it } from 'vitest';
import { withHttp } from './http/http-wire.js';
import { StdioWire, type Wire } from './stdio/stdio-wire.js';

const MAX_VALUES = 100_000;
const VALUES = Array.from({ length: MAX_VALUES - 1000 }, (_, index) => index);

const handlers: Handlers = {
  'tools/call': ({ arguments: args }) => ({
    content: [{ type: 'text', text: String((args as Wire).values.length) }],
  }),
};

const callWith = (values: readonly unknown[]) => ({
  id: 'large',
  method: 'tools/call',
  params: { name: 'count', arguments: { values } },
});

async function stdioWire(): Promise<StdioWire> {
  const wire = new StdioWire(handlers);
  await wire.initialize();
  return wire;
}

describe('a large message over stdio', () => {
  it('is answered, also if the input ends after it', async () => {
    const wire = await stdioWire();
    wire.send(callWith(VALUES));
    wire.end();
    expect((await wire.response('large')).result.content[0].text).toBe(String(VALUES.length));
  });

  it('is refused for its values before it is parsed, with the name of the limit', async () => {
    const wire = await stdioWire();
    wire.line(`{"values":[${'[],'.repeat(MAX_VALUES)}`);
    const [, refusal] = await wire.find(() => wire.received.length === 2).then(() => wire.received);
    expect(refusal!.error).toEqual({
      code: -32600,
      message: 'Invalid request: a message may have 100000 values at most (maxMessageValues).',
    });
  });

  it('is refused for its bytes, with its id and the name of the limit', async () => {
    const wire = await stdioWire();
    wire.send(callWith(['x'.repeat(8 * 1024 * 1024)]));
    expect((await wire.response('large')).error).toEqual({
      code: -32600,
      message: 'Invalid request: a message may have 8388608 bytes at most (maxLineBytes).',
    });
  });

  it('is refused if it is not JSON', async () => {
    const wire = await stdioWire();
    wire.line(`{"values":[${'1,'.repeat(90_000)}]}`);
    const [, refusal] = await wire.find(() => wire.received.length === 2).then(() => wire.received);
    expect(refusal!.error.code).toBe(-32700);
  });
});

describe('a large message over HTTP', () => {
  it('is answered', () =>
    withHttp({}, async (wire) => {
      const session = await wire.session();
      expect((await session.call('echo', { values: VALUES })).body.result.content[0].text).toBe('echo');
    }));

  it('is refused for its values, or if it is not JSON', () =>
    withHttp({ optionNames: { maxMessageValues: 'Values' } }, async (wire) => {
      const session = await wire.session();
      const reply = await session.post(`{"values":[${'1,'.repeat(MAX_VALUES)}1]}`);
      expect([reply.status, reply.body.error]).toEqual([
        400,
        { code: -32600, message: 'Invalid request: a message may have 100000 values at most (Values).' },
      ]);
      const invalid = await session.post(`{"values":[${'1,'.repeat(90_000)}]}`);
      expect([invalid.status, invalid.body.error.code]).toEqual([400, -32700]);
    }));
});
