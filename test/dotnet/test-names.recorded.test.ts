import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { NAME_PROJECTS, PLATFORM_PROJECTS } from './fixture-projects.js';
import { type CountedServer, startCountedServer } from './printed-counts.js';
import type { Called } from './sdk-server.js';

describeRecorded('names of tests', () => {
  let server: CountedServer;
  beforeAll(async () => {
    server = await startCountedServer(NAME_PROJECTS);
    await server.buildAll();
  }, 300_000);
  afterAll(() => server?.close());

  it.each([
    ['xunit', 'x'],
    ['MSTest', 'm'],
  ])('of %s can be used in a filter as they are, with what was expected, the place and the output', async (_, name) => {
    const project = `${name}/${name}.csproj`;
    const { text, data }: Called = await server.project('Test', { project, noBuild: true });
    expect(data).toMatchObject({ failed: 2, skipped: 1 });
    expect(data.failedTests.toSorted()).toEqual(['Shop.Tests.T.Bad', 'Shop.Tests.T.Rows']);
    expect(data.skippedTests).toEqual([{ testName: 'Shop.Tests.T.Later', reason: 'not yet' }]);
    const bad = data.firstFailures.find(({ testName }: { testName: string }) => testName === 'Shop.Tests.T.Bad');
    const file = join(server.workplace.folder, name, 'T.cs');
    expect(bad).toMatchObject({ expected: '1', actual: '2', file, line: 5, output: 'looked at row 7' });
    expect(bad.stackTrace.split('\n')).toHaveLength(1);
    expect(text).toMatch(
      /^Error: Test run failed\. 2 of 3 tests failed: Shop\.Tests\.T\.(?:Bad, Shop\.Tests\.T\.Rows|Rows, Shop\.Tests\.T\.Bad)\n/,
    );
    expect(text).toContain('0 passed, 2 failed, 1 skipped (Shop.Tests.T.Later: not yet).');
    expect(text).toContain('looked at row 7');
    const filter = 'Shop.Tests.T.Rows';
    const one = await server.project('Test', { project, filter, noBuild: true });
    expect(one.data).toMatchObject({ failed: 1, total: 1, failedTests: [filter] });
  });

  it('of NUnit fixtures with arguments and of names of prose can be used in a filter as they are', async () => {
    const { text, data }: Called = await server.project('Test', { project: 'n/n.csproj', noBuild: true });
    expect(data.failedTests.toSorted()).toEqual([
      'Shop.Tests.G<Int32,String>.In',
      'Shop.Tests.Named, twice.In',
      'Shop.Tests.P(7).Case',
      'Shop.Tests.P(7).Vals',
      'Shop.Tests.P(8).Case',
      'Shop.Tests.P(8).Vals',
      'Shop.Tests.Q+Inner.In',
      'Shop.Tests.Q.C',
      'Shop.Tests.Q.My nice name',
      "Shop.Tests.Q.Odd (name) | 12% of 'it'",
      'Shop.Tests.S("x, y").In',
    ]);
    expect(text).toContain('Failed Shop.Tests.P(7).Case(2)\n');
    expect(text).toContain('Failed Shop.Tests.Q.C("a(b",2)\n');
    for (const { stackTrace } of data.firstFailures) expect(stackTrace.split('\n')).toHaveLength(1);
    const special = data.failedTests.toSorted().filter((failed: string) => /[,%]|7.+Case/.test(failed));
    for (const name of special) {
      const one = await server.project('Test', { project: 'n/n.csproj', filter: name, noBuild: true });
      expect(one.data.failedTests, one.text).toEqual([name]);
    }
  });

  it('go with the counts that the CLI prints, in every project', () => server.compareRest('Test'));
});

describeRecorded('names of tests of Microsoft.Testing.Platform', () => {
  let server: CountedServer;
  beforeAll(async () => {
    server = await startCountedServer(PLATFORM_PROJECTS);
    await server.buildAll();
  }, 300_000);
  afterAll(() => server?.close());

  it.each(['tunit', 'nunit', 'mstest', 'xunit'])('of %s can be used in a filter as they are', async (name) => {
    const project = `${name}/${name}.csproj`;
    const { data }: Called = await server.project('Test', { project, noBuild: true });
    expect(data).toMatchObject({
      failed: 2,
      passed: 1,
      metadata: { selectedTestRunner: 'microsoft-testing-platform' },
    });
    expect(data.failedTests.toSorted()).toEqual(['Shop.Tests.T.Bad', 'Shop.Tests.T.Rows']);
    const filter = 'Shop.Tests.T.Rows';
    const one = await server.project('Test', { project, filter, noBuild: true });
    expect(one.data, one.text).toMatchObject({ failed: 1, total: 1, failedTests: [filter] });
    const part = await server.project('Test', { project, filter: 'FullyQualifiedName~Row', noBuild: true });
    expect(part.data, part.text).toMatchObject({ failed: 1, total: 1 });
  });

  it('go with the counts that the CLI prints, in every project', () => server.compareRest('Test'));
});
