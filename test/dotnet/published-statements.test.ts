import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRaw, type Raw, type RawStdio } from '../support/raw-stdio.js';
import { removeWorkplace } from '../support/workplace.js';
import { EXTENSION, WITH_TASKS } from '../task-server.js';
import { makeScriptedDotnet, type Printed, type ScriptedDotnet } from './scripted-dotnet.js';

/** Class tools and a registered tool, as the published plugin API has them. */
const PLUGIN = `
export class Logs {
  name = 'logs';
  description = 'd';
  inputSchema = { type: 'object' };
  constructor(context) { this.context = context; }
  async executeAsync() {
    this.context.logger.error('during the call');
    setTimeout(() => this.context.logger.error('after the call'), 20);
    return 'logged';
  }
}
export class Fails {
  name = 'fails';
  description = 'd';
  inputSchema = { type: 'object', properties: { error: {} } };
  async executeAsync({ error }) { return { error }; }
}
export class Measures {
  name = 'measures';
  description = 'd';
  inputSchema = { type: 'object' };
  async executeAsync() { return { content: 'fine', metadata: { temperature: 29, at: { city: 'Ulm' }, unit: 'C' } }; }
}
`;

const MTP = { test: { runner: 'Microsoft.Testing.Platform' } };
const TEST = { action: 'Test', project: 'MyTests.csproj' };

