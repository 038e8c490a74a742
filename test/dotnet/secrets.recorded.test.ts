import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERSIONS } from '../support/clients.js';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { makeWorkplace, removeWorkplace, type Workplace } from '../support/workplace.js';
import { connectSdk, recordCommands, type SdkConnection } from './connect-sdk.js';
import { CONSOLE, projectXml } from './sdk-server.js';

const VALUES = {
  'Api:Key': '--plain-words-of-mine',
  Quoted: 'a "quoted" \\ thing; with $(all)',
  Greeting: 'hello-you',
};
const SECRET_OUTPUT = 'hunter2-hunter2';
const PASSWORD = 'pass-word-of-the-file';

/** Prints a secret in the midst of more than a result shows. */
const PROGRAM = `for (var i = 0; i < 2000; i++) Console.WriteLine($"line {i} of many, many lines");
Console.WriteLine("Server=db;User Id=me;Password=${SECRET_OUTPUT};Encrypt=true");
Console.Error.WriteLine("Authorization: Bearer ${SECRET_OUTPUT}");
for (var i = 0; i < 500; i++) Console.WriteLine($"line {i} at the end");
`;

/** The stores of certificates of other platforms are the machine's, not the home's. */
const hasOwnStore = process.platform === 'linux';

describeRecorded('dotnet_dev_certs: what is secret stays so', () => {
  const project = 'app/App.csproj';
  let workplace: Workplace;
  let server: SdkConnection;
  let commands: ReturnType<typeof recordCommands>;
  const call = (action: string, args: object = {}) => server.call('dotnet_dev_certs', { action, ...args });
  const lockInfo = () => ({ lockScope: 'project', lockKey: join(workplace.folder, project) });

  beforeAll(async () => {
    const files = { 'app/App.csproj': projectXml(CONSOLE), 'app/Program.cs': PROGRAM };
    workplace = makeWorkplace(files, { Dotnet: { Enabled: true } });
    commands = recordCommands(workplace);
    server = await connectSdk(workplace, { env: commands.env });
  });
  afterAll(async () => {
    await server?.close();
    removeWorkplace(workplace);
  });

  /** The secrets of the project as the SDK keeps them. */
  function stored(): Record<string, string> {
    const folder = join(workplace.env.APPDATA!, 'Microsoft/UserSecrets');
    const [id] = readdirSync(folder);
    return JSON.parse(readFileSync(join(folder, id!, 'secrets.json'), 'utf8').replace(/^\uFEFF/, ''));
  }

  it('sends who has no secrets yet to SecretsInit, which does its work once', async () => {
    const early = await call('SecretsList', { project });
    expect(early.data.errors[0].recommendedAction).toMatchObject({
      toolName: 'dotnet_dev_certs',
      arguments: { action: 'SecretsInit', project },
    });
    expect(early.text).toContain('Hint: The project has no UserSecretsId yet: run SecretsInit first.');
    const init = await call('SecretsInit', { project });
    expect(init.data).toEqual({
      success: true,
      summary: 'User secrets initialised',
      userSecretsId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      note: expect.stringMatching(/^app\/App\.csproj, line 5: added <UserSecretsId>/),
      lockInfo: lockInfo(),
    });
    expect(readFileSync(join(workplace.folder, project), 'utf8')).toContain(init.data.userSecretsId);
    expect((await call('SecretsInit', { project })).data).toMatchObject({ success: true, changed: false });
  });

  it('saves values as they are, and shows them nowhere', async () => {
    for (const [key, value] of Object.entries(VALUES)) {
      const { data, text } = await call('SecretsSet', { project, key, value });
      expect(data).toEqual({ success: true, summary: `Secret '${key}' saved`, key, lockInfo: lockInfo() });
      expect(text).toBe(`Secret '${key}' saved\nExit Code: 0`);
    }
    expect(stored()).toEqual(VALUES);
    const listed = await call('SecretsList', { project });
    expect(listed.data.secrets).toHaveLength(3);
    for (const key of Object.keys(VALUES)) expect(listed.data.secrets).toContainEqual({ key, value: '[REDACTED]' });
    expect(listed.text).toContain('Greeting = [REDACTED]');
    const old = await call('SecretsList', { project, machineReadable: true });
    expect(JSON.parse(old.text).output).toContain('Greeting = [REDACTED]');
    for (const value of Object.values(VALUES)) {
      expect(commands.recorded().join('\n')).not.toContain(value);
      expect(server.errorOutput()).not.toContain(value);
      expect(server.errorOutput()).not.toContain(JSON.stringify(value).slice(1, -1));
    }
  });

  it('shows values without redaction only where the operator allows it', async () => {
    const refused = await call('SecretsList', { project, unsafeOutput: true });
    expect(refused.data.errors[0]).toMatchObject({
      code: 'CAPABILITY_NOT_AVAILABLE',
      mcpErrorCode: -32603,
      data: { additionalData: { feature: 'unsafeOutput' } },
    });
    const settings = { Dotnet: { Enabled: true }, Redaction: { AllowUnsafeOutput: true } };
    const open = await connectSdk(workplace, { settings });
    const list = (more: object) => open.call('dotnet_dev_certs', { action: 'SecretsList', project, ...more });
    const listed = await list({ unsafeOutput: true });
    expect(listed.data.secrets).toContainEqual({ key: 'Quoted', value: VALUES.Quoted });
    expect(listed.text).toContain(`Quoted = ${VALUES.Quoted}`);
    expect((await list({})).data.secrets).toContainEqual({ key: 'Quoted', value: '[REDACTED]' });
    await open.close();
  });

  it('removes a secret once, and all of them with force where the client cannot ask', async () => {
    expect((await call('SecretsRemove', { project, key: 'Quoted' })).data).toMatchObject({
      success: true,
      key: 'Quoted',
    });
    expect(stored()).not.toHaveProperty('Quoted');
    const again = await call('SecretsRemove', { project, key: 'Quoted' });
    expect(again.data).toMatchObject({ success: true, changed: false });
    expect(again.text).toBe("There is no secret 'Quoted'\nExit Code: 0");

    const refused = await call('SecretsClear', { project });
    expect(refused.data.errors[0].data.additionalData).toEqual({ parameter: 'force', reason: 'required for safety' });
    expect(Object.keys(stored())).toHaveLength(2);
    expect((await call('SecretsClear', { project, force: true })).data).toMatchObject({ success: true });
    expect(stored()).toEqual({});
  });

  it('redacts what a program prints, also in its whole output', async () => {
    const { data, text, links } = await server.call('dotnet_project', { action: 'Run', project });
    expect(data.exitCode).toBe(0);
    expect(text).toContain('Password=[REDACTED];Encrypt=true');
    expect(text).toContain('characters omitted');
    expect(links).toEqual([expect.stringMatching(/^mortise:\/\/outputs\//)]);
    const { contents } = await server.client.readResource({ uri: links[0]! });
    const whole = contents.map((content) => ('text' in content ? content.text : '')).join('');
    expect(whole).toContain('line 1000 of many');
    expect(whole).toContain('Authorization: Bearer [REDACTED]');
    expect(server.errorOutput()).not.toContain(SECRET_OUTPUT);
  });

  it.skipIf(!hasOwnStore)('checks, exports and cleans the certificate, and says that no key was written', async () => {
    const path = (name: string) => join(workplace.folder, name);
    const missing = await call('CertificateCheck');
    expect(missing.data).toMatchObject({ success: false, valid: false, errors: [{ code: 'EXIT_6' }], exitCode: 6 });
    expect(missing.data.errors[0].recommendedAction).toMatchObject({ arguments: { action: 'CertificateTrust' } });
    const bare = await call('CertificateExport', { path: 'bare.pem', format: 'PEM' });
    expect(bare.data).toMatchObject({ success: true, path: path('bare.pem'), format: 'pem', hasKey: false });
    expect(bare.text).toContain('no key was written');
    expect([existsSync(path('bare.pem')), existsSync(path('bare.key'))]).toEqual([true, false]);
    const open = await call('CertificateExport', { path: 'open.pem', format: 'pem', noPassword: true });
    expect(open.data).toMatchObject({ hasKey: true });
    expect(existsSync(path('open.key'))).toBe(true);
    const sealed = await call('CertificateExport', { path: 'sealed.pfx', password: PASSWORD });
    expect(sealed.data).toMatchObject({ format: 'pfx', hasKey: true, lockInfo: { lockScope: 'global' } });
    expect(server.errorOutput()).not.toContain(PASSWORD);

    expect((await call('CertificateCheck')).data).toEqual({ valid: true });
    const trust = await call('CertificateCheck', { trust: true });
    expect(trust.isError).toBe(true);
    expect(trust.data).toMatchObject({ valid: true, trusted: false, errors: [{ code: 'EXIT_7' }] });
    expect((await call('CertificateClean')).data.errors[0].code).toBe('INVALID_PARAMS');
    expect((await call('CertificateClean', { force: true })).data).toMatchObject({ success: true });
    expect((await call('CertificateCheck')).data).toMatchObject({ valid: false, errors: [{ code: 'EXIT_6' }] });
  });

  describe.each(VERSIONS)('a client of %s that can ask the user', (version) => {
    type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, boolean> };
    let asking: SdkConnection;
    let answer: Answer;
    let questions: string[];

    beforeAll(async () => {
      asking = await connectSdk(workplace, {
        version,
        env: commands.env,
        client: { capabilities: { elicitation: { form: {} } } },
        prepare: (client) =>
          client.setRequestHandler('elicitation/create', async ({ params }) => {
            questions.push(params.message);
            return answer;
          }),
      });
    });
    afterAll(() => asking?.close());

    it.each<[string, Answer]>([
      ['declines', { action: 'decline' }],
      ['cancels', { action: 'cancel' }],
      ['does not confirm', { action: 'accept', content: { confirmed: false } }],
    ])('destroys nothing when the user %s', async (_, input) => {
      answer = input;
      questions = [];
      const before = commands.recorded().length;
      const actions: [string, Record<string, unknown>][] = [
        ['dotnet_dev_certs', { action: 'SecretsClear', project, force: true }],
        ['dotnet_dev_certs', { action: 'CertificateClean' }],
        ['dotnet_ef', { action: 'DatabaseDrop', project }],
        ['dotnet_project', { action: 'Clean', project }],
        ['dotnet_solution', { action: 'Remove', solution: 'All.sln', projects: [project] }],
        ['dotnet_package', { action: 'Remove', packageId: 'Some.Package', project }],
        ['dotnet_package', { action: 'ClearCache', cacheType: 'temp' }],
        ['dotnet_sdk', { action: 'UninstallTemplatePack', templatePackage: 'Some.Pack' }],
        ['dotnet_workload', { action: 'Uninstall', workloadIds: ['wasm-tools'] }],
        ['dotnet_tool', { action: 'Uninstall', packageId: 'some-tool' }],
      ];
      for (const [tool, args] of actions) {
        const { isError, data, text } = await asking.call(tool, args);
        expect(isError).toBe(true);
        expect(data).toMatchObject({ success: false, exitCode: -1 });
        expect(data.errors[0]).toMatchObject({
          code: 'OPERATION_CANCELLED',
          category: 'Cancellation',
          mcpErrorCode: -32603,
        });
        expect(data.lockInfo).toBeUndefined();
        expect(text).toContain('Nothing was changed.');
      }
      expect(questions).toHaveLength(actions.length);
      expect(questions[0]).toBe(`Remove all user secrets of ${project}?`);
      expect(commands.recorded()).toHaveLength(before);
    });

    it('continues when the user confirms', async () => {
      await call('SecretsSet', { project, key: 'Once', value: VALUES.Greeting });
      answer = { action: 'accept', content: { confirmed: true } };
      questions = [];
      const { data } = await asking.call('dotnet_dev_certs', { action: 'SecretsClear', project });
      expect(data).toMatchObject({ success: true, summary: 'All secrets removed', lockInfo: lockInfo() });
      expect(questions).toHaveLength(1);
      expect(stored()).toEqual({});
    });
  });
});
