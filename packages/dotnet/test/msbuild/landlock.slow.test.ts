import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readProjects } from '../../src/msbuild/read-projects.js';
import { hasSdk } from '../sdk.js';
import { evaluationHostOf, folderWith, openDotnet } from './evaluations.js';

const SOURCES = fileURLToPath(new URL('../../../../dotnet/', import.meta.url));

/** The kernel says itself which version of Landlock it has. */
const hasLandlock = spawnSync('perl', ['-e', 'exit(syscall(444, 0, 0, 1) > 0 ? 0 : 1)']).status === 0;
const reason = hasSdk ? 'this kernel has no Landlock, or there is no perl to ask it' : 'no dotnet on PATH';
const canRun = hasSdk && hasLandlock;

/** A judge of functions that lets everything pass, so that only the second wall is left. */
const NO_JUDGE = `namespace Mortise.DotnetHost.Evaluation;
internal static class PropertyFunctions
{
    public static string? FindRefused(string text) => null;
}
`;

/** The process as it is, but with that judge. */
function buildHost(folder: string): string {
  for (const name of ['Directory.Build.props', 'Directory.Packages.props', 'Mortise.DotnetHost'])
    cpSync(join(SOURCES, name), join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'Mortise.DotnetHost/Evaluation/PropertyFunctions.cs'), NO_JUDGE);
  const own = ['-p:RestoreLockedMode=true', '-p:UseSharedCompilation=false', '-nodeReuse:false', '-m:1'];
  const args = ['publish', 'Mortise.DotnetHost', '-o', join(folder, 'host'), ...own];
  const { status, stdout } = spawnSync('dotnet', args, { cwd: folder, encoding: 'utf8' });
  expect(status, stdout).toBe(0);
  return join(folder, 'host/Mortise.DotnetHost.dll');
}

const HERE = "[System.IO.Directory]::GetParent('$(MSBuildThisFileDirectory)x')";
const VICTIM = "[System.IO.Directory]::GetParent('$(MSBuildThisFileDirectory)victim/x')";

/** Functions that write, move, remove or start something; each succeeds where nothing holds it. */
const ATTEMPTS: Readonly<Record<string, string>> = {
  'creates a folder': `${HERE}.CreateSubdirectory('made')`,
  'deletes a folder': `${VICTIM}.Delete(true)`,
  'moves a folder': `${VICTIM}.MoveTo('$(MSBuildThisFileDirectory)made')`,
  'moves a folder into the one that is left': `${VICTIM}.MoveTo('$(NUGET_SCRATCH)/moved')`,
  'copies a file': `${VICTIM}.GetFiles('file').GetValue(0).CopyTo('$(MSBuildThisFileDirectory)made')`,
  'empties a file': `${VICTIM}.GetFiles('file').GetValue(0).CreateText()`,
  'writes a file': `[System.IO.File]::WriteAllText('$(MSBuildThisFileDirectory)made', 'x')`,
  'makes a link': `[System.IO.File]::CreateSymbolicLink('$(MSBuildThisFileDirectory)made', 'victim')`,
  'writes through a link in the folder that is left': `[System.IO.File]::WriteAllText('$(NUGET_SCRATCH)/link/file', 'x')`,
  'starts a program': `[System.Diagnostics.Process, System.Diagnostics.Process]::Start('touch', '$(MSBuildThisFileDirectory)made')`,
};
const INTO_SCRATCH = "[System.IO.Directory]::GetParent('$(NUGET_SCRATCH)/x').CreateSubdirectory('made').Exists";
const LINK =
  "[System.IO.File]::CreateSymbolicLink('$(NUGET_SCRATCH)/link', '$(MSBuildThisFileDirectory)victim').Exists";

const project = (...functions: string[]) =>
  `<Project><PropertyGroup>${functions.map((one, index) => `<P${index}>$(${one})</P${index}>`).join('')}</PropertyGroup></Project>`;

describe.skipIf(!canRun)(canRun ? 'Landlock' : `Landlock (skipped: ${reason})`, () => {
  it('keeps an evaluation from writing where the judge of files lets it', async () => {
    const folder = await folderWith({ 'App.proj': project(INTO_SCRATCH) });
    // Without MSBuild's own list of functions, which would be another wall.
    const readOnly = { MSBUILDENABLEALLPROPERTYFUNCTIONS: '1' };
    const host = evaluationHostOf(openDotnet({}, { program: buildHost(folder), readOnly }).hosts);
    const evaluate = async (path: string) => {
      const query = { properties: ['P0', 'P1'], itemTypes: [] };
      const { projects } = await readProjects(host, { projects: [{ path, globalProperties: {} }], query }, folder);
      return projects[0]!;
    };

    // The judge lets it, and in its own folder the evaluation may write.
    expect(await evaluate(join(folder, 'App.proj'))).toMatchObject({ evaluations: [{ properties: { P0: 'True' } }] });
    for (const [what, attempt] of Object.entries(ATTEMPTS)) {
      const tried = await folderWith({
        'App.proj': attempt.includes('/link/') ? project(LINK, attempt) : project(attempt),
        'victim/file': 'kept',
      });
      const { error } = await evaluate(join(tried, 'App.proj'));
      expect.soft(error?.message, what).toMatch(/Permission denied|is denied/);
      expect.soft(existsSync(join(tried, 'made')), what).toBe(false);
      expect
        .soft(existsSync(join(tried, 'victim/file')) && readFileSync(join(tried, 'victim/file'), 'utf8'), what)
        .toBe('kept');
    }
  });
});
