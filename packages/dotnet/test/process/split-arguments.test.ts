import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayCommand } from '../../src/process/command-run.js';
import { ArgumentsError, splitArguments } from '../../src/process/split-arguments.js';

describe('splitArguments', () => {
  it.each([
    ['', []],
    ['  \t\n ', []],
    ['--a b  -c=d', ['--a', 'b', '-c=d']],
    ['"a b" \'c d\'', ['a b', 'c d']],
    ['--name="a b"c', ['--name=a bc']],
    ['--urls http://*:5000/?a=b#c', ['--urls', 'http://*:5000/?a=b#c']],
    ['-p:Name:Value C:/a/b', ['-p:Name:Value', 'C:/a/b']],
    ['"" \'\'', ['', '']],
    ['a\\ b \\" \\\\', ['a b', '"', '\\']],
    ['"C:\\dir\\x" "\\"q\\"" "\\\\" "\\$" ', ['C:\\dir\\x', '"q"', '\\', '$']],
    ["'\\ $(x) `y`'", ['\\ $(x) `y`']],
    ['"; | & ( ) < >"', ['; | & ( ) < >']],
    ['\\;', [';']],
    ['ü 🚀', ['ü', '🚀']],
  ])('splits %j', (text, expected) => {
    expect(splitArguments(text)).toEqual(expected);
  });

  it.each([...';|&`$()<>'])('refuses an unquoted %s', (char) => {
    expect(() => splitArguments(`ab ${char}`)).toThrow('contains invalid characters');
    expect(() => splitArguments(`ab ${char}`)).toThrow(
      expect.objectContaining({ reason: 'invalid characters', offset: 3 }),
    );
  });

  it.each(['"', 'a "b', "it's", '"\\"', '\\', 'a\\'])('refuses what is not closed: %j', (text) => {
    expect(() => splitArguments(text)).toThrow(expect.objectContaining({ reason: 'invalid format' }));
    expect(() => splitArguments(text)).toThrow(ArgumentsError);
  });

  it('gives back what was quoted', () => {
    const quote = (arg: string) => `'${arg.replaceAll("'", `'\\''`)}'`;
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (args) => {
        expect(splitArguments(args.map(quote).join(' '))).toEqual(args);
      }),
    );
  });
});

describe('displayCommand', () => {
  it('quotes what has spaces or means something to a shell', () => {
    expect(displayCommand('dotnet', ['build', 'My App.csproj', '-p:A=b', '', 'a"b', '$x'])).toBe(
      'dotnet build "My App.csproj" -p:A=b "" "a\\"b" "\\$x"',
    );
  });
});
