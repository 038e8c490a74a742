import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { ANSWER_PROJECTS } from './fixture-projects.js';
import { type CountedServer, startCountedServer } from './printed-counts.js';

const PLATFORM = '{ "test": { "runner": "Microsoft.Testing.Platform" } }';

describeRecorded('what dotnet_project Test answers', () => {
  let server: CountedServer;
  const at = (...path: string[]) => join(server.workplace.folder, ...path);
  const test = (project: string, args: object = {}) => server.project('Test', { project, ...args });
  /** Everything under TestResults, with neutral names for what differs from run to run. */
  const left = (project: string) =>
    existsSync(at(project, 'TestResults'))
      ? (readdirSync(at(project, 'TestResults'), { recursive: true }) as string[])
          .map((path) =>
            path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '<id>').replace(/_\d{4}-\d\d-\d\d_[\d_]+/, '_<time>'),
          )
          .toSorted()
      : [];
  beforeAll(async () => {
    server = await startCountedServer(ANSWER_PROJECTS);
    await server.buildAll(['unbuilt/unbuilt.csproj']);
  }, 300_000);
  afterAll(() => server.close());

  describe('no test ran', () => {
    const expectNone = async (answer: Awaited<ReturnType<typeof test>>, reason: string, action: object) => {
      const { data, text, isError } = answer;
      expect(isError).toBe(true);
      expect(data.errors).toHaveLength(1);
      expect(data.exitCode).not.toBe(0);
      expect(data.errors[0].data.exitCode).toBe(data.exitCode);
      expect(data.summary).toBe(data.errors[0].message);
      expect(data.errors[0]).toMatchObject({
        code: 'NO_TESTS_RAN',
        category: 'Build',
        hint: expect.any(String),
        rootCauseKind: expect.any(String),
        data: { additionalData: { reason } },
        recommendedAction: action,
      });
      expect(text).toMatch(/^Error: No test ran: .+\nCode: NO_TESTS_RAN\n(?:Hint|Next): /);
    };
    const lists = { actionKind: 'CallTool', arguments: { action: 'Test', listTests: true } };

    it('because of the filter', async () => {
      const none = await test('x', { noBuild: true, filter: 'Name~Nothing' });
      const { hint, recommendedAction } = none.data.errors[0];
      await expectNone(none, 'filter matches nothing', { arguments: { action: 'Test', project: 'x' } });
      expect([recommendedAction.arguments.listTests, recommendedAction.arguments.filter]).toEqual([
        undefined,
        undefined,
      ]);
      expect(hint).toBe('The tests are T.Good, T.Later, T.Crash.');
      expect(none.text.match(/matches no test|No test matches/g)).toHaveLength(1);
      await expectNone(await test('x', { noBuild: true, filter: '(((' }), 'malformed filter', lists);
    }, 300_000);

    it('because no adapter is there, or it finds nothing', async () => {
      await expectNone(await test('noadapter', { noBuild: true }), 'no adapter', {
        toolName: 'dotnet_package',
        arguments: { action: 'Add', packageId: 'xunit.runner.visualstudio', project: 'noadapter' },
      });
      const empty = await test('empty', { noBuild: true });
      await expectNone(empty, 'no adapter', { actionKind: 'ManualStep' });
      expect(empty.text).toContain('contains no tests');
    }, 300_000);

    it('because the other runner would be needed', async () => {
      const configure = {
        toolName: 'dotnet_sdk',
        arguments: { action: 'ConfigureGlobalJson', testRunner: 'Microsoft.Testing.Platform' },
      };
      await expectNone(await test('own'), 'wrong runner', configure);
      await expectNone(await test('v3'), 'wrong runner', configure);
    });

    it('because nothing is built', async () => {
      await server.project('Restore', { project: 'unbuilt' });
      const answer = await test('unbuilt', { noBuild: true });
      await expectNone(answer, 'not built', { arguments: { action: 'Test', project: 'unbuilt' } });
      const { toolName, arguments: args } = answer.data.errors[0].recommendedAction;
      expect((await server.call(toolName, args)).data).toMatchObject({ success: true, passed: 1 });
    });
  });

  describe('reports', () => {
    const noBuild = { noBuild: true };

    it('of the caller are where the CLI leaves them, once, and are listed', async () => {
      const { data, text } = await test('x', { ...noBuild, collect: 'XPlat Code Coverage' });
      expect(left('x')).toEqual(['<id>', '<id>/coverage.cobertura.xml']);
      const path = expect.stringMatching(/\/x\/TestResults\/[^/]+\/coverage\.cobertura\.xml$/);
      expect(data).toMatchObject({ passed: 2, skipped: 1, reports: [{ kind: 'coverage', path }] });
      expect(text).toContain(`Report (coverage): ${data.reports[0].path}`);
      expect(`${text}${JSON.stringify(data)}`).not.toMatch(/mortise-[0-9a-f]{12}/);
    });

    it('as TRX are theirs, by their name', async () => {
      const { data } = await test('n', { ...noBuild, logger: 'trx;LogFileName=mine.trx' });
      expect(left('n')).toEqual(['mine.trx']);
      expect(data.reports).toEqual([{ kind: 'trx', path: at('n/TestResults/mine.trx') }]);
      expect(data.firstFailures[0]).toMatchObject({ testName: expect.stringContaining('Bad') });
    });

    it('are none where none were asked for, also of tests with attachments', async () => {
      const { data, links } = await test('m', noBuild);
      expect(data).toMatchObject({ firstFailures: [{ testName: expect.stringContaining('Bad') }] });
      expect(data).not.toHaveProperty('reports');
      expect(existsSync(at('m/TestResults'))).toBe(false);
      for (const uri of links) {
        const { contents } = await server.client.readResource({ uri });
        expect(JSON.stringify(contents)).not.toMatch(/mortise-[0-9a-f]{12}/);
      }
    });

    it('go to the folder of the caller', async () => {
      const { data } = await test('x', { ...noBuild, logger: 'html;LogFileName=a.html', resultsDirectory: 'out' });
      expect(data.reports).toEqual([{ kind: 'html', path: at('out/a.html') }]);
      expect(readdirSync(at('out'))).toEqual(['a.html']);
    });
  });

  it.each([
    ['n', { passed: 3, failed: 1, skipped: 2, total: 6 }],
    ['m', { passed: 1, failed: 1, skipped: 2, total: 4 }],
    ['x', { passed: 2, failed: 0, skipped: 1, total: 3 }],
  ])('counts the tests of %s as its adapter does', async (project, counts) => {
    const { data } = await test(project, { noBuild: true });
    expect(data).toMatchObject(counts);
  });

  it('counts what the CLI prints, in every project', () => server.compareRest('Test'));

  it('runs where the global.json of the project chose the runner', async () => {
    server.workplace.write('own/global.json', PLATFORM);
    const { data } = await test('own/own.csproj');
    expect(data).toMatchObject({
      success: true,
      passed: 1,
      total: 1,
      metadata: { selectedTestRunner: 'microsoft-testing-platform', selectionSource: 'global.json' },
    });
    const none = await test('own/own.csproj', { noBuild: true, appArgs: ['--treenode-filter', '/*/*/Nope/*'] });
    expect(none.data.errors).toMatchObject([
      { code: 'NO_TESTS_RAN', data: { additionalData: { reason: 'filter matches nothing' } } },
    ]);
  });

  it('names the test that ran when the test process crashed, and the method that ended it', async () => {
    const crash = (args: object = {}) =>
      server.call('dotnet_project', {
        action: 'Test',
        project: 'x',
        noBuild: true,
        environment: { CRASH: '1' },
        ...args,
      });
    const plain = await crash();
    const message = 'The test process crashed while T.Crash ran: Process terminated. boom';
    expect(plain.data.errors[0]).toMatchObject({ message, hint: 'The process ended in T.Crash().' });
    const { data, text } = await crash({ blame: true });
    expect(data.errors[0].message).toBe(message);
    expect(data.reports).toEqual([{ kind: 'blame', path: expect.stringMatching(/\/Sequence_[0-9a-f]+\.xml$/) }]);
    expect(text).toMatch(/^Error: Test run failed\. The test process crashed while T\.Crash ran/);
    expect(text).toMatch(/^T\.Crash$/m);
  });
});
