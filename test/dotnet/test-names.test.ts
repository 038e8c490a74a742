import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { type Called, projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const references = (...packages: string[]) =>
  `<ItemGroup>${packages
    .map((each) => each.split(' '))
    .map(([id, version]) => `<PackageReference Include="${id}" Version="${version}" />`)
    .join('')}</ItemGroup>`;

const FILES = {
  'x/x.csproj': projectXml(
    '',
    references('Microsoft.NET.Test.Sdk 18.0.1', 'xunit 2.9.3', 'xunit.runner.visualstudio 3.1.5'),
  ),
  'x/T.cs': `using Xunit; namespace Shop.Tests;
public class T(Xunit.Abstractions.ITestOutputHelper output)
{
  [Fact(Skip = "not yet")] public void Later() {}
  [Fact] public void Bad() { output.WriteLine("looked at row 7"); Assert.Equal(1, 2); }
  [Theory, InlineData(1)] public void Rows(int n) => Assert.Equal(0, n);
}`,
  'm/m.csproj': projectXml(
    '',
    references('Microsoft.NET.Test.Sdk 18.0.1', 'MSTest.TestFramework 4.5.2', 'MSTest.TestAdapter 4.5.2'),
  ),
  'm/T.cs': `using Microsoft.VisualStudio.TestTools.UnitTesting; namespace Shop.Tests;
[TestClass] public class T
{
  [TestMethod, Ignore("not yet")] public void Later() {}
  [TestMethod] public void Bad() { System.Console.WriteLine("looked at row 7"); Assert.AreEqual(1, 2); }
  [TestMethod, DataRow(1)] public void Rows(int n) => Assert.AreEqual(0, n);
}`,
};

describeWithSdk('names of tests', () => {
  let server: SdkServer;
  beforeAll(async () => {
    server = await startSdkServer(FILES);
  });
  afterAll(() => server?.close());

  it.each([
    ['xunit', 'x'],
    ['MSTest', 'm'],
  ])('of %s can be used in a filter as they are, with what was expected, the place and the output', async (_, name) => {
    const project = `${name}/${name}.csproj`;
    const { text, data }: Called = await server.project('Test', { project });
    expect(data).toMatchObject({ failed: 2, skipped: 1 });
    expect(data.failedTests.toSorted()).toEqual(['Shop.Tests.T.Bad', 'Shop.Tests.T.Rows']);
    expect(data.skippedTests).toEqual([{ testName: 'Shop.Tests.T.Later', reason: 'not yet' }]);
    const bad = data.firstFailures.find(({ testName }: { testName: string }) => testName === 'Shop.Tests.T.Bad');
    const file = join(server.workplace.folder, name, 'T.cs');
    expect(bad).toMatchObject({ expected: '1', actual: '2', file, line: 5, output: 'looked at row 7' });
    expect(bad.stackTrace.split('\n')).toHaveLength(1);
    expect(text).toMatch(
      /^Error: 2 of 3 tests failed: Shop\.Tests\.T\.(?:Bad, Shop\.Tests\.T\.Rows|Rows, Shop\.Tests\.T\.Bad)\n/,
    );
    expect(text).toContain('0 passed, 2 failed, 1 skipped (Shop.Tests.T.Later: not yet).');
    expect(text).toContain('looked at row 7');
    for (const filter of data.failedTests) {
      const one = await server.project('Test', { project, filter, noBuild: true });
      expect(one.data).toMatchObject({ failed: 1, total: 1, failedTests: [filter] });
    }
  });
});
