import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { MAX_LINE_BYTES, openLineChannel } from '../../src/processes/ndjson-channel.js';
import { DEFAULT_LIMITS } from '../../src/settings/plugin-limits.js';

/** A channel on a stream that the test feeds and looks into. */
function open() {
  const stream = new PassThrough();
  const written: string[] = [];
  stream.write = ((chunk: string) => written.push(chunk)) as never;
  const received: unknown[] = [];
  const onClose = vi.fn();
  const channel = openLineChannel<unknown>(stream, { onMessage: (message) => received.push(message), onClose });
  const feed = (bytes: Buffer | string) => stream.emit('data', Buffer.from(bytes));
  return { channel, stream, written, received, onClose: onClose, feed };
}

const LARGE = Array.from({ length: 300_000 }, (_, index) => ({ a: index % 10, b: 'word' }));

/** Counts the turns of the event loop until the condition holds. */
async function turnsUntil(isMet: () => boolean): Promise<number> {
  for (let turns = 0; ; turns++) {
    if (isMet()) return turns;
    await nextTick();
  }
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

  it('parses a large message in many turns of the event loop; what comes after it is received after it', async () => {
    const { received, feed } = open();
    feed('1\n');
    feed(`${JSON.stringify(LARGE)}\n2\n`);
    feed('3\n');
    expect(received).toEqual([1]);
    expect(await turnsUntil(() => received.length === 4)).toBeGreaterThan(10);
    expect(received).toEqual([1, LARGE, 2, 3]);
  });

  it('receives a large message of a sender that has gone before it ends', async () => {
    const { received, feed, stream, onClose, channel } = open();
    feed(`${JSON.stringify(LARGE)}\n2\n`);
    stream.emit('close');
    expect(onClose).not.toHaveBeenCalled();
    await channel.idle;
    await expect.poll(() => onClose.mock.calls).toEqual([[undefined]]);
    expect(received).toEqual([LARGE, 2]);
  });

  it('ends at a large line that is not JSON, and hears nothing more', async () => {
    const { received, feed, onClose } = open();
    feed(`${JSON.stringify(LARGE)}]\n2\n`);
    await expect.poll(() => onClose.mock.calls).toEqual([['it sent a line that is not JSON']]);
    expect(received).toEqual([]);
  });

  it('does not read on while much of what came waits to be parsed', async () => {
    const stream = new PassThrough({ highWaterMark: 1 });
    const received: number[] = [];
    const onMessage = (message: unknown) => received.push((message as unknown[]).length);
    openLineChannel(stream, { onMessage, onClose() {} }, { limits: DEFAULT_LIMITS });
    const line = JSON.stringify('x'.repeat(MAX_LINE_BYTES / 3));
    let taken = 0;
    for (let count = 0; count < 4; count++) stream.write(`[${line}]\n`, () => (taken += 1));
    await turnsUntil(() => taken === 2);
    expect(stream.isPaused()).toBe(true);
    await expect.poll(() => received).toEqual([1, 1, 1, 1]);
  });
});
