import { describe, expect, it } from 'vitest';
import { findHidden, hiddenTextIn } from '../../src/runtime/hidden-text.js';
import { ENTRY_PARSERS } from '../../src/runtime/index.js';

const HIDDEN = [
  [0x00, 'a control'],
  [0x1b, 'an escape'],
  [0x9b, 'a control of C1'],
  [0xad, 'a soft hyphen'],
  [0x34f, 'a grapheme joiner'],
  [0x61c, 'an Arabic mark'],
  [0x115f, 'a Hangul filler'],
  [0x1160, 'another Hangul filler'],
  [0x17b4, 'a Khmer vowel that is not shown'],
  [0x180e, 'a Mongolian separator'],
  [0x200b, 'a space without width'],
  [0x200c, 'a non-joiner'],
  [0x200d, 'a joiner'],
  [0x200e, 'a mark of direction'],
  [0x2028, 'a line separator'],
  [0x2029, 'a paragraph separator'],
  [0x202e, 'an override of direction'],
  [0x2060, 'a word joiner'],
  [0x2063, 'an invisible operator'],
  [0x2066, 'an isolate'],
  [0x206f, 'a deprecated format character'],
  [0x2800, 'a blank Braille pattern'],
  [0x3164, 'a Hangul filler that is a letter'],
  [0xfe00, 'a variation selector'],
  [0xfe0f, 'a variation selector of emoji after a letter'],
  [0xfeff, 'a byte order mark'],
  [0xffa0, 'a Hangul filler of half width'],
  [0xfff9, 'an annotation anchor'],
  [0xfffa, 'an annotation separator'],
  [0xfffb, 'an annotation terminator'],
  [0xe000, 'private use'],
  [0x1d159, 'a null notehead'],
  [0x1d173, 'a musical mark'],
  [0xe0001, 'a language tag'],
  [0xe0041, 'a tag'],
  [0xe007f, 'the end of tags'],
  [0xe0100, 'a further variation selector'],
  [0xe01ef, 'the last variation selector'],
  [0xf0000, 'private use of another plane'],
  [0xffff, 'a noncharacter'],
  [0xd800, 'half of a pair'],
] as const;

describe('hidden text', () => {
  it.each(HIDDEN)('U+%s is found: %s', (codePoint) => {
    const hex = codePoint.toString(16).toUpperCase().padStart(4, '0');
    const character = String.fromCodePoint(codePoint);
    expect(findHidden(`a${character}b`)).toEqual([`the hidden character U+${hex}`]);
    expect(findHidden(`${'x'.repeat(200_000)}${character}`)).toEqual([`the hidden character U+${hex}`]);
  });

  it('is an HTML comment too', () => {
    expect(findHidden('a <!-- b --> \u200b')).toEqual(['the hidden character U+200B', 'an HTML comment']);
  });

  it.each([
    'a\n\tb\r\n',
    'Straße 東京 שלום 한국어 ไทย',
    '👨‍👩‍👧 🏳️‍🌈 👩🏽‍💻 ❤️‍🔥 #️⃣ 🏴‍☠️ ⚕️',
    'می‌خواهم',
    'क्‍ष श्री‌मान',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    'a\u00a0b\u3000c',
    '→ ✓ ≥ … “quoted” – dash',
  ])('is not in %j', (text) => {
    expect(findHidden(text)).toEqual([]);
  });

  it.each([
    ['words after a flag', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e0068}\u{e0069}\u{e007f}'],
    ['words after an emoji', '😀\ufe0f\ufe01\ufe02'],
    ['words after an emoji, in further selectors', '😀\u{e0101}\u{e0102}'],
    ['a joiner after a letter', 'a\u200db'],
  ])('is in what looks like an emoji sequence: %s', (_, text) => {
    expect(findHidden(text)).toHaveLength(1);
  });

  it('is looked for in names of members and in every value, and named by its place once', () => {
    const schema = { properties: { 'a\u200b': { enum: ['x', 'y\u3164'], description: 'z\u200b' } } };
    expect(hiddenTextIn(schema)).toEqual([
      'the hidden character U+200B at /properties/a\\u{200B}',
      'the hidden character U+3164 at /properties/a\\u{200B}/enum/1',
    ]);
  });

  const source = { file: '/p.mjs', prefix: '' };
  const hidden = 'x\u2800';
  it.each([
    ['tools', { title: hidden }],
    ['tools', { description: hidden }],
    ['tools', { annotations: { title: hidden } }],
    ['tools', { inputSchema: { type: 'object', properties: { a: { description: hidden } } } }],
    ['tools', { inputSchema: { type: 'object', properties: { a: { enum: [hidden] } } } }],
    ['tools', { inputSchema: { type: 'object', properties: { a: { title: hidden } } } }],
    ['tools', { inputSchema: { type: 'object', properties: { a: { default: hidden } } } }],
    ['tools', { inputSchema: { type: 'object', properties: { [hidden]: {} } } }],
    ['tools', { outputSchema: { type: 'object', properties: { a: { description: hidden } } } }],
    ['resources', { name: hidden }],
    ['resources', { title: hidden }],
    ['resources', { description: hidden }],
    ['resources', { uri: `a://${hidden}` }],
    ['prompts', { title: hidden }],
    ['prompts', { description: hidden }],
    ['prompts', { arguments: [{ name: 'a', description: hidden }] }],
    ['prompts', { arguments: [{ name: hidden }] }],
  ] as const)('is a warning in an entry of %s: %j', (list, members) => {
    const base = {
      tools: { name: 't', description: 'd', inputSchema: { type: 'object' } },
      resources: { uri: 'a://b', name: 'r' },
      prompts: { name: 'p' },
    }[list];
    const { definition, problems } = ENTRY_PARSERS[list]({ ...base, ...members }, source);
    expect(definition).toBeDefined();
    expect(problems).toMatchObject([
      { severity: 'warning', code: 'DESCRIPTION_SUSPICIOUS', message: expect.stringContaining('U+2800') },
    ]);
  });
});
