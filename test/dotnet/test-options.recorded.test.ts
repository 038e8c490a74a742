import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const REFERENCES = `<ItemGroup>
    <PackageReference Include="Microsoft.NET.Test.Sdk" Version="18.0.1" />
    <PackageReference Include="xunit" Version="2.9.3" />
    <PackageReference Include="xunit.runner.visualstudio" Version="3.1.5" />
    <PackageReference Include="coverlet.collector" Version="6.0.4" />
    <ProjectReference Include="../lib/lib.csproj" />
  </ItemGroup>`;

const FILES = {
  'lib/lib.csproj': projectXml(),
  'lib/Calc.cs': `public static class Calc
{
    public static int Pick(bool first)
    {
        if (first) return 1;
        return 2;
    }
}
`,
  'lib/Unused.cs': 'public static class Unused { public static int Three() => 3; }',
  't/t.csproj': projectXml('', REFERENCES),
  't/T.cs': `using Xunit;
public class T
{
  [Fact] public void Picks() => Assert.Equal(1, Calc.Pick(true));
  [Fact] public void Flag() => Assert.Null(System.Environment.GetEnvironmentVariable("FROM_SETTINGS"));
  [Fact] public void Hangs() { if (System.Environment.GetEnvironmentVariable("HANG") == "1") System.Threading.Thread.Sleep(600_000); }
}
`,
  'flag.runsettings': `<RunSettings><RunConfiguration><EnvironmentVariables>
    <FROM_SETTINGS>yes</FROM_SETTINGS></EnvironmentVariables></RunConfiguration></RunSettings>`,
};

describeRecorded('Test with coverage, a settings file, and a limit for hanging tests', () => {
  let server: SdkServer;
  const test = (args: object = {}) => server.project('Test', { project: 't/t.csproj', ...args });
  beforeAll(async () => {
    server = await startSdkServer(FILES);
  });
  afterAll(() => server.close());

  it('sums up the coverage that was collected', async () => {
    const { data, text, isError } = await test({ collect: 'XPlat Code Coverage' });
    expect({ isError, data }).toMatchObject({ isError: false, data: { passed: 3, reports: [{ kind: 'coverage' }] } });
    const { coverage } = data;
    expect(coverage).toEqual({
      lines: { covered: 3, total: 5, percent: 60 },
      branches: { covered: 1, total: 2, percent: 50 },
      files: [
        { file: expect.stringMatching(/lib\/Unused\.cs$/), lines: { covered: 0, total: 1, percent: 0 } },
        {
          file: expect.stringMatching(/lib\/Calc\.cs$/),
          lines: { covered: 3, total: 4, percent: 75 },
          branches: { covered: 1, total: 2, percent: 50 },
        },
      ],
    });
    expect(text).toContain('\nCoverage: 60% of lines (3/5), 50% of branches (1/2)\n');
    // A failed test leaves the same reports: its text names them too.
    const failed = await test({ collect: 'XPlat Code Coverage', noBuild: true, environment: { FROM_SETTINGS: 'yes' } });
    expect(failed.data).toMatchObject({ failed: 1, coverage, reports: [{ kind: 'coverage' }] });
    expect(failed.text).toContain(`\nReport (coverage): ${failed.data.reports[0].path}\n`);
    expect(failed.text).toContain('\nCoverage: 60% of lines (3/5)');
    expect(text).toMatch(/^ {2}\S*Unused\.cs: 0% of lines \(0\/1\)$/m);
  });

  it('uses the settings file, and says that there is none', async () => {
    const { data } = await test({ noBuild: true, settings: 'flag.runsettings' });
    expect(data).toMatchObject({ success: false, failed: 1, passed: 2 });
    expect(data.errors[0].data.command).toContain('--settings flag.runsettings');
    expect(data).not.toHaveProperty('coverage');
    const missing = await test({ settings: 'none.runsettings' });
    expect(missing.data.errors[0]).toMatchObject({
      code: 'INVALID_PARAMS',
      data: { additionalData: { parameter: 'settings', reason: 'not found' } },
    });
  });

  it('names the test that was running when the time was over, and no file of the server', async () => {
    const { data, text } = await test({ noBuild: true, timeoutSeconds: 12, environment: { HANG: '1' } });
    const [error] = data.errors;
    expect(error).toMatchObject({
      code: 'OPERATION_TIMEOUT',
      hint: expect.stringContaining('The test T.Hangs was running.'),
      recommendedAction: { description: expect.stringContaining('T.Hangs') },
    });
    expect(text).not.toContain('Logging Vstest Diagnostics');
  });

  it('names the test that hangs', async () => {
    const { data, text, isError } = await test({
      ...{ noBuild: true, blameHangSeconds: 8, environment: { HANG: '1' } },
    });
    expect(isError).toBe(true);
    expect(text).toMatch(/^Error: Test run failed\. T\.Hangs did not end within 8 seconds, so the run was ended$/m);
    expect(data.errors[0].message).toBe('T.Hangs did not end within 8 seconds, so the run was ended');
    expect(data.errors[0].data.command).toContain('--blame-hang --blame-hang-timeout 8s --blame-hang-dump-type none');
  });
});
