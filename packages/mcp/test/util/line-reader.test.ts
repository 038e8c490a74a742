import { expect, it } from 'vitest';
import { createLineReader } from '../../src/util/line-reader.js';

function linesOf(chunks: string[]): string[] {
  const lines: string[] = [];
  const reader = createLineReader(100, {
    onLine: (line) => lines.push(line),
    onTruncated: () => lines.push('truncated'),
  });
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  reader.end();
  reader.end();
  return lines;
}

it('reads the last line of a stream without a newline, once', () => {
  expect(linesOf(['a\nb'])).toEqual(['a', 'b']);
  expect(linesOf(['a', 'b'])).toEqual(['ab']);
  expect(linesOf(['a\n'])).toEqual(['a']);
  expect(linesOf(['x'.repeat(200)])).toEqual(['truncated']);
});
