import { describe, expect, it } from 'vitest';
import { checkRepository } from './support/check-repository.js';

const check = (text: string) => checkRepository('check-defaults.mjs', { 'docs/page.md': text });

describe('check-defaults', () => {
  it.each([
    'It waits `Concurrency.WaitMs` (5 s).',
    'At most `Output.MaxTextChars` characters in total (default 20,000).',
    'Kept for `Tasks.KeepMs`\n(10 minutes), unless `Plugins.Enabled`, default true, is false.',
    'A body over `Http.MaxBodyBytes` is 413. `Other.Setting` (5) is not ours.',
  ])('passes %s', (text) => expect(check(text)).toEqual([]));

  it.each([
    [
      'a\n`Output.MaxBytes`, default 10 MiB',
      'docs/page.md:2: `Output.MaxBytes`, default 10 MiB: the default is 16777216',
    ],
    ['`Telemetry.Metrics` (default true)', 'docs/page.md:1: `Telemetry.Metrics` (default true: the default is false'],
  ])('refuses %s', (text, line) => expect(check(text)).toEqual([line]));
});
