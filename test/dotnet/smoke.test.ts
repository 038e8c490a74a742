import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { CAN_SEE_PROCESSES, processesOf } from '../support/processes.js';
import { waitFor } from '../support/wait-for.js';
import { packageReferences, XUNIT } from './fixture-projects.js';
import { addToFeed, LOCAL_AND_ORDINARY } from './local-feed.js';
import { projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

/** Ends at once, or stays until it is ended. */
const PROGRAM = 'Console.WriteLine($"hello {args.Length}"); if (args.Length > 0) Thread.Sleep(-1);\n';
const BROKEN = '\nConsole.WriteLine(nope);\n';

/** One of each way in which the server uses the real SDK; the other tests of the fast tier replay recorded commands. */
describeWithSdk('the real SDK', () => {
  let server: SdkServer;
  const app = { project: 'app/App.csproj' };
  const stay = { ...app, noBuild: true, appArgs: ['stay'] };
  const at = (path: string) => join(server.workplace.folder, path);
  const programs = () => processesOf(server.workplace).filter(({ command }) => command.startsWith(at('app/bin/')));
  beforeAll(async () => {
    server = await startSdkServer(
      {
        'nuget.config': LOCAL_AND_ORDINARY,
        'tests/tests.csproj': projectXml('', packageReferences(...XUNIT)),
        'tests/T.cs': `public class T
{
  [Xunit.Fact] public void Good() {}
  [Xunit.Fact] public void Bad() => Xunit.Assert.Equal(1, 2);
}`,
      },
      { Sessions: { StartWaitMs: 50_000 } },
    );
    addToFeed(server.workplace, [{ id: 'Mortise.Sample', version: '1.0.0' }]);
  });
  afterAll(() => server.close());

  it('creates a console application', async () => {
    const { data } = await server.project('New', { template: 'console', name: 'App', output: 'app' });
    expect(data).toMatchObject({ success: true, createdFiles: ['App.csproj', 'Program.cs'] });
  });

  it('builds it, and says what does not compile and where', async () => {
    server.workplace.write('app/Program.cs', PROGRAM);
    expect((await server.project('Build', app)).data).toMatchObject({ success: true, errorCount: 0, warningCount: 0 });
    server.workplace.write('app/Program.cs', BROKEN);
    const { data, isError } = await server.project('Build', { ...app, noRestore: true });
    expect({ isError, data }).toMatchObject({
      isError: true,
      data: { errorCount: 1, errors: [{ code: 'CS0103', file: at('app/Program.cs'), line: 2, column: 19 }] },
    });
    server.workplace.write('app/Program.cs', PROGRAM);
  });

  it('runs it', async () => {
    const { data } = await server.project('Run', { ...app, noBuild: true });
    expect(data).toMatchObject({ success: true, exitCode: 0, stdout: 'hello 0\n' });
  });

  it('runs it in the background until it is stopped', async () => {
    const started = await server.project('Run', { ...stay, startMode: 'Background' });
    expect(started.data).toMatchObject({ success: true, status: 'running' });
    const { sessionId } = started.data;
    await waitFor(async () => (await server.project('Logs', { sessionId })).text.includes('hello 1'));
    expect((await server.project('Stop', { sessionId })).data).toMatchObject({ success: true, status: 'stopped' });
    if (CAN_SEE_PROCESSES) expect(programs()).toEqual([]);
  });

  it.skipIf(!CAN_SEE_PROCESSES)('refuses what another call has locked, and ends what is cancelled', async () => {
    const cancel = new AbortController();
    const run = server.project('Run', stay, { signal: cancel.signal }).catch((error: Error) => error.message);
    await waitFor(() => programs().length > 0);
    const edit = { ...app, propertyName: 'Version', propertyValue: '2.0.0', waitSeconds: 0 };
    const refused = await server.project('SetProperty', edit);
    expect(refused.data).toMatchObject({
      errors: [{ code: 'CONCURRENCY_CONFLICT' }],
      lockInfo: { lockKey: at('app/App.csproj'), lockContended: true },
    });
    cancel.abort('enough');
    expect(await run).toContain('enough');
    await expect.poll(programs).toEqual([]);
    expect((await server.project('SetProperty', { ...edit, waitSeconds: undefined })).data).toMatchObject({
      success: true,
    });
  });

  it('evaluates a property', async () => {
    const { data } = await server.project('GetProperty', { ...app, propertyName: 'Version' });
    expect(data).toMatchObject({ propertyValue: '2.0.0', isSet: true });
  });

  it('packs it', async () => {
    const { data } = await server.project('Pack', { ...app, configuration: 'Debug', noBuild: true });
    expect(data).toMatchObject({ success: true, packages: [{ id: 'App', version: '2.0.0' }] });
  });

  it('adds a package and a reference', async () => {
    const added = await server.call('dotnet_package', { action: 'Add', ...app, packageId: 'Mortise.Sample' });
    expect(added.data).toMatchObject({ success: true, packageId: 'Mortise.Sample', version: '1.0.0' });
    const reference = { action: 'AddReference', project: 'tests/tests.csproj', referencePath: 'app/App.csproj' };
    expect((await server.call('dotnet_package', reference)).data).toMatchObject({ success: true });
    expect(readFileSync(at('tests/tests.csproj'), 'utf8')).toContain('App.csproj');
    const removed = await server.call('dotnet_package', { ...reference, action: 'RemoveReference' });
    expect(removed.data).toMatchObject({ success: true });
  });

  it('tests, and names the test that failed', async () => {
    const { data, isError } = await server.project('Test', { project: 'tests/tests.csproj' });
    expect({ isError, data }).toMatchObject({
      isError: true,
      data: {
        ...{ passed: 1, failed: 1, total: 2 },
        firstFailures: [{ testName: 'T.Bad', stackTrace: expect.stringContaining('T.cs:line 4') }],
      },
    });
  });

  it('cleans', async () => {
    expect((await server.project('Clean', app)).data).toMatchObject({ success: true });
  });
});
