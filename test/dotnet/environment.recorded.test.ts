import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { makeWorkplace, removeWorkplace, type Workplace } from '../support/workplace.js';
import { connectSdk, recordCommands, type SdkConnection } from './connect-sdk.js';
import { CONSOLE, projectXml } from './sdk-server.js';

/** Prints its variables plainly, and in the forms that logs and URLs have. */
const PROGRAM = `using System.Text.Json;
string Of(string name) => Environment.GetEnvironmentVariable(name) ?? "(none)";
foreach (var name in args) {
  Console.WriteLine($"value of {name} is <{Of(name)}>");
  Console.WriteLine("as JSON " + JsonSerializer.Serialize(new { said = Of(name) }));
  Console.Error.WriteLine("as URL http://host/?q=" + Uri.EscapeDataString(Of(name)));
  Console.Error.WriteLine("as Base64 " + Convert.ToBase64String(System.Text.Encoding.UTF8.GetBytes(Of(name))));
}
Console.WriteLine("end of output");
Console.Out.Flush();
if (args.Length > 0 && args[^1] == "FAIL") throw new Exception("cannot log in with " + Of(args[0]));
if (args.Length > 0 && args[^1] == "STAY") Thread.Sleep(-1);
`;

const SECRET = 'blå "quoted" & häst+1';
const PROFILE = { commandName: 'Project', environmentVariables: { APP_MODE: 'Development', DB_PASSWORD: 'none' } };
/** Forms of the secret that must not be in anything that the server writes. */
const FORMS = ['häst', 'h\\u00E4st', 'h%C3%A4st', Buffer.from(SECRET).toString('base64'), 'hunter-three', 'plain7'];

describeRecorded('environment', () => {
  let workplace: Workplace;
  let server: SdkConnection;
  let commands: ReturnType<typeof recordCommands>;
  const project = 'app/app.csproj';
  const call = (action: string, args: object) => server.call('dotnet_project', { action, project, ...args });

  beforeAll(async () => {
    const files = {
      [project]: projectXml(CONSOLE),
      'app/Program.cs': PROGRAM,
      'tests/tests.csproj': projectXml(
        '<IsTestProject>true</IsTestProject>',
        `<Target Name="Say" BeforeTargets="VSTest">
          <Error Code="SAID1" Text="greeting is $(GREETING), secret is $(APP_SECRET)" />
        </Target>`,
      ),
      'app/Properties/launchSettings.json': JSON.stringify({ profiles: { app: PROFILE } }),
    };
    workplace = makeWorkplace(files, { Dotnet: { Enabled: true } });
    commands = recordCommands(workplace);
    server = await connectSdk(workplace, { env: commands.env });
  });
  afterAll(async () => {
    const errorOutput = server?.errorOutput() ?? '';
    await server?.close();
    removeWorkplace(workplace);
    for (const form of FORMS) expect(errorOutput).not.toContain(form);
  });

  it('reaches the program, over its launch profile too, and what is not a secret is shown', async () => {
    const environment = { GREETING: 'hello there', APP_MODE: 'Production', COUNT: 7 };
    const { text, data } = await call('Run', { environment, appArgs: ['GREETING', 'APP_MODE', 'COUNT'] });
    expect(data.success, text).toBe(true);
    expect(text).toContain('value of GREETING is <hello there>');
    expect(text).toContain('value of APP_MODE is <Production>');
    expect(text).toContain('value of COUNT is <7>');
  });

  it('shows secrets nowhere, in no form, whatever they look like', async () => {
    const environment = {
      APP_SECRET: SECRET,
      ConnectionStrings__Db: 'Server=db;Database=shop;Password=hunter-three',
      SHORT_TOKEN: 'plain7',
    };
    const names = Object.keys(environment);
    const run = await call('Run', { environment, noBuild: true, appArgs: names });
    expect(run.data.success, run.text).toBe(true);
    expect(run.text).toContain('value of APP_SECRET is <[REDACTED]>');
    expect(run.text).toContain('value of SHORT_TOKEN is <[REDACTED]>');
    expect(run.data.stderr).toContain('as Base64 [REDACTED]');
    const failed = await call('Run', { environment, noBuild: true, appArgs: [...names, 'FAIL'] });
    expect(failed.isError).toBe(true);
    const quoted = await call('Run', { environment, noBuild: true, appArgs: ['hunter-three', 'FAIL'] });
    expect(quoted.text).toContain('[REDACTED]');
    expect(JSON.stringify([run, failed, quoted])).toContain('end of output');
    for (const line of commands.recorded()) expect(line).not.toContain('häst');
  });

  it('reaches a test run', async () => {
    const environment = { GREETING: 'hello there', APP_SECRET: SECRET };
    const { text } = await call('Test', { project: 'tests/tests.csproj', environment });
    expect(text).toContain('error SAID1: greeting is hello there, secret is [REDACTED]');
  });

  it.each(['DOTNET_CLI_UI_LANGUAGE', 'no_color', 'MSBUILDTERMINALLOGGER', 'DOTNET_NOLOGO', 'MSBUILDNODEHANDSHAKESALT'])(
    'refuses %s, which our own runs set',
    async (name) => {
      for (const action of ['Run', 'Test']) {
        const { data } = await call(action, { environment: { [name]: 'some-value' } });
        expect(data.errors[0]).toMatchObject({
          code: 'INVALID_PARAMS',
          message: `Parameter 'environment' must not set ${name}`,
          data: { additionalData: { parameter: 'environment', reason: 'invalid value', providedValue: name } },
        });
      }
    },
  );

  it.each(['A=B', '', 'A B', 'A\nB'])('refuses %j as a name', async (name) => {
    const { data } = await call('Run', { environment: { [name]: 'x' } });
    expect(data.errors[0]).toMatchObject({
      code: 'INVALID_PARAMS',
      data: { additionalData: { parameter: 'environment' } },
    });
  });
});
