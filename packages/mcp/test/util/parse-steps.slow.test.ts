import { describe, expect, it } from 'vitest';
import { parseSteps } from '../../src/util/parse-steps.js';

/** What a parser makes of a text: the value with its members in order, or that it is not JSON. */
function outcomeOf(parse: () => unknown): string {
  try {
    return show(parse());
  } catch (error) {
    return (error as Error).name;
  }
}

/** Tells apart what JSON.stringify does not: −0, and `__proto__` as a member or as the prototype. */
function show(value: unknown): string {
  if (Object.is(value, -0)) return '-0';
  if (Array.isArray(value)) return `[${value.map(show).join(',')}]`;
  if (typeof value !== 'object' || value === null) return String(JSON.stringify(value) ?? value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${show(member)}`);
  return `${Object.getPrototypeOf(value) === Object.prototype ? '' : 'strange'}{${members.join(',')}}`;
}

function inSteps(text: string, runChars: number): { value: unknown; steps: number } {
  const steps = parseSteps(text, undefined, runChars);
  for (let count = 1; ; count++) {
    const step = steps.next();
    if (step.done) return { value: step.value, steps: count };
  }
}

/** Reproducible numbers from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const SCALARS = [
  ...['0', '-0', '1', '-12', '1.5', '1e3', '-2.5E-7', '1e999', '12345678901234567890', 'true', 'false', 'null'],
  ...['""', '"a"', '"a,b]}"', '"\\"[{"', '"\\\\"', '"\\u0041"', '"\\ud83d\\ude00"', '"\\ud800"', '"😀ä"', '"\\n\\/"'],
  ...['"a\\u00e4\\\\\\"b\\ud83d\\ude00\\u0022,]\\t😀 the end"', '"\\\\\\\\\\\\"'],
];
const KEYS = ['"a"', '"b"', '"a"', '"__proto__"', '"\\u005f_proto__"', '"1"', '"0"', '""', '"constructor"', '"k,:{"'];
const SPACES = ['', '', '', ' ', '\n', '\r\n\t '];
/** What a text is broken with. */
const PIECES = [',', '[', ']', '{', '}', ':', '"', '\\', '1', ' ', 'x', '\u0000', '\u00a0', '\ufeff', ',,', '""'];

function jsonOf(random: () => number, depth: number): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const space = () => pick(SPACES);
  const kind = depth === 0 ? 1 : random();
  if (kind > 0.6) return pick(SCALARS);
  const item = () => `${space()}${jsonOf(random, depth - 1)}${space()}`;
  const items = Array.from({ length: Math.floor(random() * 6) });
  if (kind > 0.3) return `[${items.length === 0 ? space() : items.map(item).join(',')}]`;
  return `{${items.length === 0 ? space() : items.map(() => `${space()}${pick(KEYS)}${space()}:${item()}`).join(',')}}`;
}

function broken(text: string, random: () => number): string {
  const at = Math.floor(random() * (text.length + 1));
  const piece = PIECES[Math.floor(random() * PIECES.length)]!;
  const removed = Math.floor(random() * 3);
  return `${text.slice(0, at)}${random() < 0.6 ? piece : ''}${text.slice(at + removed)}`;
}

const RUNS = [0, 1, 2, 5, 13, 40];

describe('parseSteps', () => {
  it('parses what JSON.parse parses, to the same value', () => {
    const random = randomFrom(1);
    for (let round = 0; round < 1_500; round++) {
      const text = `${SPACES[round % SPACES.length]}${jsonOf(random, 5)}\n`;
      const expected = outcomeOf(() => JSON.parse(text));
      for (const runChars of RUNS)
        expect(
          outcomeOf(() => inSteps(text, runChars).value),
          text,
        ).toBe(expected);
    }
  });

  it('refuses what JSON.parse refuses', () => {
    const random = randomFrom(2);
    let refused = 0;
    for (let round = 0; round < 5_000; round++) {
      const text = broken(jsonOf(random, 4), random);
      const expected = outcomeOf(() => JSON.parse(text));
      if (expected === 'SyntaxError') refused += 1;
      for (const runChars of RUNS)
        expect(
          outcomeOf(() => inSteps(text, runChars).value),
          text,
        ).toBe(expected);
    }
    expect(refused).toBeGreaterThan(2_500);
  });

  it('tells the text and the number of values of what is longer than a run', () => {
    const text = '{"few":[1],"many": [1, [2, "a,b"], {"c": 3}]}';
    const found: string[] = [];
    const steps = parseSteps(text, (value, source) => found.push(`${show(value)} ${source.text} ${source.values}`), 20);
    while (!steps.next().done);
    const list = '[1,[2,"a,b"],{"c":3}] [1, [2, "a,b"], {"c": 3}]';
    expect(found).toEqual([`${list} 6`, `{"few":[1],"many":[1,[2,"a,b"],{"c":3}]} ${text} 9`]);
  });

  it('stops many times in a large text, whatever that is of', () => {
    const count = 200_000;
    const values = {
      numbers: Array.from({ length: count }, (_, index) => index / 8),
      objects: Array.from({ length: count }, (_, index) => ({ a: index })),
      members: Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, index])),
      lists: Array.from({ length: 200 }, () => Array(1000).fill('word')),
      text: 'a "line" of text\n😀\u0001'.repeat(count / 8),
    };
    for (const value of Object.values(values)) {
      const text = JSON.stringify({ value });
      const { value: parsed, steps } = inSteps(text, 32 * 1024);
      expect(parsed).toEqual({ value });
      expect(steps).toBeGreaterThan(text.length / 40_000);
    }
  });

  it('refuses a text of too many levels with a RangeError, whether it is JSON or not', () => {
    for (const text of ['['.repeat(20_000), '['.repeat(20_000) + ']'.repeat(20_000)])
      expect(outcomeOf(() => inSteps(text, 1).value)).toBe('RangeError');
    expect(inSteps('['.repeat(10_000) + ']'.repeat(10_000), 1).steps).toBeGreaterThan(9_000);
  });
});
