import { describe, expect, it } from 'vitest';
import { toArguments } from '../../src/cli/call/arguments.js';

const SCHEMA = {
  type: 'object',
  $defs: { size: { type: 'integer' } },
  properties: {
    text: { type: 'string' },
    id: { type: ['string', 'number'] },
    size: { $ref: '#/$defs/size' },
    ratio: { type: 'number' },
    flag: { type: 'boolean' },
    nothing: { type: 'null' },
    names: { type: 'array', items: { type: 'string' } },
    sizes: { type: 'array', items: { type: 'integer' } },
    nested: { type: 'object' },
    level: { enum: [1, 2] },
    colour: { enum: ['red', 'blue'] },
    maybe: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    loop: { $ref: '#/properties/loop' },
    any: {},
  },
  oneOf: [{ properties: { extra: { type: 'string' } } }],
};

const FILES: Record<string, string> = {
  'a.txt': 'text of a',
  'n.txt': '42',
  'args.json': '{"size": 1}',
  '-': '{"size": 2}',
};
const readText = async (path: string) => FILES[path]!;
const toArgs = (...pairs: string[]) => toArguments({ pairs }, SCHEMA, readText);

describe('--arg', () => {
  it.each([
    ['text=5', { text: '5' }],
    ['text=', { text: '' }],
    ['text=a=b', { text: 'a=b' }],
    ['text=true', { text: 'true' }],
    ['colour=red', { colour: 'red' }],
    ['id=7', { id: '7' }],
    ['size=7', { size: 7 }],
    ['size=seven', { size: 'seven' }],
    ['ratio=1.5', { ratio: 1.5 }],
    ['flag=false', { flag: false }],
    ['nothing=null', { nothing: null }],
    ['level=2', { level: 2 }],
    ['maybe=null', { maybe: null }],
    ['maybe=3', { maybe: 3 }],
    ['names=Ada', { names: ['Ada'] }],
    ['names=5', { names: ['5'] }],
    ['names=["Ada", "Bob"]', { names: ['Ada', 'Bob'] }],
    ['sizes=4', { sizes: [4] }],
    ['nested={"a": [1]}', { nested: { a: [1] } }],
    ['any={"a": 1}', { any: { a: 1 } }],
    ['any=plain', { any: 'plain' }],
    ['loop=1', { loop: 1 }],
    ['extra=1', { extra: '1' }],
    ['unknown=1', { unknown: 1 }],
    ['constructor=x', { constructor: 'x' }],
    ['text=@a.txt', { text: 'text of a' }],
    ['size=@n.txt', { size: 42 }],
    ['text=@@a.txt', { text: '@a.txt' }],
  ])('%s is typed by the schema', async (pair, expected) => {
    expect(await toArgs(pair)).toEqual(expected);
  });

  it('given again adds to a list', async () => {
    expect(await toArgs('sizes=1', 'sizes=[2,3]', 'sizes=4')).toEqual({ sizes: [1, 2, 3, 4] });
  });

  it.each([
    [['text'], "--arg 'text' is not key=value."],
    [['=x'], "--arg '=x' is not key=value."],
    [['text=a', 'text=b'], '--arg text is given twice.'],
    [['names=[Ada'], '--arg names is not valid JSON; the tool expects a list.'],
    [['nested={a: 1}'], '--arg nested is not valid JSON; the tool expects an object.'],
  ])('%j is refused', async (pairs, message) => {
    await expect(toArgs(...pairs)).rejects.toMatchObject({ exitStatus: 'usage', message });
  });

  it('leaves the prototype alone', async () => {
    const args = await toArgs('__proto__={"a": 1}');
    expect(Object.keys(args)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(args)).toBe(Object.prototype);
  });
});

describe('--json', () => {
  it.each([
    ['{"size": 3}', { size: 3 }],
    ['@args.json', { size: 1 }],
    ['-', { size: 2 }],
    ['@-', { size: 2 }],
  ])('%s gives the arguments', async (json, expected) => {
    expect(await toArguments({ pairs: [], json }, SCHEMA, readText)).toEqual(expected);
  });

  it('gives way to --arg', async () => {
    const args = await toArguments({ pairs: ['size=9'], json: '{"size": 1, "flag": true}' }, SCHEMA, readText);
    expect(args).toEqual({ size: 9, flag: true });
  });

  it.each([
    ['{', '--json is not valid JSON.'],
    ['[1]', '--json is not a JSON object.'],
    ['null', '--json is not a JSON object.'],
    ['@a.txt', '--json is not valid JSON.'],
  ])('%s is refused', async (json, message) => {
    await expect(toArguments({ pairs: [], json }, SCHEMA, readText)).rejects.toMatchObject({
      exitStatus: 'usage',
      message,
    });
  });
});
