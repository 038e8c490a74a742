import type { ResourceContents } from '@mortise/plugin';
import { describe, expect, it } from 'vitest';
import { createRuns } from '../../src/calls/output-store.js';

const textOf = (contents: unknown) => (contents as { text: string }[])[0]!.text;

describe('runs', () => {
  it('gives a short text back whole', () => {
    const runs = createRuns();
    const uri = runs.keep('all of it');
    expect(uri).toMatch(/^mortise:\/\/runs\/[\w-]+$/);
    expect(runs.read(uri)).toEqual([{ uri, mimeType: 'text/plain', text: 'all of it' }]);
  });

  it('gives a long text page by page, and the pages are the text', () => {
    const runs = createRuns();
    const whole = Array.from({ length: 60_000 }, (_, index) => `line ${index} 😀`).join('\n');
    let uri: string | undefined = runs.keep(whole);
    let text = '';
    while (uri) {
      const contents: ResourceContents[] = runs.read(uri)!;
      text += textOf(contents);
      uri = contents[1]?.uri;
    }
    expect(text).toBe(whole);
  });

  it('knows nothing of a run that is not there, or any more', () => {
    let now = 0;
    const runs = createRuns(() => now);
    const uri = runs.keep('x');
    expect(runs.read('mortise://outputs/none')).toBeUndefined();
    now = 3_600_001;
    expect(runs.read(uri)).toBeUndefined();
  });

  it('forgets the oldest when it holds too much', () => {
    const runs = createRuns();
    const uris = [1, 2, 3].map(() => runs.keep('x'.repeat(30 * 1024 * 1024)));
    expect(runs.read(uris[0]!)).toBeUndefined();
    expect(runs.read(uris[2]!)).toBeDefined();
  });

  it('takes a bad offset for the start', () => {
    const runs = createRuns();
    expect(textOf(runs.read(`${runs.keep('abc')}?offset=-1`))).toBe('abc');
    expect(textOf(runs.read(`${runs.keep('abc')}?offset=x`))).toBe('abc');
  });
});
