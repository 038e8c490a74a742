import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf } from '../../src/advice/failure.js';
import { runOf } from '../diagnostics/fixture.js';

let folder: string;
const at = (path: string) => join(folder, path);
const project = (...references: string[]) =>
  `<Project Sdk="Microsoft.NET.Sdk"><ItemGroup>${references.map((path) => `<ProjectReference Include="${path}" />`).join('')}</ItemGroup></Project>`;

const FILES = {
  'src/Core/Core.csproj': project(),
  'src/Core/Cart.cs': 'namespace Shop.Core;\n\npublic sealed record Cart;\n',
  'src/Money/Money.csproj': project(),
  'src/Money/Price.cs': 'namespace Shop.Money { public struct Price { } }\n',
  'src/Web/Web.csproj': project('..\\Core\\Core.csproj'),
  'tests/Tests.csproj': project('../src/Web/Web.csproj'),
  'tests/A.cs': 'class A;',
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'declaring-'));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function nextOf(code: string, message: string, of = 'tests/Tests.csproj') {
  const output = `${at('tests/A.cs')}(1,12): error ${code}: ${message} [${at(of)}]`;
  return failureOf({ ...runOf('none', 1, ['build']), cwd: folder, output }, { label: 'Build' }).errors[0]!
    .recommendedAction;
}
const inNamespace = (name: string, parent: string) =>
  `The type or namespace name '${name}' does not exist in the namespace '${parent}' (are you missing an assembly reference?)`;
const unknown = (name: string) =>
  `The type or namespace name '${name}' could not be found (are you missing a using directive or an assembly reference?)`;

describe('a name that another project declares', () => {
  it.each([
    ['a namespace', 'CS0234', inNamespace('Money', 'Shop')],
    ['a type in it', 'CS0234', inNamespace('Price', 'Shop.Money')],
    ['a type', 'CS0246', unknown('Price')],
  ])('is had by a reference: %s', (_, code, message) => {
    expect(nextOf(code, message)).toMatchObject({
      toolName: 'dotnet_package',
      arguments: {
        action: 'AddReference',
        project: at('tests/Tests.csproj'),
        referencePath: at('src/Money/Money.csproj'),
      },
    });
  });

  it('needs only a using where the project is referenced, also by another one', () => {
    expect(nextOf('CS0246', unknown('Cart'))).toEqual({
      actionKind: 'ManualStep',
      description: expect.stringMatching(/^Add `using Shop\.Core;` to tests[/\\]A\.cs/),
    });
  });

  it.each([
    ['CS0246', unknown('Nothing')],
    ['CS0234', inNamespace('Nothing', 'Shop')],
    ['CS0246', unknown('Car')],
  ])('and is left to the author where none declares it: %s %s', (code, message) => {
    expect(nextOf(code, message)).toMatchObject({
      actionKind: 'ManualStep',
      description: expect.not.stringMatching(/using|Reference/),
    });
  });

  it.each([
    ['lines', '\n'],
    ['spaces after a keyword', `delegate${' '.repeat(100)}`],
    ['keywords', 'delegate '],
  ])('is searched for in one pass over sources that are made to be slow: %s', (_, piece) => {
    writeFileSync(at('src/Money/Slow.cs'), piece.repeat(200_000 / piece.length));
    expect(nextOf('CS0246', unknown('Nothing'))).toMatchObject({ actionKind: 'ManualStep' });
    rmSync(at('src/Money/Slow.cs'));
  });
});
