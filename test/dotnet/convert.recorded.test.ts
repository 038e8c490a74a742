import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const SOURCE = '#:property LangVersion=preview\nConsole.WriteLine();\n';

describeRecorded('dotnet_project Convert', () => {
  let server: SdkServer;
  beforeAll(async () => {
    server = await startSdkServer({
      'app.cs': SOURCE,
      'bad.cs': '#:foo bar\nConsole.WriteLine();\n',
      'sub/tool.cs': SOURCE,
      'All.slnx': '<Solution><Project Path="Lib/Lib.csproj" /></Solution>',
      'Lib/Lib.csproj': projectXml(),
    });
  });
  afterAll(() => server.close());

  it('says with dryRun what it would make, and makes nothing', async () => {
    const { data, text } = await server.project('Convert', { project: 'app.cs', dryRun: true });
    expect(data, text).toMatchObject({ success: true, changed: false, createdFiles: ['app.cs', 'app.csproj'] });
    expect(existsSync(data.outputPath as string)).toBe(false);
  });

  it('makes a project beside the file, which remains, and adds it to the solution next', async () => {
    const { data, text } = await server.project('Convert', { project: 'sub/tool.cs' });
    expect(data, text).toMatchObject({ success: true, createdFiles: ['tool.cs', 'tool.csproj'] });
    const folder = data.outputPath as string;
    expect(folder).toMatch(/[/\\]sub[/\\]tool$/);
    expect(readFileSync(join(folder, 'tool.csproj'), 'utf8')).toContain('<LangVersion>preview</LangVersion>');
    expect(existsSync(join(folder, '..', 'tool.cs'))).toBe(true);
    expect(data.recommendedAction).toMatchObject({
      toolName: 'dotnet_solution',
      arguments: { action: 'Add', solution: 'All.slnx', projects: ['sub/tool/tool.csproj'] },
    });
  });

  it.each([
    ['a folder that exists', { project: 'app.cs', output: 'Lib' }, 'already exists', 'a folder that does not exist'],
    ['a file that is not there', { project: 'nope.cs' }, 'must exist', 'a C# file that exists'],
    ['a directive that is none', { project: 'bad.cs' }, "Unrecognized directive 'foo'", 'bad.cs(1)'],
  ])('fails with %s', async (_case, args, message, hint) => {
    const { isError, data, text } = await server.project('Convert', args);
    expect(isError, text).toBe(true);
    expect(text).toContain(message);
    expect(data.errors[0].hint).toContain(hint);
  });
});
