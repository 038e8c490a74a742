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
  const outline = () => server.call('dotnet_code', { action: 'Outline', symbol: 'Code', project: 'App/App.csproj' });

  /** Makes an installation that has the folders of the real one, and the versions of its SDK as links. */
  function install(folder: string): void {
    mkdirSync(folder);
    copyFileSync(join(installed(), 'dotnet'), join(folder, 'dotnet'));
    for (const name of readdirSync(installed())) {
      if (name !== 'dotnet' && name !== 'sdk') symlinkSync(join(installed(), name), join(folder, name));
    }
    installSdks(folder);
  }

  function installSdks(folder: string): void {
    mkdirSync(join(folder, 'sdk'));
    const versions = readdirSync(join(installed(), 'sdk'));
    for (const name of versions) symlinkSync(join(installed(), 'sdk', name), join(folder, 'sdk', name));
  }

  beforeAll(async () => {
    server = await startSdkServer(FILES, {}, ({ folder, env }) => {
      install(join(folder, '.dotnet'));
      return { PATH: `${join(folder, '.dotnet')}:${env.PATH}`, DOTNET_ROOT: join(folder, '.dotnet') };
    });
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
});
