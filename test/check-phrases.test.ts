import { describe, expect, it } from 'vitest';
import { checkRepository } from './support/check-repository.js';

const check = (files: Record<string, string>) => checkRepository('check-phrases.mjs', files);

describe('check-phrases', () => {
  it.each([
    ['it is no file', 'is no f'],
    ['they were no files', 'were no f'],
    ['read anew', 'anew'],
    ['waits for ever', 'for ever'],
    ['it crashed lately', 'lately'],
    ['it is passed over', 'passed over'],
    ['what stands in the file', 'stands in'],
    ['nobody waits', 'nobody'],
    ['the call goes on', 'goes on'],
    ['the road of a call', 'road'],
  ])('finds: %s', (text, phrase) => {
    expect(check({ 'src/a.ts': `\n// ${text}\n` })).toEqual([
      expect.stringMatching(new RegExp(`^src/a\\.ts:2: '${phrase}'; write: \\S`)),
    ]);
  });

  it('finds what is divided between two lines of a comment', () => {
    expect(check({ 'src/a.ts': '/**\n * What is\n * no file.\n */\n' })).toEqual([
      expect.stringMatching(/^src\/a\.ts:2: 'is no f'/),
    ]);
  });

  it.each(['there is no file', 'it is no longer there', 'one pass over the text', 'it stands for a name', 'ago on'])(
    'accepts: %s',
    (text) => {
      expect(check({ 'src/a.ts': `// ${text}\n`, 'docs/a.md': `${text}\n` })).toEqual([]);
    },
  );

  it('accepts what is in the list of exceptions', () => {
    expect(check({ 'packages/server/src/mcp/stdio/a.ts': "import './fast-lane.js';\n" })).toEqual([]);
    expect(check({ 'packages/server/src/calls/a.ts': "import './fast-lane.js';\n" })).toHaveLength(1);
  });
});
