import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { CONSOLE, projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const PRINT_TARGET = `<Target Name="Mark">
    <WriteLinesToFile File="$(MSBuildProjectDirectory)/mark.txt" Lines="$(MSBuildProjectName)" />
  </Target>`;

describeRecorded('Build and Publish with a target, and Build with a binary log', () => {
  let server: SdkServer;
  const at = (path: string) => join(server.workplace.folder, path);
  const app = { project: 'app/App.csproj' };
  beforeAll(async () => {
    server = await startSdkServer({
      'app/App.csproj': projectXml(CONSOLE, PRINT_TARGET),
      'app/Program.cs': 'Console.WriteLine("hi");',
      'one.cs': 'Console.WriteLine("hi");',
    });
  });
  afterAll(() => server.close());

  it('runs the target, alone', async () => {
    const { isError, data, text } = await server.project('Build', { ...app, target: 'Mark' });
    expect({ isError, data }).toMatchObject({ isError: false, data: { success: true, target: 'Mark' } });
    expect(text).toMatch(/^Build succeeded\.\n/);
    expect(existsSync(at('app/mark.txt'))).toBe(true);
    expect(existsSync(at('app/bin'))).toBe(false);
  });

  it('says that there is no such target', async () => {
    const { data } = await server.project('Build', { ...app, target: 'Nope' });
    expect(data).toMatchObject({ success: false, target: 'Nope', errors: [{ code: 'MSB4057' }] });
    expect(data.errors[0].data.command).toBe('dotnet build app/App.csproj -t:Nope');
  });

  it.each([['a b'], ['Mark;Other'], ['Mark%3BOther'], ['/t:Mark'], ['$(Evil)']])('takes no %j', async (target) => {
    const { data } = await server.project('Build', { ...app, target });
    expect(data.errors[0]).toMatchObject({ code: 'INVALID_PARAMS', data: { additionalData: { parameter: 'target' } } });
  });

  it('refuses a target for a file-based app, of which the CLI runs none', async () => {
    const { data } = await server.project('Build', { project: 'one.cs', target: 'Mark' });
    expect(data.errors[0]).toMatchObject({ code: 'INVALID_PARAMS', data: { additionalData: { reason: 'conflict' } } });
  });

  it('says where the binary log is, of a success and of a failure', async () => {
    const binlog = at('msbuild.binlog');
    const built = await server.project('Build', { ...app, binlog: true });
    expect(built.data).toMatchObject({ success: true, binlog });
    expect(built.text).toContain(`\nBinary log: ${binlog}\n`);
    expect(existsSync(binlog)).toBe(true);

    rmSync(binlog);
    const without = await server.project('Build', app);
    expect(without.data).not.toHaveProperty('binlog');
    expect(existsSync(binlog)).toBe(false);

    server.workplace.write('app/Program.cs', 'Console.WriteLine(nope);');
    const failed = await server.project('Build', { ...app, binlog: true });
    expect(failed.data).toMatchObject({ success: false, binlog, errors: [{ code: 'CS0103' }] });
    expect(failed.text).toContain(`Binary log: ${binlog}`);
    expect(existsSync(binlog)).toBe(true);
    server.workplace.write('app/Program.cs', 'Console.WriteLine("hi");');
  });

  it('publishes a container by its target; without a base image the error says what failed', async () => {
    const target = 'PublishContainer';
    const properties = { ContainerBaseImage: 'registry.invalid/runtime:1' };
    const { isError, data, text } = await server.project('Publish', { ...app, target, properties });
    expect(isError).toBe(true);
    expect(data.errors[0].data.command).toBe(
      'dotnet publish app/App.csproj -t:PublishContainer -p:ContainerBaseImage=registry.invalid/runtime:1',
    );
    expect(text).toContain('registry.invalid');
  });

  it('makes a .slnx where no format is named (SDK 10)', async () => {
    const { data } = await server.call('dotnet_solution', { action: 'Create', name: 'All', output: 'made' });
    expect(data).toMatchObject({ success: true, solution: at('made/All.slnx') });
    expect(existsSync(at('made/All.slnx'))).toBe(true);
  });

  it('clears no cache that is not named', async () => {
    const { data } = await server.call('dotnet_package', { action: 'ClearCache' });
    expect(data.errors[0]).toMatchObject({
      code: 'INVALID_PARAMS',
      data: { additionalData: { parameter: 'cacheType', reason: 'required' } },
    });
  });
});
