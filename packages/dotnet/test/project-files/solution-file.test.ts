import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSolution, solutionOf } from '../../src/project-files/solution-file.js';
import { folderWith } from '../msbuild/evaluations.js';

const SLN = `\uFEFF
Microsoft Visual Studio Solution File, Format Version 12.00
Project("{9A19103F-16F7-4668-BE54-9A1E7A4F7556}") = "App", "src\\App\\App.csproj", "{11111111-1111-1111-1111-111111111111}"
EndProject
Project("{2150E333-8FDC-42A3-9474-1A3956D46DE8}") = "docs", "docs", "{22222222-2222-2222-2222-222222222222}"
\tProjectSection(SolutionItems) = preProject
\t\treadme.md = readme.md
\tEndProjectSection
EndProject
Project("{F2A71F9B-5D33-465A-A702-920D77279786}") = "Lib", "..\\Lib\\Lib.fsproj", "{33333333-3333-3333-3333-333333333333}"
EndProject
Global
EndGlobal
`.replaceAll('\n', '\r\n');

async function solution(name: string, text: string): Promise<{ folder: string; path: string }> {
  const folder = await folderWith({ [`repo/${name}`]: text });
  return { folder, path: join(folder, 'repo', name) };
}

describe('readSolution', () => {
  it('lists the projects of a .sln, without solution folders', async () => {
    const { folder, path } = await solution('S.sln', SLN);
    expect(readSolution(path)).toEqual([
      { path: 'src/App/App.csproj', absolutePath: join(folder, 'repo/src/App/App.csproj') },
      { path: '../Lib/Lib.fsproj', absolutePath: join(folder, 'Lib/Lib.fsproj') },
    ]);
  });

  it('lists the projects of a .slnx, those in folders too, each once', async () => {
    const { path } = await solution(
      'S.slnx',
      '<Solution><Folder Name="/a/"><File Path="x.md" /><Project Path="a\\A.csproj" /></Folder><Project Path="/abs/B.vbproj" Id="1" /><Project Path="a/A.csproj" /></Solution>',
    );
    expect(readSolution(path).map((project) => project.path)).toEqual(['a/A.csproj', '/abs/B.vbproj']);
    expect(readSolution(path)[1]!.absolutePath).toBe('/abs/B.vbproj');
  });

  it('lists the projects of a .slnf, which are relative to its solution', async () => {
    const { folder, path } = await solution(
      'S.slnf',
      '{ "solution": { "path": "..\\\\all\\\\All.sln", "projects": ["src\\\\App\\\\App.csproj",] } } // filter',
    );
    expect(readSolution(path)).toEqual([
      { path: 'src/App/App.csproj', absolutePath: join(folder, 'all/src/App/App.csproj') },
    ]);
    expect(solutionOf(path)).toBe(join(folder, 'all/All.sln'));
    expect(solutionOf('/x/All.sln')).toBe('/x/All.sln');
  });

  it.each([
    ['S.sln', 'hello', 'invalid format'],
    ['S.slnx', '<Solution>', 'invalid format'],
    ['S.slnx', '<Project/>', 'invalid format'],
    ['S.slnf', '{', 'invalid format'],
    ['S.slnf', '{"solution": {"path": 1}}', 'invalid format'],
    ['S.slnf', 'null', 'invalid format'],
    ['S.csproj', '<Project/>', 'invalid format'],
  ])('says that %s with %j is not a solution', async (name, text, reason) => {
    const { path } = await solution(name, text);
    expect(() => readSolution(path)).toThrow(expect.objectContaining({ name: 'FileError', reason }));
  });

  it('says that a solution is not there', () => {
    expect(() => readSolution('/nowhere/S.sln')).toThrow(expect.objectContaining({ reason: 'not found' }));
  });
});
