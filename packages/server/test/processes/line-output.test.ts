import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { LineOutput } from '../../src/processes/line-output.js';

it('writes nothing more after its end', async () => {
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
