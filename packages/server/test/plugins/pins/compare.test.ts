import type { JsonObject, JsonValue } from '@mortise/plugin';
import type { ToolDefinition } from '@mortise/plugin/runtime';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/support/property-runs.js';
import { type Change, compareDefinitions, describeChanges } from '../../../src/plugins/pins/compare.js';
import { valueDifference } from '../../../src/plugins/pins/diff-json.js';
import { canonical, isPinned, pinTools } from '../../../src/plugins/pins/plugin-pins.js';
import { asIs, tool } from './tools.js';

const compare = (before: ToolDefinition[], after: ToolDefinition[]) =>
  compareDefinitions(pinTools(before, asIs), pinTools(after, asIs));

const longText = 'Gets the weather of a city. Ask for one city at a time, in English.';

describe('the difference of two definitions', () => {
  it.each<[string, Partial<ToolDefinition>, Partial<ToolDefinition>, string[], string[]]>([
    [
      'a description',
      {},
      { description: 'Gets it' },
      ['description'],
      ['/description: "Gets the weather" → "Gets it"'],
    ],
    [
      'a description that came',
      { description: undefined },
      { description: 'New' },
      ['description'],
      ['/description: + "New"'],
    ],
    [
      'a description that went',
      {},
      { description: undefined },
      ['description'],
      ['/description: - "Gets the weather"'],
    ],
    [
      'a long description',
      { description: longText },
      { description: longText.replace('English', 'French') },
      ['description'],
      [
        '/description:',
        '  - … a city. Ask for one city at a time, in English.',
        '  + … a city. Ask for one city at a time, in French.',
      ],
    ],
    [
      'a long description that came',
      { description: undefined },
      { description: `${longText}\nMore` },
      ['description'],
      ['/description:', `  + ${longText}`, '  + More'],
    ],
    ['a title', { title: 'A' }, { title: 'B' }, ['title'], ['/title: "A" → "B"']],
    [
      'the type of a parameter',
      {},
      { inputSchema: { type: 'object', properties: { city: { type: 'number' } } } },
      ['inputSchema'],
      ['/inputSchema/properties/city/type: "string" → "number"'],
    ],
    [
      'a parameter that came',
      {},
      { inputSchema: { type: 'object', properties: { city: { type: 'string' }, 'a/b~c': { type: 'string' } } } },
      ['inputSchema'],
      ['/inputSchema/properties/a~1b~0c: + {"type":"string"}'],
    ],
    [
      'a parameter with a name that every object has',
      {},
      { inputSchema: { type: 'object', properties: { city: { type: 'string' }, constructor: { type: 'string' } } } },
      ['inputSchema'],
      ['/inputSchema/properties/constructor: + {"type":"string"}'],
    ],
    [
      'what is required',
      {},
      { inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
      ['inputSchema'],
      ['/inputSchema/required: + ["city"]'],
    ],
    [
      'an item of a list of schemas',
      { inputSchema: { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] } },
      { inputSchema: { type: 'object', anyOf: [{ required: ['a'] }, { required: ['c'] }, {}] } },
      ['inputSchema'],
      ['/inputSchema/anyOf/1/required: ["b"] → ["c"]', '/inputSchema/anyOf/2: + {}'],
    ],
    [
      'a parameter named __proto__',
      { inputSchema: JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') },
      { inputSchema: JSON.parse('{"type":"object","properties":{"__proto__":{"type":"null"}}}') },
      ['inputSchema'],
      ['/inputSchema/properties/__proto__/type: "string" → "null"'],
    ],
    [
      'an output schema',
      {},
      { outputSchema: { type: 'object' } },
      ['outputSchema'],
      ['/outputSchema: + {"type":"object"}'],
    ],
    [
      'annotations',
      { annotations: { readOnlyHint: true } },
      { annotations: { readOnlyHint: false } },
      ['annotations'],
      ['/annotations/readOnlyHint: true → false'],
    ],
    ['a hidden character', {}, { title: 'A\u200b' }, ['title'], ['/title: + "A\\u{200b}"']],
    [
      'a huge value, cut',
      {},
      { annotations: { title: 'x'.repeat(50), more: Array.from({ length: 400 }, () => 1) } as object },
      ['annotations'],
      [expect.stringMatching(/^\/annotations: \+ \{.{499}… \(\d+ more characters\)$/)],
    ],
  ])('shows %s', (_, before, after, members, lines) => {
    expect(compare([tool('weather', before)], [tool('weather', after)])).toEqual([
      { label: 'weather', kind: 'changed', members, lines },
    ]);
  });

  it.each<[string, Partial<ToolDefinition>]>([
    ['where a tool came from', { origin: 'class:Weather' }],
    ['its time', { timeoutMs: 5 }],
    ['the order of keys', { inputSchema: { properties: { city: { type: 'string' } }, type: 'object' } }],
  ])('leaves out %s', (_, members) => {
    expect(compare([tool('weather')], [tool('weather', members)])).toEqual([]);
  });

  it('tells of tools that came and went, in the order of names', () => {
    expect(compare([tool('b'), tool('old')], [tool('new', { description: 'Is new' }), tool('b')])).toEqual([
      {
        label: 'new',
        kind: 'added',
        members: ['description', 'inputSchema'],
        lines: ['/description: + "Is new"', expect.stringMatching('^/inputSchema: \\+ \\{"properties"')],
      },
      { label: 'old', kind: 'removed', members: [], lines: [] },
    ]);
  });

  it('tells of a change that redaction hides, without showing it', () => {
    const redact = <T>(value: T) => JSON.parse(JSON.stringify(value).replace(/key-\w+/g, '[REDACTED]')) as T;
    const [before, after] = ['key-one', 'key-two'].map((description) => pinTools([tool('a', { description })], redact));
    const changes = compareDefinitions(before!, after!);
    expect(changes).toEqual([{ label: 'a', kind: 'changed', members: [], lines: [] }]);
    expect(describeChanges(changes)).toEqual(['~ a (only redacted values differ)']);
    expect(JSON.stringify([...before!])).not.toContain('key-one');
  });
});

describe('for people', () => {
  const changes: Change[] = [
    { label: 'a', kind: 'changed', members: ['title', 'description'], lines: ['/title: 1 → 2', '/description: + "x"'] },
    { label: 'b', kind: 'added', members: ['description'], lines: ['/description: + "x"'] },
    { label: 'c', kind: 'removed', members: [], lines: [] },
  ];

  it('each tool has a line, and below it what differs', () => {
    expect(describeChanges(changes)).toEqual([
      '~ a (title, description)',
      '    /title: 1 → 2',
      '    /description: + "x"',
      '+ b (new)',
      '    /description: + "x"',
      '- c (gone)',
    ]);
  });

  it('what is too long is cut, and says so', () => {
    expect(describeChanges(changes, 4)).toEqual([...describeChanges(changes).slice(0, 4), '… and 2 more lines']);
    expect(describeChanges(changes, 6)).toHaveLength(6);
  });
});

describe('of any definitions', () => {
  const value = fc.jsonValue({ maxDepth: 4 }).map((json) => JSON.parse(JSON.stringify(json)) as JsonValue);
  const schema = fc.dictionary(fc.oneof(fc.constantFrom('a', 'b', '__proto__', '1'), fc.string()), value);
  const toolOf = (inputSchema: object): ToolDefinition => tool('t', { inputSchema: inputSchema as JsonObject });
  const isEqual = (a: object, b: object) =>
    JSON.stringify(canonical(a as JsonObject)) === JSON.stringify(canonical(b as JsonObject));

  it('there is no change exactly when the canonical JSON is the same', () => {
    const almost: fc.Arbitrary<readonly [object, object]> = fc.oneof(
      fc.tuple(schema, schema),
      schema.map((one) => [one, shuffled(one) as object] as const),
      fc.tuple(schema, fc.string(), value).map(([one, key, more]) => [one, { ...one, [key]: more }] as const),
    );
    fc.assert(
      fc.property(almost, ([a, b]) => {
        const changes = compare([toolOf(a)], [toolOf(b)]);
        expect(changes.length === 0).toBe(isEqual(a, b));
        expect(isPinned([toolOf(b)], pinTools([toolOf(a)], asIs))).toBe(isEqual(a, b));
        if (changes.length > 0) expect(changes[0]).toMatchObject({ members: ['inputSchema'] });
        expect(valueDifference(a as JsonObject, b as JsonObject).length === 0).toBe(isEqual(a, b));
      }),
      { numRuns: runs(100) },
    );
  });

  it('the order of keys does not matter, at any depth', () => {
    fc.assert(
      fc.property(schema, (one) => {
        expect(compare([toolOf(one)], [toolOf(shuffled(one) as object)])).toEqual([]);
      }),
    );
  });

  function shuffled(json: unknown): JsonValue {
    if (Array.isArray(json)) return json.map(shuffled);
    if (typeof json !== 'object' || json === null) return json as JsonValue;
    return Object.fromEntries(
      Object.entries(json)
        .reverse()
        .map(([key, member]) => [key, shuffled(member)]),
    );
  }
});

it('a definition of any depth can be pinned and compared', () => {
  const nested = (inner: string) => JSON.parse('{"a":'.repeat(50_000) + inner + '}'.repeat(50_000)) as JsonObject;
  expect(compare([tool('t', { inputSchema: nested('1') })], [tool('t', { inputSchema: { a: 1 } })])).toHaveLength(1);
});
