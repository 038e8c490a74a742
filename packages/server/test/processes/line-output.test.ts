import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { LineOutput } from '../../src/processes/line-output.js';

/** A stream that takes one write in each turn of the event loop. */
function open() {
  const writes: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      writes.push(chunk);
      setImmediate(done);
    },
  });
  return { output: new LineOutput(stream), writes };
}

describe('the output of lines', () => {
  it('writes a long line in pieces, and what comes after it after it', async () => {
    const { output, writes } = open();
    const long = '"😀é"'.repeat(300_000);
    output.write('1');
    output.writeLong(['[\n', `x${long}`, '\r\n]']);
    output.write('2');
    output.writeLong(['3', '4']);
    output.write('5');
    await expect.poll(() => writes.at(-1)).toBe('5\n');
    expect(writes.join('')).toBe(`1\n[ x${long}  ]\n2\n34\n5\n`);
    expect(writes.length).toBeGreaterThan(8);
    for (const write of writes) expect(Buffer.from(write).toString()).toBe(write);
  });

  it('writes nothing more after its end', async () => {
    const { output, writes } = open();
    output.writeLong(['x'.repeat(1_000_000)]);
    output.write('2');
    output.end();
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    expect(writes).toHaveLength(1);
  });
});
