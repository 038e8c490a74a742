import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoundedOutput, createLineSplitter, linesOf, MAX_LINE_CHARS } from '../../src/process/output.js';

/** The text in chunks that end anywhere, also within a character. */
const chunked = fc.tuple(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.array(fc.nat(300))).map(([text, cuts]) => {
  const bytes = Buffer.from(text);
  const offsets = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
  return { text: bytes.toString(), chunks: offsets.slice(1).map((cut, at) => bytes.subarray(offsets[at], cut)) };
});

describe('the lines of a stream', () => {
  it('are passed on whole, and none is lost, wherever the chunks end', () => {
    fc.assert(
      fc.property(chunked, ({ text, chunks }) => {
        const passed: string[] = [];
        const splitter = createLineSplitter((piece) => passed.push(piece));
        for (const chunk of chunks) splitter.write(chunk);
        const complete = [...passed];
        splitter.end();
        expect(complete.every((piece) => piece.endsWith('\n'))).toBe(true);
        expect(passed.join('')).toBe(text);
      }),
    );
  });

  it('that are very long come in pieces of whole characters', () => {
    const passed: string[] = [];
    const splitter = createLineSplitter((piece) => passed.push(piece));
    splitter.write(Buffer.from(`x${'🚀'.repeat(MAX_LINE_CHARS)}`));
    splitter.end();
    expect(passed.length).toBeGreaterThan(1);
    expect(passed.every((piece) => !/\p{Surrogate}/u.test(piece))).toBe(true);
    expect(passed.join('').length).toBe(1 + 2 * MAX_LINE_CHARS);
  });

  it('are without their line ends', () => {
    expect(linesOf('a\r\n\nb')).toEqual(['a', '', 'b']);
    expect(linesOf('a\n')).toEqual(['a']);
  });
});

describe('bounded output', () => {
  const line = fc.record({
    text: fc.string({ unit: 'binary', maxLength: 20 }).map((text) => `${text.replaceAll('\n', ' ')}\n`),
    stream: fc.constantFrom('stdout', 'stderr'),
  });

  it('keeps both ends and no more than its bytes, and counts what it left out', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), fc.integer({ min: 200, max: 1000 }), (lines, maxBytes) => {
        const bounded = new BoundedOutput(maxBytes);
        for (const { text, stream } of lines) bounded.add(text, stream);
        const whole = lines.map(({ text }) => text).join('');
        const { output, omittedBytes } = bounded.read();
        if (omittedBytes === 0) {
          expect(output).toBe(whole);
          return;
        }
        const [head, tail] = output.split(`[${omittedBytes} bytes omitted]\n`);
        expect(whole.startsWith(head!)).toBe(true);
        expect(whole.endsWith(tail!)).toBe(true);
        expect(Buffer.byteLength(head! + tail!)).toBeLessThanOrEqual(maxBytes);
        expect(Buffer.byteLength(head! + tail!) + omittedBytes).toBe(Buffer.byteLength(whole));
      }),
    );
  });

  it('cuts one long line at a character', () => {
    for (const maxBytes of [16, 18, 20, 22, 23]) {
      const bounded = new BoundedOutput(maxBytes);
      bounded.add('🚀'.repeat(100), 'stdout');
      expect(bounded.read()).toMatchObject({ output: '🚀🚀\n[384 bytes omitted]\n🚀🚀', omittedBytes: 384 });
    }
  });

  it('says for each stream what is missing of it', () => {
    const bounded = new BoundedOutput(20);
    bounded.add('error\n', 'stderr');
    for (let i = 0; i < 100; i++) bounded.add(`${i % 10}\n`, 'stdout');
    expect(bounded.read()).toEqual({
      output: 'error\n0\n1\n[186 bytes omitted]\n5\n6\n7\n8\n9\n',
      stdout: '0\n1\n[186 bytes omitted]\n5\n6\n7\n8\n9\n',
      stderr: 'error\n',
      omittedBytes: 186,
    });
  });
});
