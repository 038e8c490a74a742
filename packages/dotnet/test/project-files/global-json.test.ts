import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configureGlobalJson, findGlobalJson, testRunnerOf } from '../../src/project-files/global-json.js';
import { folderWith, writeIn } from '../msbuild/evaluations.js';

const WITH_COMMENTS = `{
\t// pinned
\t"sdk": {
\t\t"version": "9.0.100" /* why */
\t},
\t"msbuild-sdks": { "A": "1.0.0" },
}
`;

describe('findGlobalJson', () => {
  it('reads the nearest one upward, with comments', async () => {
    const folder = await folderWith({
      'global.json': '{ "sdk": { "version": "8.0.100", "rollForward": "major" } }',
      'a/global.json': '\uFEFF{ /* c */ "test": { "runner": "Microsoft.Testing.Platform", }, "sdk": 1 }',
      'a/b/c.txt': '',
    });
    expect(findGlobalJson(join(folder, 'a/b'))).toEqual({
      path: join(folder, 'a/global.json'),
      testRunner: 'Microsoft.Testing.Platform',
    });
    expect(testRunnerOf(join(folder, 'a/b'))).toBe('Microsoft.Testing.Platform');
    expect(findGlobalJson(folder)).toMatchObject({ sdkVersion: '8.0.100', rollForward: 'major' });
    expect(testRunnerOf(folder)).toBeUndefined();
  });

  it('finds no members in one that is not JSON', async () => {
    const folder = await folderWith({ 'global.json': '[' });
    expect(findGlobalJson(folder)).toEqual({ path: join(folder, 'global.json') });
  });
});

describe('configureGlobalJson', () => {
  it('makes the file and the folders above it', async () => {
    const folder = await folderWith({});
    const path = join(folder, 'a/b/global.json');
    const result = await configureGlobalJson(path, { sdkVersion: ' 10.0.401 ', rollForward: 'LatestMinor' });
    expect(result).toMatchObject({ path, isNew: true, changed: true });
    expect(await readFile(path, 'utf8')).toBe(
      '{\n  "sdk": {\n    "version": "10.0.401",\n    "rollForward": "latestMinor"\n  }\n}\n',
    );
  });

  it('keeps comments, other members and the indentation', async () => {
    const folder = await folderWith({ 'global.json': WITH_COMMENTS });
    const path = join(folder, 'global.json');
    await configureGlobalJson(path, { sdkVersion: '10.0.100', testRunner: 'MicrosoftTestingPlatform' });
    expect(await readFile(path, 'utf8')).toBe(
      WITH_COMMENTS.replace('9.0.100', '10.0.100').replace(
        '{ "A": "1.0.0" },',
        '{ "A": "1.0.0" },\n\t"test": {\n\t\t"runner": "Microsoft.Testing.Platform"\n\t},',
      ),
    );
  });

  it.each([
    ['{}', '{\n  "sdk": {\n    "rollForward": "major"\n  }\n}'],
    ['{ "sdk": {} }', '{ "sdk": {\n  "rollForward": "major"\n} }'],
    ['{ "sdk": { "version": "8.0.1" } }', '{ "sdk": { "version": "8.0.1", "rollForward": "major" } }'],
    ['{ "a": 1 }', '{ "a": 1, "sdk": { "rollForward": "major" } }'],
    [
      '{\r\n    "a": 1 // one\r\n}',
      '{\r\n    "a": 1, // one\r\n    "sdk": {\r\n        "rollForward": "major"\r\n    }\r\n}',
    ],
    ['{\n  // nothing yet\n}', '{\n  // nothing yet\n  "sdk": {\n    "rollForward": "major"\n  }\n}'],
    ['{ "sdk": { "rollForward": null } }', '{ "sdk": { "rollForward": "major" } }'],
  ])('writes into %j in its form', async (text, expected) => {
    const folder = await folderWith({ 'global.json': text });
    const result = await configureGlobalJson(join(folder, 'global.json'), { rollForward: 'major' });
    expect(result.text).toBe(expected);
  });

  it('changes nothing where the values are there', async () => {
    const folder = await folderWith({ 'global.json': WITH_COMMENTS });
    const result = await configureGlobalJson(join(folder, 'global.json'), { sdkVersion: '9.0.100' });
    expect(result).toMatchObject({ isNew: false, changed: false, text: WITH_COMMENTS });
  });

  it.each([
    ['{\n  "sdk": oops }', 2],
    ['[]', undefined],
    ['"text"', undefined],
    ['{ "sdk": "10.0.100" }', undefined],
    ['', 1],
  ])('leaves %j alone, and says what is wrong with it', async (text, line) => {
    const folder = await folderWith({});
    await writeIn(folder, 'global.json', text);
    const path = join(folder, 'global.json');
    await expect(configureGlobalJson(path, { sdkVersion: '10.0.100' })).rejects.toMatchObject({
      reason: 'invalid format',
      line,
    });
    expect(await readFile(path, 'utf8')).toBe(text);
  });
});
