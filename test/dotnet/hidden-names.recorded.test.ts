import { expect, it } from 'vitest';
import { ask, type Reply } from '../access/three-keys.js';
import { shared, startHttp } from '../support/clients.js';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { createWorkplace, linkContract } from '../support/workplace.js';
import { CONSOLE, projectXml, sdkEnvironment } from './sdk-server.js';

/** What our texts say to a principal that does not see all of our tools (docs/spec/access.md#mentions). */

const KEYS = { all: 'a'.repeat(32), some: 's'.repeat(32), help: 'h'.repeat(32) };
const HIDDEN = /dotnet_(?:package|ef|workload|tool|sdk|dev_certs|help|server_capabilities)\b/;
const SETTINGS = {
  Plugins: { Directory: 'plugins' },
  Dotnet: { Enabled: true },
  Profiles: {
    some: {
      Include: ['dotnet_project', 'dotnet_solution', 'dotnet_server_*', '*_*app*', 'add_package_and_restore', 'r'],
      Exclude: ['dotnet_server_capabilities'],
      Actions: { dotnet_project: ['Build', 'Test', 'GetProperty', 'Run'] },
    },
    help: { Include: ['dotnet_help'] },
  },
  Auth: {
    Keys: [
      { Name: 'all', Key: KEYS.all },
      { Name: 'some', Key: KEYS.some, Profile: 'some' },
      { Name: 'help', Key: KEYS.help, Profile: 'help' },
    ],
  },
};
/** A plugin of someone else recommends a call as data, and names the tool in its own words. */
const PLUGIN = `import { fail } from '@mortise/plugin';
export const register = (api) => api.registerTool({
  name: 'r', title: 'T', description: 'Not dotnet_package', inputSchema: { type: 'object' },
  run: () => fail('no', { errors: [{ code: 'X', message: 'no', hint: 'See the packages.', recommendedAction:
    { actionKind: 'CallTool', description: 'List.', toolName: 'dotnet_package', arguments: { action: 'List' } } }] }) });`;

const FILES = {
  'plugins/r.mjs': PLUGIN,
  'App/App.csproj': projectXml(
    CONSOLE,
    '<ItemGroup><PackageReference Include="No.Such.Package" Version="1.0.0" /></ItemGroup>',
  ),
  'App/Program.cs': 'System.Console.WriteLine();',
  'Ok/Ok.csproj': projectXml(CONSOLE),
  'Ok/Program.cs': 'System.Console.WriteLine("ok");',
  'nuget.config': '<configuration><packageSources><clear /></packageSources></configuration>',
};

describeRecorded('hidden tools and actions', () => {
  const url = shared(async (finished) => {
    const workplace = createWorkplace(FILES, SETTINGS, finished);
    linkContract(workplace);
    const env = sdkEnvironment(workplace);
    return (await startHttp({ ...workplace, env }, [], finished)).url;
  });
  const call = (key: string, name: string, args: object = {}): Promise<Reply> =>
    ask(url(), key, 'tools/call', { name, arguments: args });
  const errorsOf = ({ body }: Reply) => body.result.structuredContent.errors as Record<string, unknown>[];

  it('are not in recommended actions, and nothing else of the error is lost', async () => {
    const args = { action: 'Build', project: 'App/App.csproj' };
    const [full, seen] = [await call(KEYS.all, 'dotnet_project', args), await call(KEYS.some, 'dotnet_project', args)];
    expect(full.text).toMatch(HIDDEN);
    expect(JSON.stringify(errorsOf(full))).toContain('"toolName":"dotnet_package"');
    // The free text of its hints may name a tool that the caller cannot call.
    expect(seen.text).not.toContain('"toolName":"dotnet_package"');
    expect(seen.text).not.toContain('recommendedAction');
    expect(seen.text).not.toContain('Next: dotnet_package');
    expect(errorsOf(seen).map(({ code, message }) => [code, message])).toEqual(
      errorsOf(full).map(({ code, message }) => [code, message]),
    );
  });

  it('are not in the recommended action of a plugin; its words are its own', async () => {
    expect((await call(KEYS.all, 'r')).text).toContain('recommendedAction');
    const { text } = await call(KEYS.some, 'r');
    expect(text).not.toContain('dotnet_package');
    expect(text).toContain('See the packages.');
    const list = await ask(url(), KEYS.some, 'tools/list');
    expect(list.text).toContain('Not dotnet_package');
  });

  it('are not suggested for a wrong action or a wrong name', async () => {
    const replies = [
      await call(KEYS.some, 'dotnet_project', { action: 'Publis' }),
      await call(KEYS.some, 'dotnet_project', { action: 'ListSources' }),
      await call(KEYS.some, 'dotnet_project', { action: 'Stop', sessionId: 'x' }),
      await call(KEYS.some, 'dotnet_packag'),
      await ask(url(), KEYS.some, 'prompts/get', { name: 'new_webapi_with_e' }),
    ];
    for (const { text } of replies) {
      expect(text).not.toMatch(HIDDEN);
      expect(text).not.toMatch(/Publish|Watch|ListSessions|new_webapi_with_ef/);
    }
    expect((await call(KEYS.all, 'dotnet_packag')).text).toContain('dotnet_package');
  });

  it('are not in descriptions, in what the server says of itself, and in its counts', async () => {
    await call(KEYS.all, 'dotnet_sdk', { action: 'Version' });
    const list = await ask(url(), KEYS.some, 'tools/list');
    const project = list.body.result.tools.find(({ name }: { name: string }) => name === 'dotnet_project');
    expect(project.description).toBe('.NET Project. The actions: Build, Run, Test, GetProperty.');
    const info = await call(KEYS.some, 'dotnet_server_info');
    expect(info.body.result.structuredContent.tools).toEqual([
      'dotnet_project',
      'dotnet_solution',
      'dotnet_server_info',
      'dotnet_server_metrics',
    ]);
    expect(info.text).toContain('Tools: dotnet_project, dotnet_solution, dotnet_server_info, dotnet_server_metrics');
    expect(info.text).toContain('Documentation of errors');
    expect(info.text).not.toMatch(/Logs, Stop/);
    const metrics = await call(KEYS.some, 'dotnet_server_metrics', { action: 'Get' });
    expect(Object.keys(metrics.body.result.structuredContent.toolMetrics)).toContain('dotnet_project');
    for (const { text } of [info, metrics]) expect(text).not.toMatch(HIDDEN);
    expect((await call(KEYS.all, 'dotnet_server_info')).text).toContain('Logs, Stop and ListSessions');
  });

  it('are not steps of a prompt, and the steps that are left are numbered', async () => {
    const get = (key: string) =>
      ask(url(), key, 'prompts/get', { name: 'new_console_app', arguments: { projectName: 'A' } });
    expect((await get(KEYS.all)).text).toContain('3. Run it');
    const { text } = await get(KEYS.some);
    expect(text).not.toContain('"New');
    expect(text).toContain('1. Build it');
    expect(text).toContain('2. Run it');
    const add = await ask(url(), KEYS.some, 'prompts/get', {
      name: 'add_package_and_restore',
      arguments: { packageId: 'P' },
    });
    expect(add.text).not.toMatch(/dotnet_package|Restore:/);
  });

  it('do not touch what a command prints', async () => {
    const reply = await call(KEYS.some, 'dotnet_project', { action: 'Run', project: 'Ok/Ok.csproj' });
    expect(reply.text).toContain('ok');
    expect(reply.body.result.isError).toBeUndefined();
  });
});
