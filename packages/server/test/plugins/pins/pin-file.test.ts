import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatPinFile, PIN_FILE, readPinFile } from '../../../src/plugins/pins/pin-file.js';
import { type PluginPins, pinTools } from '../../../src/plugins/pins/plugin-pins.js';
import { asIs, temporaryFolder, tool } from './tools.js';

const sha256 = 'a'.repeat(64);

function fileWith(content: string | Uint8Array): string {
  const file = join(temporaryFolder(), PIN_FILE);
  writeFileSync(file, content);
  return file;
}

describe('the pin file', () => {
  it('holds what was written, in one order whatever the order of what is given', () => {
    const pins = new Map<string, PluginPins>([
      ['./b', new Map([...pinTools([tool('two'), tool('one')], asIs)])],
      ['./a', pinTools([tool('__proto__')], asIs)],
    ]);
    const text = formatPinFile(pins);
    expect(text).toBe(formatPinFile(new Map([...pins].reverse())));
    expect(readPinFile(fileWith(text))).toEqual({ pins });
    expect(text.match(/"(?:\.\/\w|one|two|__proto__)": /g)).toEqual([
      '"./a": ',
      '"__proto__": ',
      '"./b": ',
      '"one": ',
      '"two": ',
    ]);
  });

  it('is readable JSON with its version first', () => {
    const text = formatPinFile(new Map([['./a', pinTools([tool('t', { inputSchema: { type: 'object' } })], asIs)]]));
    const lines = text.split('\n');
    expect(lines.slice(0, 6)).toEqual([
      '{',
      '  "version": 1,',
      '  "plugins": {',
      '    "./a": {',
      '      "tools": {',
      '        "t": {',
    ]);
    expect(lines[6]).toMatch(/^ {10}"sha256": "[0-9a-f]{64}",$/);
    expect(lines.slice(7, 14).map((line) => line.trim())).toEqual([
      '"definition": {',
      '"description": "Gets the weather",',
      '"inputSchema": {',
      '"type": "object"',
      '},',
      '"name": "t"',
      '}',
    ]);
    expect(text.endsWith('}\n')).toBe(true);
  });

  it('that is not there holds nothing', () => {
    expect(readPinFile(join(temporaryFolder(), 'nowhere', PIN_FILE))).toEqual({ pins: new Map() });
  });

  it.each<[string, string | Uint8Array, string, { line?: number; column?: number }?]>([
    ['is empty', '', 'it is not JSON', { line: 1, column: 1 }],
    ['ends too early', '{\n  "version": 1,\n  "plugins": {', 'it is not JSON', { line: 3, column: 15 }],
    ['has a comma too many', '{\n  "version": 1,,\n}', 'it is not JSON', { line: 2, column: 16 }],
    ['nests without end', '['.repeat(200_000), 'it is not JSON'],
    [
      'holds two sides of a merge',
      '{\n<<<<<<< HEAD\n  "version": 1\n=======\n',
      'unresolved merge conflict markers',
      { line: 2, column: 1 },
    ],
    ['is not text', new Uint8Array([0xff, 0x00, 0x80]), 'it is not UTF-8 text'],
    ['holds no object', '[]', 'an object was expected'],
    ['has no version', '{"plugins": {}}', 'its version is missing'],
    ['is of a later version', '{"version": 2, "plugins": {}}', 'its version is 2, and this Mortise reads 1 only'],
    ['has no plugins', '{"version": 1}', "'plugins' must be an object"],
    ['has a plugin without tools', '{"version": 1, "plugins": {"./a": {}}}', 'plugins."./a".tools is not an object'],
    ['has a plugin that is none', '{"version": 1, "plugins": {"./a": null}}', 'plugins."./a".tools is not an object'],
    [
      'has a pin without its hash',
      `{"version": 1, "plugins": {"./a": {"tools": {"t": {"definition": {}}}}}}`,
      'plugins."./a".tools."t" lacks its sha256',
    ],
    [
      'has a pin with another hash',
      `{"version": 1, "plugins": {"./a": {"tools": {"t": {"sha256": "x", "definition": {}}}}}}`,
      'lacks its sha256',
    ],
    [
      'has a pin without its definition',
      `{"version": 1, "plugins": {"./a": {"tools": {"t": {"sha256": "${sha256}", "definition": []}}}}}`,
      'or its definition',
    ],
    [
      'has a bottomless definition',
      `{"version": 1, "plugins": {"./a": {"tools": {"t": {"sha256": "${sha256}", "definition": ${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}}}}}`,
      'or its definition',
    ],
  ])('that %s is a problem with its place', (_, content, why, location = {}) => {
    const file = fileWith(content);
    const read = readPinFile(file);
    expect(read).toEqual({
      problem: {
        severity: 'warning',
        code: 'PIN_FILE_INVALID',
        message: expect.stringContaining(why),
        hint: expect.stringContaining('version control'),
        location: { file, ...location },
      },
    });
  });

  it('that is a folder is a problem', () => {
    const file = join(temporaryFolder(), PIN_FILE);
    mkdirSync(file);
    expect(readPinFile(file)).toMatchObject({ problem: { message: expect.stringContaining('it is a folder') } });
  });

  it('may have been written by PowerShell', () => {
    expect(readPinFile(fileWith('\ufeff{"version": 1,\r\n"plugins": {}}\r\n'))).toEqual({ pins: new Map() });
  });
});
