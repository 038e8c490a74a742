import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { RUN_PROJECTS } from './fixture-projects.js';
import { type CountedServer, startCountedServer } from './printed-counts.js';

const COUNTS = { passed: 1, failed: 1, skipped: 1, total: 3 };
const FAILURE = {
  testName: 'T.Bad',
  message: 'Assert.Equal() Failure: Values differ\nExpected: 1\nActual:   2',
  stackTrace: expect.stringContaining('T.cs:'),
};

describeRecorded('dotnet_project Test, with one failing test', () => {
  let server: CountedServer;
  const test = (args: object) => server.project('Test', { ...args });
  const lockInfo = (project: string) => ({ lockScope: 'project', lockKey: join(server.workplace.folder, project) });
  beforeAll(async () => {
    server = await startCountedServer(RUN_PROJECTS);
  });
  afterAll(() => server.close());

  describe('VSTest', () => {
    const metadata = { selectedTestRunner: 'vstest', projectArgumentStyle: 'positional', selectionSource: 'default' };

    it('tells which test failed, and how, of a project of xunit 2', async () => {
      const progress: string[] = [];
      const { text, data, isError } = await server.project(
        'Test',
        { project: 'v2/v2.csproj' },
        { onprogress: ({ message }) => progress.push(message!) },
      );
      expect(isError).toBe(true);
      expect(data).toMatchObject({
        success: false,
        project: 'v2/v2.csproj',
        ...COUNTS,
        durationMs: expect.any(Number),
        firstFailures: [FAILURE],
        assemblies: [{ name: 'v2.dll', framework: 'net10.0', passed: 1, failed: 1, skipped: 1 }],
        summary: 'Test run failed.',
        metadata,
        errors: [
          {
            code: 'EXIT_1',
            category: 'Unknown',
            message: '1 of 3 tests failed: T.Bad',
            mcpErrorCode: -32603,
            rootCauseKind: 'TestFailure',
            data: { command: 'dotnet test v2/v2.csproj', exitCode: 1 },
          },
        ],
        exitCode: 1,
        lockInfo: lockInfo('v2/v2.csproj'),
      });
      expect(text).toMatch(
        /^Error: Test run failed\. 1 of 3 tests failed: T\.Bad\nCode: EXIT_1\nHint: .+\nNext: .+\nFull output: .+\nFailed T\.Bad\n/,
      );
      expect(text).toMatch(/Expected: 1\nActual: {3}2\n(?:at .+\n)+Exit Code: 1$/);
      expect(progress[0]).toBe('Running tests...');
      expect(progress).toContain('Built v2');
    });

    it('is a SuccessResult with metadata for machineReadable', async () => {
      const filter = 'FullyQualifiedName=T.Good';
      const { text, data } = await test({ project: 'v2/v2.csproj', noBuild: true, filter, machineReadable: true });
      expect(JSON.parse(text)).toEqual({
        success: true,
        command: 'dotnet test v2/v2.csproj --filter FullyQualifiedName=T.Good --no-build',
        output: expect.stringContaining('Passed!  - Failed:     0, Passed:     1'),
        exitCode: 0,
        metadata: { ...metadata, summary: 'Test run succeeded.' },
      });
      expect(text).not.toContain('Results File: ');
      expect(data).toMatchObject({ success: true, passed: 1, total: 1, metadata, summary: 'Test run succeeded.' });
    });

    it('is an ErrorResponse for machineReadable, whose words name no member that it does not have', async () => {
      const { text, data } = await test({ project: 'v2/v2.csproj', noBuild: true, machineReadable: true });
      const response = JSON.parse(text);
      expect(response).toMatchObject({
        success: false,
        errors: [
          { code: 'EXIT_1', message: '1 of 3 tests failed: T.Bad', rawOutput: expect.stringContaining('Actual:') },
        ],
        exitCode: 1,
        metadata: { ...metadata, fullOutput: expect.stringMatching(/^mortise:\/\/outputs\//) },
      });
      const absent = Object.keys(data).filter(
        (name) => !(name in response.metadata) && !(name in response) && /[A-Z]/.test(name),
      );
      expect(absent).toContain('firstFailures');
      for (const name of absent) expect(text).not.toContain(name);
    });

    it('lists tests', async () => {
      const { text, data, links } = await test({ project: 'v2/v2.csproj', noBuild: true, listTests: true });
      expect(data).toMatchObject({ tests: ['T.Good', 'T.Bad', 'T.Later'], summary: '3 tests', metadata });
      expect(text).toBe('T.Good\nT.Bad\nT.Later\n3 tests\nExit Code: 0');
      expect(links).toEqual([]);
    });

    it('finds the failed tests of a project of xunit 3 in its log, without warnings of what we added', async () => {
      const { text, data } = await test({ project: 'v3/v3.csproj' });
      expect(data).toMatchObject({ ...COUNTS, firstFailures: [FAILURE], metadata, exitCode: 1 });
      expect(data).not.toHaveProperty('warnings');
      expect(data).not.toHaveProperty('warning');
      expect(text).toContain('Failed T.Bad\nAssert.Equal() Failure');
    });

    it('says which options such a project ignored', async () => {
      const { text, data } = await test({ project: 'v3/v3.csproj', noBuild: true, filter: 'Name~Nothing' });
      expect(data).toMatchObject(COUNTS);
      expect(data.warning).toMatch(/ ignored filter under the VSTest command\.$/);
      expect(text).toContain(`Hint: ${data.warning}`);
    });

    it('cannot list the tests of such a project', async () => {
      const { text, data } = await test({ project: 'v3/v3.csproj', noBuild: true, listTests: true });
      expect(data).toMatchObject({
        errors: [
          {
            code: 'CAPABILITY_NOT_AVAILABLE',
            data: { additionalData: { feature: 'listTests' } },
            alternatives: [expect.stringContaining('ConfigureGlobalJson')],
          },
        ],
        metadata,
      });
      expect(text).toContain('ConfigureGlobalJson');
    });

    it('says nothing of filters where nothing was built', async () => {
      const { data } = await test({ project: 'nope.csproj' });
      expect(data).toMatchObject({ total: 0, errors: [{ code: 'MSB1009' }], metadata });
      expect(data).not.toHaveProperty('warning');
    });

    it('fails on the argument style of the other runner, and leaves that out next', async () => {
      const args = { project: 'v3/v3.csproj', noBuild: true, testRunner: 'MicrosoftTestingPlatform' };
      const { text, data } = await test(args);
      expect(data).toMatchObject({
        errors: [
          {
            code: 'MSB1001',
            message: 'Unknown switch.\nSwitch: --project',
            category: 'Build',
            rootCauseKind: 'InvalidParameter',
            recommendedAction: {
              actionKind: 'CallTool',
              toolName: 'dotnet_project',
              arguments: { action: 'Test', project: 'v3/v3.csproj', noBuild: true },
            },
          },
        ],
        metadata: { projectArgumentStyle: '--project', selectionSource: 'testRunner-parameter' },
      });
      const { text: json } = await test({ ...args, machineReadable: true });
      expect(JSON.parse(json)).toMatchObject({
        success: false,
        errors: [{ code: 'MSB1001', data: { exitCode: 1 } }],
        metadata: {
          selectedTestRunner: 'microsoft-testing-platform',
          projectArgumentStyle: '--project',
          selectionSource: 'testRunner-parameter',
        },
      });
      expect(text).toMatch(
        /^Error: Test failed: 1 error\nCode: MSB1001\nerror MSB1001: Unknown switch\.\nSwitch: --project/,
      );
    });
  });

  it('counts what the CLI prints, in every project', () => server.compareRest('Test'));

  describe('Microsoft.Testing.Platform by global.json', () => {
    const metadata = {
      selectedTestRunner: 'microsoft-testing-platform',
      projectArgumentStyle: '--project',
      selectionSource: 'global.json',
    };
    beforeAll(() => {
      server.workplace.write('global.json', '{ /* ours */ "test": { "runner": "Microsoft.Testing.Platform" } }');
    });
    afterAll(() => rmSync(join(server.workplace.folder, 'global.json')));

    it('tells which test failed, and how', async () => {
      const { text, data } = await test({ project: 'v3/v3.csproj' });
      expect(data).toMatchObject({
        ...COUNTS,
        firstFailures: [FAILURE],
        assemblies: [{ name: 'v3.dll', framework: 'net10.0', passed: 1, failed: 1, skipped: 1 }],
        metadata,
        errors: [{ code: 'EXIT_2', message: '1 of 3 tests failed: T.Bad', rootCauseKind: 'TestFailure' }],
        exitCode: 2,
        lockInfo: lockInfo('v3/v3.csproj'),
      });
      expect(text).toMatch(/^Error: Test run failed\. 1 of 3 tests failed: T\.Bad\nCode: EXIT_2\n/);
    });

    it('says what replaces an option that the test project does not know', async () => {
      const { text, data, links } = await test({ project: 'v3/v3.csproj', noBuild: true, appArgs: ['--report-trx'] });
      expect(data.errors).toMatchObject([
        {
          code: 'EXIT_5',
          message: 'The test project does not know the option --report-trx, so no test ran',
          hint: expect.stringContaining('--report-xunit-trx with xUnit.net v3'),
          rootCauseKind: 'InvalidParameter',
        },
      ]);
      expect(text.length).toBeLessThan(600);
      expect(links).toEqual([expect.stringMatching(/^mortise:\/\/outputs\//)]);
    });

    it('translates an expression of VSTest for a test framework that has other options', async () => {
      const { data } = await test({ project: 'v3/v3.csproj', noBuild: true, filter: 'Name=Good' });
      expect(data).toMatchObject({ success: true, passed: 1, total: 1, metadata });
    });

    it('takes options of the test project as appArgs', async () => {
      const { text, data } = await test({ project: 'v3/v3.csproj', noBuild: true, appArgs: '--filter-method T.Good' });
      expect(text).toBe('Test run succeeded.\n1 passed, 0 failed, 0 skipped\nExit Code: 0');
      expect(data).toMatchObject({ success: true, passed: 1, total: 1, metadata });
    });

    it('says that no test ran', async () => {
      const { data } = await test({ project: 'v3/v3.csproj', noBuild: true, appArgs: ['--filter-method', 'No.Such'] });
      expect(data).toMatchObject({
        total: 0,
        errors: [{ code: 'NO_TESTS_RAN', data: { additionalData: { reason: 'filter matches nothing' } } }],
        metadata,
      });
    });

    it('runs all the same where VSTest was asked for, for a positional project fits both', async () => {
      const { data } = await test({ project: 'v3/v3.csproj', noBuild: true, testRunner: 'VSTest' });
      expect(data).toMatchObject({
        ...COUNTS,
        firstFailures: [FAILURE],
        metadata: { ...metadata, projectArgumentStyle: 'positional', selectionSource: 'testRunner-parameter' },
      });
    });

    it('refuses options of VSTest, and says what replaces them', async () => {
      const { text, data } = await test({ project: 'v3/v3.csproj', logger: 'trx' });
      expect(data.errors).toMatchObject([
        { code: 'INVALID_PARAMS', data: { exitCode: -1, additionalData: { parameter: 'logger', reason: 'conflict' } } },
      ]);
      expect(data).not.toHaveProperty('lockInfo');
      expect(text).toContain('--report-trx');
    });
  });
});
