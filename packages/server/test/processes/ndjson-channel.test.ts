import { PassThrough, Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { LineOutput, MAX_LINE_BYTES, openLineChannel } from '../../src/processes/ndjson-channel.js';
import { DEFAULT_LIMITS, type PluginLimits } from '../../src/settings/plugin-limits.js';

/** A channel on a stream that the test feeds and looks into. */
function open(limits?: PluginLimits) {
  const stream = new PassThrough();
  const written: string[] = [];
  stream.write = ((chunk: string) => written.push(chunk)) as never;
  const received: unknown[] = [];
  const onClose = vi.fn();
  const onMessage = (message: unknown) => received.push(message);
  const channel = openLineChannel<unknown>(stream, { onMessage, onClose }, limits ? { limits } : {});
  const feed = (bytes: Buffer | string) => stream.emit('data', Buffer.from(bytes));
  return { channel, stream, written, received, onClose: onClose, feed };
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

describe('a line channel', () => {
  it('writes the lines of one tick together', async () => {
    const { channel, written } = open();
    channel.send({ a: 1 });
    channel.send('two\nlines');
    expect(written).toEqual([]);
    await nextTick();
    channel.send(3);
    await nextTick();
    expect(written).toEqual(['{"a":1}\n"two\\nlines"\n', '3\n']);
  });

  it('writes many lines of one tick in several writes, in their order', async () => {
    const { channel, written } = open();
    const messages = Array.from({ length: 100 }, (_, index) => index);
    for (const message of messages) channel.send(message);
    expect(written.length).toBeGreaterThan(1);
    await nextTick();
    expect(written.join('')).toBe(messages.map((message) => `${message}\n`).join(''));
    expect(written).not.toContain('');
  });

  it('reads messages however they are cut into pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.json()), fc.array(fc.integer({ min: 1, max: 20 })), (messages, sizes) => {
        const { received, feed } = open();
        const bytes = Buffer.from(messages.map((message) => `${message}\n`).join(''));
        let at = 0;
        for (const size of sizes) {
          feed(bytes.subarray(at, at + size));
          at += size;
        }
        feed(bytes.subarray(at));
        expect(received).toEqual(messages.map((message) => JSON.parse(message)));
      }),
    );
  });

  it('ends once, with the reason, at what is not JSON, and hears nothing more', () => {
    const { received, onClose, feed, stream } = open();
    feed('1\nnone\n2\n');
    feed('3\n');
    stream.emit('close');
    expect(received).toEqual([1]);
    expect(onClose.mock.calls).toEqual([['it sent a line that is not JSON']]);
    expect(stream.destroyed).toBe(true);
  });

  it('ends at a line that is too long before it has an end', () => {
    const { onClose, feed } = open();
    const piece = Buffer.alloc(MAX_LINE_BYTES / 4, 32);
    for (let i = 0; i < 4; i++) feed(piece);
    expect(onClose).not.toHaveBeenCalled();
    feed(' ');
    expect(onClose).toHaveBeenCalledExactlyOnceWith(`it sent a message of more than ${MAX_LINE_BYTES} bytes`);
  });

  it('refuses to send what the other side would not read, by bytes', async () => {
    const { channel, written } = open();
    expect(() => channel.send('é'.repeat(MAX_LINE_BYTES / 2))).toThrow(RangeError);
    channel.send('x'.repeat(MAX_LINE_BYTES / 2));
    await nextTick();
    expect(written.map(({ length }) => length)).toEqual([MAX_LINE_BYTES / 2 + 3]);
  });

  it('sends nothing after it was closed', async () => {
    const { channel, written, onClose } = open();
    channel.send(1);
    channel.close();
    channel.send(2);
    await nextTick();
    expect(written).toEqual([]);
    expect(onClose).toHaveBeenCalledExactlyOnceWith(undefined);
  });

  it('is ended by a message of a plugin that has too many bytes, before its end, or too many values', () => {
    const { onClose, feed } = open({ ...DEFAULT_LIMITS, MessageBytes: 100_000, MessageValues: 1000 });
    feed(`"${'x'.repeat(100_000)}`);
    expect(onClose).toHaveBeenCalledExactlyOnceWith(
      'its message is too large: its message has more than 100,000 bytes; Plugins.Limits.MessageBytes allows 100,000',
    );
    const many = open({ ...DEFAULT_LIMITS, MessageValues: 1000 });
    many.feed(`${JSON.stringify(Array(1000).fill(0))}\n${JSON.stringify(Array(1001).fill(0))}\n`);
    expect(many.received).toHaveLength(1);
    expect(many.onClose).toHaveBeenCalledExactlyOnceWith(
      'its message is too large: its message has 1,001 values; Plugins.Limits.MessageValues allows 1,000',
    );
  });

  it('does not send what is beyond the limits that it was given, and says how much it has', () => {
    const { channel } = open();
    channel.setSendLimits({ ...DEFAULT_LIMITS, MessageBytes: 1024, MessageValues: 1000 });
    expect(() => channel.send('x'.repeat(1023))).toThrow(
      'The message to the server has 1,025 bytes; Plugins.Limits.MessageBytes allows 1,024',
    );
    channel.setSendLimits({ ...DEFAULT_LIMITS, MessageValues: 1000 });
    expect(() => channel.send(Array(1500).fill(0))).toThrow(
      'The message to the server has 1,500 values; Plugins.Limits.MessageValues allows 1,000',
    );
  });
});

it('lines that wait are not written after the end of their output', async () => {
  const writes: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      writes.push(chunk);
      done();
    },
  });
  const output = new LineOutput(stream);
  output.write('1');
  await new Promise(setImmediate);
  output.write('2');
  output.end();
  await new Promise(setImmediate);
  expect(writes).toEqual(['1\n']);
});