/** Statements of the published documents that have no example, and what this server decides otherwise. */
describe('a client that is written against the published documents', () => {
  let dotnet: ScriptedDotnet;
  let session: RawStdio;
  let stateless: RawStdio;
  beforeAll(async () => {
    dotnet = makeScriptedDotnet({ 'plugins/p.mjs': PLUGIN, 'global.json': JSON.stringify(MTP) });
    const workplace = { ...dotnet.workplace, env: dotnet.env };
    // It can be asked nothing, so no call waits for it.
    session = await openRaw(workplace, '2025-11-25', {});
    stateless = await openRaw(workplace, '2026-07-28');
  });
  afterAll(async () => {
    await Promise.all([session?.close(), stateless?.close()]);
    removeWorkplace(dotnet.workplace);
  });

  async function call(name: string, args: object, printed: Printed = {}): Promise<Raw> {
    dotnet.print(printed);
    return (await session.request('tools/call', { name, arguments: args })).result;
  }
  const v1 = async (...[name, args, printed]: Parameters<typeof call>) =>
    JSON.parse((await call(name, { ...args, machineReadable: true }, printed)).content[0].text);
  const firstError = async (...args: Parameters<typeof call>) => (await call(...args)).structuredContent.errors[0];

  it.each([
    ['--a;b', 'invalid characters', 'contains invalid characters', "Put ';' into quotes"],
    ['abc\\', 'invalid format', 'ends with a backslash', 'Write \\\\ for a backslash'],
    ['"abc', 'invalid format', 'has an unclosed "', 'Close the "'],
  ])(
    'hears in whole sentences what is wrong with the arguments %s',
    async (additionalOptions, reason, what, remedy) => {
      expect(
        await firstError('dotnet_project', { action: 'New', template: 'console', additionalOptions }),
      ).toMatchObject({
        message: `Parameter 'additionalOptions' ${what}`,
        hint: `Verify the parameter values and try again. ${remedy}, or give the arguments as an array of strings.`,
        data: { additionalData: { parameter: 'additionalOptions', reason } },
      });
    },
  );

  it.each(['Test run passed', 'Test Run Successful.'])('sees a run without counts pass: %s', async (stdout) => {
    const { isError, structuredContent } = await call('dotnet_project', TEST, { stdout });
    expect(isError).toBeUndefined();
    expect(structuredContent).toMatchObject({ success: true, summary: 'Test run succeeded.' });
    for (const count of ['passed', 'failed', 'skipped', 'total']) expect(structuredContent).not.toHaveProperty(count);
  });

  it('sees a run of restore and build lines alone fail', async () => {
    expect(
      await firstError('dotnet_project', TEST, { stdout: '  All projects are up-to-date for restore.' }),
    ).toMatchObject({ code: 'NO_TESTS_RAN' });
  });

  it('reads one error where both streams have it, whichever comes first', async () => {
    const line = 'MSBUILD : error MSB1001: Unknown switch.';
    const both = [`${line}\nSwitch: --project\n`, `${line}\n`];
    for (const [stdout, stderr] of [both, both.toReversed()]) {
      const { structuredContent } = await call('dotnet_project', TEST, {
        stdout: stdout!,
        stderr: stderr!,
        exitCode: 1,
      });
      expect(structuredContent.errors).toMatchObject([
        { code: 'MSB1001', message: 'Unknown switch.\nSwitch: --project' },
      ]);
      expect(structuredContent).not.toHaveProperty('codes');
    }
  });

  it('is told that a certificate is missing, or not trusted, and what to call', async () => {
    const check = { action: 'CertificateCheck' };
    const missing = { stdout: 'No valid certificate found.', exitCode: 6 };
    expect(await v1('dotnet_dev_certs', check, missing)).toMatchObject({
      success: false,
      errors: [{ code: 'EXIT_6', message: 'No valid certificate found.', hint: expect.stringMatching(/^Create /) }],
      exitCode: 6,
    });
    const { structuredContent } = await call('dotnet_dev_certs', check, missing);
    expect(structuredContent).toMatchObject({
      valid: false,
      errors: [{ recommendedAction: { toolName: 'dotnet_dev_certs', arguments: { action: 'CertificateTrust' } } }],
    });
    const untrusted = await call('dotnet_dev_certs', { ...check, trust: true }, { stdout: 'Not trusted', exitCode: 7 });
    expect(untrusted.structuredContent).toMatchObject({ valid: true, trusted: false, errors: [{ code: 'EXIT_7' }] });
    const valid = await call('dotnet_dev_certs', check, { stdout: 'A valid certificate was found.' });
    expect(valid.structuredContent).toEqual({ valid: true });
  });

  it.each(['CS1001', 'CS1513', 'NETSDK1045', 'CS0103'])('takes %s for no error of its arguments', async (code) => {
    const stdout = `/x/A.cs(1,2): error ${code}: Wrong [/x/A.csproj]\n`;
    const error = await firstError('dotnet_project', { action: 'Build' }, { stdout, exitCode: 1 });
    expect(error).toMatchObject({ code });
    expect(error).not.toHaveProperty('mcpErrorCode');
  });

  it('may send null for what it leaves out, and for nothing else', async () => {
    const absent = { configuration: null, properties: null, timeoutSeconds: null, machineReadable: null };
    const built = await call('dotnet_project', { action: 'Build', ...absent }, { stdout: 'Build succeeded.\n' });
    expect(built.structuredContent).toMatchObject({ success: true });
    expect(built.content[0].text).toBe('Build succeeded.\nExit Code: 0');
    const listed = await call('builtin_plugins', { action: 'Status', plugin: null });
    expect(listed.isError).toBeUndefined();
    for (const args of [{ action: null }, { action: 'Build', nothing: null }])
      expect(await firstError('dotnet_project', args)).toMatchObject({ code: 'INVALID_PARAMS' });
  });

  it.each([
    ['Add', 'packageName', 'packageId'],
    ['Search', 'searchText', 'searchTerm'],
    ['Search', 'packageid', undefined],
  ])('is led from %s %s to a parameter that the action takes', async (action, wrong, right) => {
    const { structuredContent } = await call('dotnet_package', { action, [wrong]: 'x' });
    const unknown = structuredContent.errors.find(({ message }: Raw) => message.includes(`'${wrong}' is not known`));
    expect(unknown.message.split(' is not known')[1]).toBe(right === undefined ? '' : `. Did you mean '${right}'?`);
  });

  it('is named no action that is not listed', async () => {
    const { tools } = (await session.request('tools/list')).result;
    const { inputSchema } = tools.find(({ name }: Raw) => name === 'builtin_plugins');
    const { message, data } = await firstError('builtin_plugins', { action: 'x' });
    const listed = inputSchema.properties.action.enum.join(', ');
    expect(message).toBe(`Invalid action 'x' is not supported. Allowed values: ${listed}`);
    expect(data.additionalData.validActions).toBe(listed);
    expect((await call('builtin_plugins', { action: 'Reload' })).isError).toBeUndefined();
  });

  it('gets metadata as strings in the text, and as it is beside it', async () => {
    const { content, structuredContent } = await call('measures', { machineReadable: true });
    expect(JSON.parse(content[0].text)).toEqual({
      success: true,
      output: 'fine',
      exitCode: 0,
      metadata: { temperature: '29', at: '{"city":"Ulm"}', unit: 'C' },
    });
    expect(structuredContent.metadata).toEqual({ temperature: 29, at: { city: 'Ulm' }, unit: 'C' });
  });

  it.each([
    [true, 'true'],
    ['x', 'x'],
    [{ code: 4 }, '{"code":4}'],
  ])('reads what a plugin called an error in rawOutput: %j', async (error, rawOutput) => {
    expect(await firstError('fails', { error })).toMatchObject({ code: 'TOOL_ERROR', message: rawOutput, rawOutput });
  });

  it('hears what the logger of a class says, during a call and after it', async () => {
    await session.request('logging/setLevel', { level: 'debug' });
    await call('logs', {});
    for (const text of ['during the call', 'after the call']) {
      const { params } = await session.find(({ params }) => JSON.stringify(params?.data ?? '').includes(text));
      expect(params).toMatchObject({ level: 'error', logger: 'p/Logs' });
    }
  });

  it('is told that it gets tasks exactly if it declares them', async () => {
    const supports = async (capabilities: object) => {
      const _meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities };
      const answer = await stateless.request('tools/call', {
        name: 'dotnet_server_capabilities',
        arguments: {},
        _meta,
      });
      return answer.result.structuredContent.supports.asyncTasks;
    };
    expect(WITH_TASKS.extensions).toHaveProperty([EXTENSION]);
    expect([await supports(WITH_TASKS), await supports({})]).toEqual([true, false]);
  });
});
