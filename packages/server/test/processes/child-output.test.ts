import { PassThrough } from 'node:stream';
import { createRedactor } from '@mortise/redact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createChildOutput, readOutputLines } from '../../src/processes/child-output.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('printed lines', () => {
  function open() {
    const stream = new PassThrough();
    const lines: string[] = [];
    return { stream, lines, output: readOutputLines(stream, (line) => lines.push(line)) };
  }
  const settle = () => vi.advanceTimersByTimeAsync(0);

  it('are whole, whatever ends them and however they come', async () => {
    const { stream, lines } = open();
    const bytes = Buffer.from('one\r\n\ntwé\nlast');
    for (const byte of bytes) stream.write(Buffer.from([byte]));
    await settle();
    expect(lines).toEqual(['one', '', 'twé']);
    stream.end();
    await settle();
    expect(lines.at(-1)).toBe('last');
  });

  it('are read so many a second, and the rest at once when the process has ended', async () => {
    const { stream, lines, output } = open();
    const quarter = `${'z'.repeat(1023)}\n`.repeat(256);
    for (let i = 0; i < 4; i++) stream.write(quarter);
    await settle();
    const first = lines.length;
    expect(first).toBeLessThan(600);
    await vi.advanceTimersByTimeAsync(1100);
    expect(lines.length).toBeGreaterThan(first);
    expect(lines.length).toBeLessThan(1000);
    output.drain();
    await settle();
    output.drain();
    await settle();
    expect(lines).toHaveLength(1024);
  });
});

describe('printed output', () => {
  function open() {
    const messages: string[] = [];
    const redactor = createRedactor({ secrets: ['a secret of several words'] });
    const output = createChildOutput(redactor, (line, stream) => messages.push(`${stream} ${line}`));
    return { messages, output };
  }

  it('is cut between words, when it was redacted', () => {
    const { messages, output } = open();
    output.add(`${'word '.repeat(799)}secret-${'x'.repeat(50)}`, 'stdout');
    output.add('y'.repeat(5000), 'stdout');
    output.add(`${'word '.repeat(798)}a secret of several words`, 'stderr');
    output.end();
    const words = 'word '.repeat(799);
    expect(messages.sort()).toEqual([`stderr ${'word '.repeat(798)}[REDACTED]`, `stdout ${words}…`, 'stdout …']);
  });

  it('shows nothing of a key, nor do its last lines whose beginning is gone', () => {
    const { messages, output } = open();
    const key = Array.from({ length: 40 }, (_, at) => `MIIE${'aB3+'.repeat(14)}${1000 + at}`);
    output.add('-----BEGIN PRIVATE KEY-----', 'stdout');
    for (const line of key) {
      output.add(line, 'stdout');
      output.add('working', 'stderr');
    }
    output.end();
    expect(messages.join()).not.toContain('MIIE');
    expect(output.last()).not.toContain('MIIE');
    expect(output.last()).toContain('working');
  });
});
