import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '../../src/advice/failure.js';
import { fixtureOutput, runOf } from '../diagnostics/fixture.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'missing-sdk-'));
  mkdirSync(join(folder, 'a'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The host as it was recorded, with another version in the global.json of the folder. */
function errorFor(version: string, framework: string) {
  const project = `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFrameworks>net10.0;${framework}</TargetFrameworks></PropertyGroup></Project>`;
  writeFileSync(join(folder, 'a', 'A.csproj'), project);
  const here = (text: string) => text.replaceAll('9.9.999', version).replaceAll('/src/globaljson', folder);
  const stdout = here(fixtureOutput('exit-155'));
  const stderr = here(fixtureOutput('exit-155', 'stderr'));
  return failureOf(
    { ...runOf('none', 155, ['build']), stdout, stderr, output: stdout + stderr },
    { label: 'Build', partialResult: {} },
  ).errors[0]!;
}

describe('an SDK that global.json asks for and that is not installed', () => {
  it('is named first, with the file and the installed SDKs', () => {
    expect(errorFor('9.9.999', 'net9.0').message).toBe(
      `${join(folder, 'global.json')} asks for the .NET SDK 9.9.999, and no installed SDK satisfies it (installed: 10.0.401)`,
    );
  });

  it('is to be installed where a project targets what the installed SDKs cannot build', () => {
    const { recommendedAction, hint } = errorFor('11.0.100-preview.1', 'net11.0');
    expect(recommendedAction).toMatchObject({
      description: `Install the .NET SDK 11.0.100-preview.1: ${join(folder, 'a', 'A.csproj')} targets net11.0, which SDK 10.0.401 cannot build. Or let global.json name 10.0.401, and target an older framework.`,
      toolName: 'dotnet_sdk',
      arguments: { sdkVersion: '10.0.401', globalJsonPath: join(folder, 'global.json') },
    });
    expect(hint).toBe((recommendedAction as { description: string }).description);
  });

  it.each([
    ['11.0.100-preview.1', 'net10.0'],
    ['10.0.999', 'net11.0'],
  ])('is replaced by an installed one where no project needs it (%s, %s)', (version, framework) => {
    expect(errorFor(version, framework).recommendedAction).toMatchObject({
      description: 'Let global.json name an SDK that is installed.',
    });
  });
});
