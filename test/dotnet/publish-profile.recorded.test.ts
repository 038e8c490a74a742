import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { CONSOLE, projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const PROFILE = '<Project><PropertyGroup><PublishDir>to-folder/</PublishDir></PropertyGroup></Project>';

describeRecorded('a publish profile that is not there', () => {
  let server: SdkServer;
  beforeAll(async () => {
    server = await startSdkServer({
      'app/app.csproj': projectXml(CONSOLE),
      'app/Program.cs': 'Console.WriteLine();',
      'app/Properties/PublishProfiles/ToFolder.pubxml': PROFILE,
      'app/Properties/PublishProfiles/Cloud.pubxml': PROFILE,
    });
  });
  afterAll(() => server.close());

  it('is named with the nearest one, which the next action publishes with, and all that there are', async () => {
    const project = 'app/app.csproj';
    const args = { project, configuration: 'Release', properties: { PublishProfile: 'ToFoldr', DebugType: 'none' } };
    const published = await server.project('Publish', args);
    const { recommendedAction } = published.data;
    expect(recommendedAction).toEqual({
      actionKind: 'CallTool',
      description: 'The publish profiles of the project are Cloud, ToFolder.',
      toolName: 'dotnet_project',
      arguments: { ...args, action: 'Publish', properties: { PublishProfile: 'ToFolder', DebugType: 'none' } },
    });
    expect(published.text).toContain('warning NETSDK1198: ');
    expect(published.text).toContain(`${recommendedAction.description}\nNext: dotnet_project {`);
    const again = await server.project('Publish', recommendedAction.arguments);
    expect(again.data, again.text).toMatchObject({ success: true, warningCount: 0 });
    expect(again.text).toMatch(/\nOutput: .*to-folder\/? \(\d+ files, [\d.]+ [KM]B\)\n/);
    expect(again.data).not.toHaveProperty('recommendedAction');
  });

  it('is no error where warnings are errors, and has the same next action', async () => {
    const args = { project: 'app/app.csproj', properties: { PublishProfile: 'Clowd', TreatWarningsAsErrors: true } };
    const published = await server.project('Publish', args);
    expect(published.isError, published.text).toBe(false);
    expect(published.data.recommendedAction.arguments.properties).toEqual({
      ...args.properties,
      PublishProfile: 'Cloud',
    });
  });
});
