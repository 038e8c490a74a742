import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { PLATFORM_SOLUTIONS, VSTEST_SOLUTIONS } from './fixture-projects.js';
import { buildTogether } from './printed-counts.js';
import { type SdkServer, startSdkServer } from './sdk-server.js';

const calls = (alternatives: readonly string[]) =>
  alternatives.map((text) => {
    const [, tool, args] = /^(\w+) (\{.*\})$/.exec(text)!;
    return [tool!, JSON.parse(args!)] as const;
  });

describeRecorded('dotnet_project Test of several projects', () => {
  describe('of Microsoft.Testing.Platform', () => {
    let server: SdkServer;
    const test = (project: string, args: object = {}) => server.project('Test', { project, noBuild: true, ...args });
    beforeAll(async () => {
      server = await startSdkServer(PLATFORM_SOLUTIONS);
      await buildTogether(server, ['a/a.csproj', 'b/b.csproj', 'x/x.csproj']);
    }, 300_000);
    afterAll(() => server?.close());

    it('succeeds where a filter matches in one project alone, and names the other', async () => {
      const { text, data } = await test('One.slnx', { filter: 'FullyQualifiedName~Only' });
      expect(data).toMatchObject({ success: true, passed: 1, total: 1, metadata: { processExitCode: '8' } });
      expect(text).toBe(
        'Test run succeeded.\n1 passed, 0 failed, 0 skipped\nNo match in b.dll (net10.0)\nExit Code: 0',
      );
    });

    it('takes one call for each project where their test frameworks have different options', async () => {
      const { data } = await test('Mixed.slnx', { filter: 'FullyQualifiedName~MigrateUp' });
      const [error] = data.errors;
      expect(error).toMatchObject({
        code: 'INVALID_PARAMS',
        message: expect.stringMatching(/: a \(MSTest\), x \(xUnit/),
      });
      const ended = [];
      for (const [tool, args] of calls(error.alternatives)) ended.push((await server.call(tool, args)).data);
      expect(ended).toMatchObject([{ errors: [{ code: 'NO_TESTS_RAN' }] }, { success: true, passed: 1 }]);
    });

    it('translates a filter by the references of the project, whatever their names', async () => {
      const { data } = await test('x/x.csproj', {
        filter: 'FullyQualifiedName=X.T.MigrateUp|FullyQualifiedName=X.T.Down',
      });
      expect(data).toMatchObject({ success: true, passed: 2, total: 2 });
      const none = await test('x/x.csproj', { filter: 'Name=x|Category=Slow' });
      expect(none.data.errors[0].message).toContain('cannot express the filter in one run');
      const [[tool, args]] = calls(none.data.errors[0].alternatives) as [readonly [string, Record<string, unknown>]];
      expect((await server.call(tool, args)).data.errors[0].code).toBe('NO_TESTS_RAN');
    });

    it('names inherited tests by the class that they ran in, and runs the failed ones alone', async () => {
      const { text, data } = await test('b/b.csproj');
      expect(data).toMatchObject({ passed: 2, failed: 2, failedTests: ['B.Minus.Positive', 'B.Zero.Positive'] });
      const [, args] = /To run the failed tests alone: dotnet_project (\{.*\})$/m.exec(text)!;
      const again = await server.call('dotnet_project', JSON.parse(args!));
      expect(again.data).toMatchObject({ failed: 2, total: 2, failedTests: data.failedTests });
    });

    it('names the project whose process crashed beside those of the others', async () => {
      const { text, data } = await test('One.slnx', { environment: { CRASH: '1' } });
      expect(data).toMatchObject({ success: false, passed: expect.any(Number) });
      expect(text).toContain(
        'b.dll (net10.0) did not run all of its tests. The test process crashed with exit code 134',
      );
      expect(text).toContain('B.Ends.Both()');
      expect(text).not.toContain('a.dll (net10.0) did not');
    });

    it('says that -- is put before appArgs anyway', async () => {
      const { text } = await test('a/a.csproj', { appArgs: ['--', '--no-progress'] });
      expect(text).toMatch(/^Error: .*No test ran: appArgs has the argument '--'/);
      expect(text).toContain("Leave '--' out of appArgs.");
    });
  });

  describe('of VSTest', () => {
    let server: SdkServer;
    const test = (project: string, args: object = {}) => server.project('Test', { project, ...args });
    beforeAll(async () => {
      server = await startSdkServer(VSTEST_SOLUTIONS);
      await buildTogether(server, ['a/a.csproj', 'b/b.csproj', 'gate/gate.csproj']);
    }, 300_000);
    afterAll(() => server?.close());

    it('has an error for the failed tests, and one for the project that crashed', async () => {
      const { text, data } = await test('Crash.slnx', { noBuild: true });
      expect(data).toMatchObject({ passed: 1, failed: 1, failedTests: ['A.T.Fails'] });
      expect(data.errors.map(({ message }: { message: string }) => message)).toEqual([
        '1 of 2 tests failed: A.T.Fails',
        'b.dll (net10.0) did not run all of its tests. The test process crashed: Process terminated. boom',
      ]);
      expect(data.errors[1].hint).toBe('The process ended in B.T.Boom().');
      expect(text).toContain('Failed A.T.Fails(s: "🎉 𠀀")');
    });

    it('has the results of the projects that were built, and names those that were not tested', async () => {
      const { text, data } = await test('Broken.slnx');
      const untestedProjects = ['broken/broken.csproj', 'user/user.csproj'];
      expect(data).toMatchObject({ passed: 1, failed: 1, untestedProjects });
      expect(text).toMatch(
        /^Error: Test failed: 1 error; 1 passed, 1 failed, 0 skipped; not tested, because the build failed: broken/,
      );
      expect(text).toMatch(/error EXIT_1: 1 of 2 tests failed: A\.T\.Fails$/m);
    });

    it('has the counts of green tests where a target behind them fails', async () => {
      const { text, data } = await test('gate/gate.csproj', { noBuild: true });
      expect(data).toMatchObject({ success: false, passed: 1, failed: 0, errors: [{ code: 'MSBUILD_UNCODED' }] });
      expect(text).toMatch(/^Error: Test failed: 1 error; 1 passed, 0 failed, 0 skipped\n/);
      expect(text.split('\n', 1)[0]).toBe(`Error: ${data.summary}`);
    });
  });
});
