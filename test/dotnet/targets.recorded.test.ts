import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

describeRecorded('what a call is about, named or found in its folder', () => {
  let server: SdkServer;
  const at = (path: string) => join(server.workplace.folder, path);
  beforeAll(async () => {
    server = await startSdkServer({
      'app/-odd.csproj': projectXml(),
      'two/One.csproj': projectXml(),
      'two/Two.csproj': projectXml(),
      'all/All.slnx': '<Solution><Project Path="../app/-odd.csproj" /></Solution>',
      'all/Part.slnf': '{}',
    });
  });
  afterAll(() => server.close());

  it.each(['Analyze', 'Dependencies', 'Validate'])('%s takes project, and projectPath as before', async (action) => {
    for (const parameter of ['project', 'projectPath']) {
      const { data } = await server.project(action, { [parameter]: 'two/One.csproj' });
      expect(data).toMatchObject({ success: true, projectPath: at('two/One.csproj') });
    }
    const both = await server.project(action, { project: 'two/One.csproj', projectPath: 'two/Two.csproj' });
    expect(both.data.errors[0].data.additionalData).toMatchObject({ parameter: 'projectPath', reason: 'conflict' });
    const same = await server.project(action, { project: 'two/One.csproj', projectPath: 'two/One.csproj' });
    expect(same.data).toMatchObject({ projectPath: at('two/One.csproj') });
  });

  it.each([
    ['Analyze', {}],
    ['Validate', {}],
    ['Dependencies', {}],
    ['GetProperty', { propertyName: 'TargetFramework' }],
    ['ListItems', { itemType: 'None' }],
    ['SetProperty', { propertyName: 'Version', propertyValue: '1.0.0' }],
    ['RemoveProperty', { propertyName: 'Version' }],
    ['AddItem', { itemType: 'None', include: 'a.txt' }],
    ['RemoveItem', { itemType: 'None', include: 'a.txt' }],
  ])('%s finds the only project of its folder, whatever its name', async (action, args) => {
    const { data } = await server.project(action, { ...args, workingDirectory: at('app') });
    expect(data).toMatchObject({ success: true, projectPath: at('app/-odd.csproj') });
    if (action === 'SetProperty') expect(data.lockInfo.lockKey).toBe(at('app/-odd.csproj'));
  });

  it('names the candidates where there are several, or none in the folder itself', async () => {
    const several = await server.project('GetProperty', { propertyName: 'A', workingDirectory: at('two') });
    expect(several.data.errors[0]).toMatchObject({
      code: 'INVALID_PARAMS',
      message: `Parameter 'project' is required and cannot be empty: the folder ${at('two')} contains 2 projects`,
      alternatives: ['One.csproj', 'Two.csproj'],
      data: { additionalData: { parameter: 'project', reason: 'required' } },
    });
    const none = await server.project('Analyze');
    expect(none.data.errors[0]).toMatchObject({
      hint: 'Give project (or projectPath), or a workingDirectory that contains exactly one.',
      alternatives: ['app/-odd.csproj', 'two/One.csproj', 'two/Two.csproj'],
    });
    expect(none.text).toContain('app/-odd.csproj');
  });

  it.each([
    ['List', {}],
    ['Analyze', {}],
    ['Dependencies', {}],
    ['Validate', {}],
    ['Add', { projects: ['../two/One.csproj'] }],
    ['Remove', { projects: ['../two/One.csproj'] }],
  ])('dotnet_solution %s finds the only solution of its folder', async (action, args) => {
    const called = await server.call('dotnet_solution', { action, ...args, workingDirectory: at('all') });
    expect(called.isError, called.text).toBe(false);
    const other = await server.call('dotnet_solution', { action, ...args, workingDirectory: at('app') });
    expect(other.data.errors[0]).toMatchObject({
      code: 'INVALID_PARAMS',
      data: { additionalData: { parameter: 'solution', reason: 'required' } },
    });
  });

  it('finds the project of references too', async () => {
    const args = { referencePath: '../two/One.csproj', workingDirectory: at('app') };
    const added = await server.call('dotnet_package', { action: 'AddReference', ...args });
    expect(added.isError, added.text).toBe(false);
    const removed = await server.call('dotnet_package', { action: 'RemoveReference', ...args });
    expect(removed.isError, removed.text).toBe(false);
  });
});
