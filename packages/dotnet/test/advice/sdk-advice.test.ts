import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '../../src/advice/failure.js';
import { runOf } from '../diagnostics/fixture.js';
import report from '../diagnostics/provoked/report.json' with { type: 'json' };

const PROVOKED: Readonly<Record<string, { readonly message: string }>> = report.provoked;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sdk-advice-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The next action of the error that the real SDK printed, for a project with these properties. */
function nextOf(code: string, properties: string) {
  const project = join(folder, 'A.csproj');
  writeFileSync(project, `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup>${properties}</PropertyGroup></Project>`);
  const lines = PROVOKED[code]!.message.split('\n').map((line) => `${project} : error ${code}: ${line}`);
  const run = { ...runOf('none', 1, ['build', project]), cwd: folder, output: lines.join('\n') };
  const [error] = failureOf(run, { label: 'Build' }).errors;
  const action = error!.recommendedAction;
  if (typeof action !== 'object' || action.actionKind !== 'CallTool') return { action, hint: error!.hint };
  const { project: of, ...args } = action.arguments;
  expect(of).toBe(project);
  return { tool: action.toolName, ...args };
}

describe('the next action for an error of the SDK', () => {
  it.each([
    [
      'NETSDK1032',
      '<PlatformTarget>x86</PlatformTarget>',
      { action: 'RemoveProperty', propertyName: 'PlatformTarget' },
    ],
    ['NETSDK1099', '<PublishSingleFile>true</PublishSingleFile>', { propertyName: 'PublishSingleFile' }],
    ['NETSDK1212', '<EnableTrimAnalyzer>true</EnableTrimAnalyzer>', { propertyName: 'EnableTrimAnalyzer' }],
    ['NETSDK1084', '', { action: 'SetProperty', propertyName: 'UseAppHost', propertyValue: 'false' }],
    ['NETSDK1112', '', { action: 'Restore', properties: { RuntimeIdentifier: 'linux-x64' } }],
    ['NETSDK1022', '', { action: 'RemoveItem', itemType: 'Compile', include: ['Main.cs'] }],
  ])('%s changes what the project asks for', (code, properties, args) => {
    expect(nextOf(code, properties)).toMatchObject({ tool: 'dotnet_project', ...args });
  });

  it.each(['NETSDK1023', 'NETSDK1080'])('%s removes the package that the SDK references by itself', (code) => {
    const packageId = code === 'NETSDK1023' ? 'NETStandard.Library' : 'Microsoft.AspNetCore.App';
    expect(nextOf(code, '')).toEqual({ tool: 'dotnet_package', action: 'Remove', packageId });
  });

  it.each(['NETSDK1099', 'NETSDK1063', 'NETSDK1151'])(
    '%s is a step by hand where the project does not say what to change, and never a list of SDKs',
    (code) => {
      const { action, hint } = nextOf(code, '') as ReturnType<typeof nextOf> & { action: object; hint: string };
      expect(action).toEqual({ actionKind: 'ManualStep', description: hint });
    },
  );

  it('lists the SDKs only where another version of the SDK helps', () => {
    const message = PROVOKED.NETSDK1045!.message;
    const output = `${join(folder, 'Gone.csproj')} : error NETSDK1045: ${message}`;
    const [error] = failureOf({ ...runOf('none', 1, ['build']), output }, { label: 'Build' }).errors;
    expect(error!.recommendedAction).toMatchObject({ arguments: { action: 'ListSdks' } });
  });
});
