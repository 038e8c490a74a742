import { copyFileSync, mkdirSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDotnetProgram } from '../../packages/dotnet/src/process/find-dotnet.js';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const FILES = { 'App/App.csproj': projectXml(), 'App/Code.cs': 'public class Code { }\n' };

describeWithSdk('the process that reads code, of an SDK that is removed while it runs', () => {
  let server: SdkServer;
  const installed = () => {
    const program = createDotnetProgram({ setting: '', env: process.env, platform: process.platform });
    return dirname(realpathSync(program.path()));
  };
  const installation = () => join(server.workplace.folder, '.dotnet');
  const outline = (of = server) =>
    of.call('dotnet_code', { action: 'Outline', symbol: 'Code', project: 'App/App.csproj' });

  /** Makes an installation that has the folders of the real one, and the versions of its SDK as links. */
  function install(folder: string, installVersions: (folder: string) => void): void {
    mkdirSync(folder);
    copyFileSync(join(installed(), 'dotnet'), join(folder, 'dotnet'));
    for (const name of readdirSync(installed())) {
      if (name !== 'dotnet' && name !== 'sdk') symlinkSync(join(installed(), name), join(folder, name));
    }
    installVersions(folder);
  }

  function installSdks(folder: string): void {
    mkdirSync(join(folder, 'sdk'));
    const versions = readdirSync(join(installed(), 'sdk'));
    for (const name of versions) symlinkSync(join(installed(), 'sdk', name), join(folder, 'sdk', name));
  }

  /** SDKs as they were before `dotnet format` had Roslyn's workspaces. */
  function installSdksWithoutRoslyn(folder: string): void {
    for (const version of readdirSync(join(installed(), 'sdk'))) {
      mkdirSync(join(folder, 'sdk', version), { recursive: true });
      for (const name of readdirSync(join(installed(), 'sdk', version))) {
        if (name === 'DotnetTools') continue;
        symlinkSync(join(installed(), 'sdk', version, name), join(folder, 'sdk', version, name));
      }
    }
  }

  const start = (installVersions: (folder: string) => void) =>
    startSdkServer(FILES, {}, ({ folder, env }) => {
      install(join(folder, '.dotnet'), installVersions);
      return { PATH: `${join(folder, '.dotnet')}:${env.PATH}`, DOTNET_ROOT: join(folder, '.dotnet') };
    });

  beforeAll(async () => {
    server = await start(installSdks);
  });
  afterAll(() => server.close());

  it('answers with a clear error, and again when there is an SDK', async () => {
    expect((await outline()).text).toContain('class Code');
    rmSync(join(installation(), 'sdk'), { recursive: true });
    const { isError, data } = await outline();
    expect(isError).toBe(true);
    expect(data.errors).toMatchObject([
      {
        code: 'CAPABILITY_NOT_AVAILABLE',
        message: `The .NET SDK of ${join(server.workplace.folder, 'App')} is not found`,
      },
    ]);
    expect(data.errors[0].alternatives).toContain('Install the .NET SDK 8 or later');
    installSdks(installation());
    expect((await outline()).text).toContain('class Code');
  });

  it('says what an SDK lacks that has no Roslyn for workspaces', async () => {
    const other = await start(installSdksWithoutRoslyn);
    const { isError, data } = await outline(other).finally(() => other.close());
    expect(isError).toBe(true);
    expect(data.errors[0].code).toBe('CAPABILITY_NOT_AVAILABLE');
    expect(data.errors[0].message).toMatch(/The \.NET SDK .*Microsoft\.CodeAnalysis\.CSharp\.Workspaces\.dll/);
    expect(data.errors[0].alternatives).toContain('Use Build of dotnet_project for diagnostics');
  });
});
