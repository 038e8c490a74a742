import type { ResourceContents } from '@mortise/plugin';
import { describe, expect, it } from 'vitest';
import { createOutputTable } from '../../../src/call/results/output-store.js';

const textOf = (contents: unknown) => (contents as { text: string }[])[0]!.text;

describe('runs', () => {
  it('gives a short text back whole', () => {
    const outputs = createOutputTable().of('a');
    const uri = outputs.store('all of it');
    expect(uri).toMatch(/^mortise:\/\/outputs\/[\w-]+$/);
    expect(outputs.read(uri)).toEqual([{ uri, mimeType: 'text/plain', text: 'all of it' }]);
  });

  it('gives a long text page by page, and the pages are the text', () => {
    const outputs = createOutputTable().of('a');
    const whole = Array.from({ length: 60_000 }, (_, index) => `line ${index} 😀`).join('\n');
    let uri: string | undefined = outputs.store(whole);
    let text = '';
    while (uri) {
      const contents: ResourceContents[] = outputs.read(uri)!;
      text += textOf(contents);
      uri = contents[1]?.uri;
    }
    expect(text).toBe(whole);
  });

  it('ends no page within a character', () => {
    const outputs = createOutputTable().of('a');
    const [page] = outputs.read(outputs.store(`x${'😀'.repeat(60_000)}`))!;
    expect(textOf([page]).length % 2).toBe(1);
    expect(textOf([page])).toMatch(/^x(?:😀)+$/u);
  });

  it('knows nothing of a run that is not there, or any more', () => {
    let now = 0;
    const outputs = createOutputTable({ now: () => now }).of('a');
    const uri = outputs.store('x');
    expect(outputs.read('mortise://outputs/none')).toBeUndefined();
    now = 3_600_001;
    expect(outputs.read(uri)).toBeUndefined();
  });

  it('forgets the oldest when it holds too much', () => {
    const outputs = createOutputTable().of('a');
    const uris = [1, 2, 3].map(() => outputs.store('x'.repeat(30 * 1024 * 1024)));
    expect(outputs.read(uris[0]!)).toBeUndefined();
    expect(outputs.read(uris[2]!)).toBeDefined();
  });

  it('takes a bad offset for the start', () => {
    const outputs = createOutputTable().of('a');
    expect(textOf(outputs.read(`${outputs.store('abc')}?offset=-1`))).toBe('abc');
    expect(textOf(outputs.read(`${outputs.store('abc')}?offset=x`))).toBe('abc');
  });

  it('gives an output to the principal alone that it was stored for', () => {
    const table = createOutputTable();
    const uri = table.of('a').store('text');
    expect(table.of('b').read(uri)).toBeUndefined();
    expect(table.of('a').read(uri)).toMatchObject([{ text: 'text' }]);
  });
});
